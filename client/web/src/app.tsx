// The entry point: the page for each path, and what all pages share.
import { render, type VNode } from "preact";
import { SharedDefs } from "./board/SharedDefs.tsx";
import { JoinPage } from "./pages/JoinPage.tsx";
import { lazy, preload } from "./pages/lazy.tsx";
import { LobbyPage } from "./pages/LobbyPage.tsx";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { announcement } from "./state/announcements.ts";
import { ConnectionBanner } from "./components/ConnectionBanner.tsx";
import { OperatorMessage } from "./components/OperatorMessage.tsx";
import { ReturnBar } from "./components/ReturnBar.tsx";
import { ReceivedInvitation } from "./components/ReceivedInvitation.tsx";
import { startSound } from "./state/sound.ts";
import { startLobby } from "./state/lobby.ts";
import { reconnectOnWake } from "./state/server.ts";
import { startOperatorMessages } from "./state/operatorMessages.ts";
import { startMatchmaking } from "./state/matchmaking.ts";
import { prefixLinks } from "./state/prefix.ts";
import { path, pathSegments, startRouter } from "./state/router.ts";
import { keepScroll } from "./state/scroll.ts";
import { applySettings } from "./state/settings.ts";
import { useSignal } from "./state/signal.ts";
import { startOwnTables } from "./state/ownTables.ts";
import { startBadge } from "./state/badge.ts";
import { loadStored } from "./state/storage.ts";
import { startServiceWorker } from "./state/serviceWorker.ts";

const AccountPage = lazy("AccountPage");
const EditorPage = lazy("EditorPage");
const GamesPage = lazy("GamesPage");
const LeaderboardPage = lazy("LeaderboardPage");
const LessonPage = lazy("LessonPage");
const PlayerPage = lazy("PlayerPage");
const RecordPage = lazy("RecordPage");
const RulesPage = lazy("RulesPage");
const TablePage = lazy("TablePage");
const SettingsPage = lazy("SettingsPage");
const TournamentPage = lazy("TournamentPage");
const TournamentsPage = lazy("TournamentsPage");
const WatchPage = lazy("WatchPage");
const StudyPage = lazy("StudyPage");

const LAZY = new Set([
  "account",
  "editor",
  "game",
  "games",
  "learn",
  "players",
  "rules",
  "settings",
  "study",
  "table",
  "tournaments",
  "watch",
]);

function Page(): VNode {
  const [page = "", ...segments] = pathSegments(useSignal(path));
  const [id = "", more = ""] = segments;
  switch (page) {
    case "":
      return <LobbyPage />;
    case "table":
      return <TablePage id={id} />;
    case "join":
      return <JoinPage code={id} />;
    case "watch":
      return <WatchPage />;
    case "tournaments":
      return id ? <TournamentPage id={id} part={more} key={id} /> : <TournamentsPage />;
    case "games":
      return <GamesPage />;
    case "game":
      return <RecordPage id={id} ply={more} />;
    case "players":
      return id ? <PlayerPage name={id} key={id} /> : <LeaderboardPage />;
    case "learn":
      return <LessonPage game={id} key={id} />;
    case "rules":
      return <RulesPage game={id} />;
    case "study":
      return <StudyPage segments={segments} key={segments.slice(0, 2).join("/")} />;
    case "editor":
      return <EditorPage game={id} option={more} key={`${id}/${more}`} />;
    case "account":
      return <AccountPage />;
    case "settings":
      return <SettingsPage />;
    default:
      return <NotFoundPage />;
  }
}

function App(): VNode {
  const spoken = useSignal(announcement);
  return (
    <>
      <SharedDefs />
      <ConnectionBanner />
      <ReturnBar />
      <Page />
      <ReceivedInvitation />
      <OperatorMessage />
      <div class="visually-hidden" role="status" aria-live="polite">
        {spoken}
      </div>
    </>
  );
}

applySettings();
prefixLinks();
startRouter();
keepScroll();
startSound();
reconnectOnWake();
startMatchmaking();
startLobby();
startOwnTables();
startBadge();
startOperatorMessages();
startServiceWorker();
// Until its script is loaded, a page shows what the server has sent.
const [page = ""] = pathSegments(path.value);
if (LAZY.has(page)) await preload(page).catch(() => undefined); // the page itself reports the error
render(<App />, document.getElementById("app")!);
// In a browser with notifications, the subscription is renewed at each visit by state/notifications.ts, which comes with it.
if (loadStored("parlour.notifications")) void preload("account").catch(() => undefined);
