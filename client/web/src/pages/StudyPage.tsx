// Study: an analysis board for a position of a finished game, or for any other position.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { tallyText } from "../../sdk/index.ts";
import { toneOf } from "../board/Surface.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Icon, SeatIcon } from "../components/Icon.tsx";
import { StepButton } from "../components/MoveList.tsx";
import { NewTableDialog } from "../components/NewTableDialog.tsx";
import { PageLayout, Placeholder } from "../components/PageLayout.tsx";
import { PositionForm } from "../components/PositionForm.tsx";
import { ShareButton } from "../components/ShareButton.tsx";
import { StudyBoard } from "../components/StudyBoard.tsx";
import { useShortcuts } from "../components/useShortcuts.ts";
import { VariationTree } from "../components/VariationTree.tsx";
import { reasonOf } from "../format/outcome.ts";
import { firstSeatChance } from "../state/analysis.ts";
import { withPrefix } from "../state/prefix.ts";
import { useRequest } from "../state/request.ts";
import { gameName, games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { type Origin, parsePositionPath, Study, studyPath } from "../state/study.ts";
import type { Branch } from "../state/variations.ts";

/** `segments` are those of the address after /study. */
export function StudyPage({ segments }: { segments: readonly string[] }): VNode {
  const [kind = "", ...rest] = segments;
  if (kind === "game") return <GameStudy room={rest[0] ?? ""} ply={rest[1] ?? ""} moves={rest.slice(2)} />;
  if (kind === "position") return <PositionStudy segments={rest} />;
  return <PositionForm />;
}

/** A study of a game on this server, when it is over. */
function GameStudy({ room, ply, moves }: { room: string; ply: string; moves: readonly string[] }): VNode {
  const { answer, error } = useRequest(room ? { t: "get_record", room } : null);
  if (!answer || !answer.replayable || !answer.result) {
    const running = answer && !answer.result ? "Study opens when the game is over." : "";
    const unknown = answer && !answer.replayable ? "The server no longer has the rules of this game." : "";
    return <NoBoard title="Study" error={error || running || unknown} />;
  }
  const played = answer.moves.map(([move]) => move);
  const origin: Origin = {
    game: answer.terms.game,
    options: answer.options,
    position: answer.position ?? null,
    room,
    moves: played,
  };
  const count = ply === "" ? played.length : Math.min(Number(ply) || 0, played.length);
  return <OpenStudy origin={origin} line={[...played.slice(0, count), ...moves]} key={room} />;
}

/** The placeholder of the board while it loads, or the reason why there is none. */
function NoBoard({ title, error }: { title: string; error: string }): VNode {
  return (
    <PageLayout title={title} kind="replay-page">
      <h1 class={error ? "" : "visually-hidden"}>{title}</h1>
      <div class="stage study">
        <Placeholder error={error} />
      </div>
    </PageLayout>
  );
}

function PositionStudy({ segments }: { segments: readonly string[] }): VNode {
  const { origin, line } = parsePositionPath(segments);
  return <OpenStudy origin={origin} line={line} key={JSON.stringify(origin)} />;
}

function OpenStudy({ origin, line }: { origin: Origin; line: readonly string[] }): VNode {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the caller's key stands for the origin; the line is only the first
  const study = useMemo(() => new Study(origin, line), []);
  useEffect(() => () => study.close(), [study]);
  const view = useSignal(study.view);
  const { position } = view;
  const card = useSignal(games).find(({ key }) => key === origin.game);
  const [flipped, setFlipped] = useState(false);
  const [isPointing, setPointing] = useState(true);
  const [isPlaying, setPlaying] = useState(false);
  const address = studyPath(study.origin, view.line);
  const step = (count: number): void => {
    const forward = count > 0 ? mainMoves(view.tree, view.line) : [];
    void study.go(count > 0 ? [...view.line, ...forward.slice(0, count)] : view.line.slice(0, count));
  };
  useEffect(() => history.replaceState(null, "", withPrefix(address)), [address]);
  useShortcuts({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => void study.go([]),
    End: () => step(Infinity),
    f: () => setFlipped(!flipped),
    e: () => study.toggleAsking(),
    x: () => setPointing(!isPointing),
    p: () => setPlaying(true),
    Delete: () => study.remove(),
    Escape: () => study.undoPick(),
  });
  const title = gameName(origin.game);
  if (!position) return <NoBoard title={`Study ${title}`} error={view.error} />;
  const { board, result } = position;
  const isVariation = !view.line.every((move, n) => move === origin.moves[n]);
  return (
    <PageLayout title={title} kind="replay-page">
      <h1 class="visually-hidden">Study {title}</h1>
      <div class="stage study">
        <StudyBoard study={study} view={view} position={position} flipped={flipped} isPointing={isPointing} />
      </div>
      <div class="column">
        <section class="card settings" aria-label="The computer">
          <Evaluation view={view} names={board.seats.map(({ name }) => name)} tone={toneOf(board, 0)} />
          {result && (
            <p>
              {result.winner === null ? "Draw" : `${board.seats[result.winner]?.name} wins`}:{" "}
              {reasonOf(card, result.reason)}.
            </p>
          )}
          <ErrorMessage text={view.error} />
          <p class="button-row">
            <button type="button" class="button" aria-pressed={view.isAsking} onClick={() => study.toggleAsking()}>
              <Icon name="bulb" size={18} />
              Computer
            </button>
            <button type="button" class="button" aria-pressed={isPointing} onClick={() => setPointing(!isPointing)}>
              Best move
            </button>
          </p>
        </section>
        <section class="card settings" aria-label="Position">
          {[1, 0].map((seat) => (
            <span class="player-line" key={seat}>
              <SeatIcon tone={toneOf(board, seat)} label={board.seats[seat]?.name} size={16} />
              {board.seats[seat]?.name}
              <span class="muted">{tallyText(board, position.scene, seat)}</span>
            </span>
          ))}
          <p class="button-row">
            {!result && (
              <button type="button" class="button primary" onClick={() => setPlaying(true)}>
                <Icon name="play" size={18} />
                Play from here
              </button>
            )}
            <ShareButton url={location.origin + withPrefix(address)} title={`Study ${title}`} />
          </p>
        </section>
        <section class="card record-moves" aria-label="Moves">
          <VariationTree tree={view.tree} line={view.line} onSelect={(to) => void study.go(to)} />
          <p class="muted">
            {view.isStored
              ? "Your variations are stored with the game, for all who can see it."
              : "Your variations stay in this browser. The link leads to the one that is shown."}
          </p>
          <div class="replay-buttons">
            <StepButton icon="first" label="First position" onPress={() => void study.go([])} />
            <StepButton icon="prev" label="Previous move" onPress={() => step(-1)} />
            <StepButton icon="next" label="Next move" onPress={() => step(1)} />
            <StepButton icon="last" label="End of the line" onPress={() => step(Infinity)} />
            <StepButton icon="flip" label="Flip the board" onPress={() => setFlipped(!flipped)} />
            {isVariation && <StepButton icon="close" label="Remove this move" onPress={() => study.remove()} />}
          </div>
        </section>
      </div>
      {isPlaying && (
        <NewTableDialog
          game={origin.game}
          options={{ ...origin.options }}
          position={position.position}
          onClose={() => setPlaying(false)}
        />
      )}
    </PageLayout>
  );
}

/** The main continuation after a line. */
function mainMoves(tree: readonly Branch[], line: readonly string[]): string[] {
  let next = tree;
  for (const move of line) next = next.find((branch) => branch.move === move)?.next ?? [];
  const found: string[] = [];
  while (next.length) {
    found.push(next[0]!.move);
    next = next[0]!.next;
  }
  return found;
}

interface EvaluationProps {
  view: Study["view"]["value"];
  names: readonly string[];
  tone: string;
}

/** The winning chances of both sides, as a bar and in words. */
function Evaluation({ view: { assessment, isAsking, turn, error }, names, tone }: EvaluationProps): VNode | null {
  if (!isAsking && !assessment) return null;
  if (!assessment) return turn && !error ? <p class="muted">The computer is thinking…</p> : null;
  const first = firstSeatChance(assessment);
  const better = first === 500 ? "Even" : `${names[first > 500 ? 0 : 1]} is better`;
  return (
    <>
      <div class={`evaluation-bar ${tone}`} aria-hidden="true">
        <span style={{ width: `${first / 10}%` }} />
      </div>
      <p class="evaluation">
        {better}: {names[0]} {Math.round(first / 10)}%, {names[1]} {Math.round((1000 - first) / 10)}%. Best move:{" "}
        <b>{assessment.move}</b>
      </p>
      {(assessment.line?.length ?? 0) > 1 && <p class="muted">{assessment.line!.join(" · ")}</p>}
    </>
  );
}
