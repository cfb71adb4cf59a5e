// An invitation by link: who invites, which game, clock and colour, and one button. The game starts on a button press, so
// that a link preview does not start it.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { cellsOf, type Scene, seatToMove, stacksOf } from "../../sdk/index.ts";
import { BoardPicture } from "../board/BoardPicture.tsx";
import { toneOf } from "../board/Surface.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Icon, SeatIcon } from "../components/Icon.tsx";
import { PageLayout, Placeholder } from "../components/PageLayout.tsx";
import { PlayerName } from "../components/PlayerName.tsx";
import { ShareButton } from "../components/ShareButton.tsx";
import { formatClock } from "../format/clock.ts";
import { formatOptions } from "../format/options.ts";
import { firstInvitation, type Invitation, requestInvitation, sampleOf } from "../state/pageData.ts";
import { navigate } from "../state/router.ts";
import { call, games, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

export function JoinPage({ code }: { code: string }): VNode {
  const [invitation, setInvitation] = useState(() => firstInvitation(code));
  const [error, setError] = useState("");
  useEffect(() => {
    if (!invitation) requestInvitation(code).then(setInvitation, (reason: Error) => setError(reason.message));
  }, [code, invitation]);
  if (!invitation)
    return (
      <PageLayout title="Invitation">
        <h1>{error ? "This invitation is not open" : "Invitation"}</h1>
        <Placeholder error={error} />
        {error && (
          <a class="button primary" href="/">
            Find another game
          </a>
        )}
      </PageLayout>
    );
  return (
    <PageLayout title="Invitation" kind="join">
      <Invited code={code} invitation={invitation} />
    </PageLayout>
  );
}

function Invited({ code, invitation }: { code: string; invitation: Invitation }): VNode {
  const { player, name, summary, terms, board, scene } = invitation;
  const self = useSignal(me);
  const card = useSignal(games).find(({ key }) => key === terms.game);
  const [error, setError] = useState("");
  const own = self?.name === player.name;
  // A game that begins with an empty board shows a later position instead.
  const isEmpty = stacksOf(scene).every(([place = 0]) => place >= cellsOf(board));
  const shown = (isEmpty ? sampleOf(terms.game) : null) ?? { board, scene };
  const accept = (): void => {
    setError("");
    call({ t: "accept", seek: code }).then(
      ({ room }) => navigate(`/table/${room}`, true),
      (reason: Error) => setError(reason.message),
    );
  };
  const rules = [terms.rated ? "rated" : "casual", ...formatOptions(card, terms.options)];
  return (
    <div class="card invited-to">
      <div class="stage">
        <BoardPicture board={shown.board} scene={shown.scene} label={`${name} board`} large />
      </div>
      <div class="details">
        <PlayerName player={player} />
        <h1>
          {player.name} invites you to {name}
        </h1>
        <p class="muted summary">{summary}</p>
        <dl>
          <dt>Clock</dt>
          <dd>{formatClock(terms.clock)}</dd>
          <dt>You play</dt>
          <dd>
            <Seat invitation={invitation} scene={scene} />
          </dd>
          <dt>Game</dt>
          <dd>{rules.join(" · ")}</dd>
        </dl>
        {own ? (
          <>
            <p>This is your own invitation. Send the link to a friend.</p>
            <ShareButton
              url={location.href}
              title={`Play ${name} with me`}
              names={["Share the link", "Copy the link"]}
              primary
            />
          </>
        ) : (
          <>
            <ErrorMessage text={error} />
            <button type="button" class="button primary big" disabled={!self} onClick={accept}>
              <Icon name="play" size={18} />
              Play {name}
            </button>
            <p class="button-row">
              {(card?.lesson_minutes ?? 0) > 0 && (
                <a class="button" href={`/learn/${terms.game}`}>
                  <Icon name="bulb" size={18} />
                  Learn first · {card?.lesson_minutes} min
                </a>
              )}
              <a class="button" href={`/rules/${terms.game}`}>
                <Icon name="book" size={18} />
                Rules
              </a>
            </p>
            <p class="muted">
              {self ? (
                <>
                  You play as <b>{self.name}</b>. <a href="/account">Change the name</a>
                </>
              ) : (
                "Connecting…"
              )}
            </p>
          </>
        )}
      </div>
    </div>
  );
}

function Seat({ invitation: { board, seat }, scene }: { invitation: Invitation; scene: Scene }): VNode {
  if (seat === undefined) return <>either side, drawn when the game starts</>;
  return (
    <>
      <SeatIcon tone={toneOf(board, seat)} /> {board.seats[seat]?.name}
      {seatToMove(scene) === seat ? ", and move first" : ", and move second"}
    </>
  );
}
