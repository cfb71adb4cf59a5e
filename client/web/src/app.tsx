// The browser client begins here: pages by path, and what every page shares.
import { render, type VNode } from "preact";
import { Paints } from "./board/Paints.tsx";
import { JoinPage } from "./pages/JoinPage.tsx";
import { later } from "./pages/later.tsx";
import { LivePage } from "./pages/LivePage.tsx";
import { LobbyPage } from "./pages/LobbyPage.tsx";
import { NothingPage } from "./pages/NothingPage.tsx";
import { SettingsPage } from "./pages/SettingsPage.tsx";
import { TablePage } from "./pages/TablePage.tsx";
import { announced } from "./parts/announce.ts";
import { Band } from "./parts/Band.tsx";
import { Invitations } from "./parts/Invitations.tsx";
import { tune } from "./parts/sound.ts";
import { followLobby } from "./state/lobby.ts";
import { stayAwake } from "./state/parlour.ts";
import { listen } from "./state/quick.ts";
import { parts, path, route } from "./state/router.ts";
import { wear } from "./state/settings.ts";
import { useSignal } from "./state/signal.ts";
import { keepTables } from "./state/tables.ts";

const AccountPage = later("AccountPage");
const EditorPage = later("EditorPage");
const GamesPage = later("GamesPage");
const LeadersPage = later("LeadersPage");
const PlayerPage = later("PlayerPage");
const RecordPage = later("RecordPage");
const RulesPage = later("RulesPage");

function Page(): VNode {
  const [page = "", id = "", more = ""] = parts(useSignal(path));
  switch (page) {
    case "":
      return <LobbyPage />;
    case "table":
      return <TablePage id={id} />;
    case "join":
      return <JoinPage code={id} />;
    case "watch":
      return <LivePage />;
    case "games":
      return <GamesPage />;
    case "game":
      return <RecordPage id={id} ply={more} />;
    case "players":
      return id ? <PlayerPage name={id} key={id} /> : <LeadersPage />;
    case "rules":
      return <RulesPage game={id} />;
    case "editor":
      return <EditorPage />;
    case "account":
      return <AccountPage />;
    case "settings":
      return <SettingsPage />;
    default:
      return <NothingPage />;
  }
}

function App(): VNode {
  const words = useSignal(announced);
  return (
    <>
      <Paints />
      <Band />
      <Page />
      <Invitations />
      <div class="unseen" role="status" aria-live="polite">
        {words}
      </div>
    </>
  );
}

wear();
route();
tune();
stayAwake();
listen();
followLobby();
keepTables();
render(<App />, document.getElementById("app")!);
