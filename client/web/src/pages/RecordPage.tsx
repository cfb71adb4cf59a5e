// A finished game: replayed move by move, shared, downloaded, and reviewed by the computer.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Record as GameRecord, tallyOf } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { toneOf } from "../board/ground.tsx";
import { announce } from "../parts/announce.ts";
import { ChanceGraph } from "../parts/ChanceGraph.tsx";
import { Absent, Frame } from "../parts/Frame.tsx";
import { Icon, SeatSign } from "../parts/Icon.tsx";
import { MoveList, Step } from "../parts/MoveList.tsx";
import { reasonOf } from "../parts/outcome.ts";
import { PlayerName } from "../parts/PlayerName.tsx";
import { Refused } from "../parts/Refused.tsx";
import { useShortcuts } from "../parts/shortcuts.ts";
import { termsWords } from "../parts/terms.ts";
import { figures } from "../parts/time.ts";
import { ago, exact } from "../parts/when.ts";
import { useAnswer } from "../state/answer.ts";
import { games, nameOf } from "../state/parlour.ts";
import { chanceOfFirst, imported, Review, scenesOf } from "../state/replay.ts";
import { settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";

const PAUSE = 900; // ms between two moves that are shown by themselves
const SLIP = 150; // thousandths of the chance to win that a move worth a sign has cost
const BLUNDER = 300;

/** Without an id: the record that was pasted in. */
export function RecordPage({ id, ply }: { id: string; ply: string }): VNode {
  const pasted = useSignal(imported);
  const { answer, refused } = useAnswer(id ? { t: "ask_record", room: id } : null);
  const record = id ? answer : pasted;
  if (!record)
    return (
      <Frame title="Replay">
        <h1>Replay</h1>
        <Absent refused={refused || (id ? "" : "Nothing was pasted in.")} />
      </Frame>
    );
  return <Replay record={record} from={ply} stored={Boolean(id)} key={record.room} />;
}

function Replay({ record, from, stored }: { record: GameRecord; from: string; stored: boolean }): VNode {
  const { board, players, result, terms, moves, room } = record;
  const card = useSignal(games).find(({ key }) => key === terms.game);
  const { numbers } = useSignal(settings);
  const scenes = useMemo(() => scenesOf(record), [record]);
  const [at, setAt] = useState(() => within(from === "" ? moves.length : Number(from), moves.length));
  const [runs, setRuns] = useState(false);
  const [turned, setTurned] = useState(false);
  const [copied, setCopied] = useState(false);
  const review = useMemo(() => new Review(room), [room]);
  const opinions = useSignal(review.opinions);
  const busy = useSignal(review.busy);
  const reviewRefused = useSignal(review.refused);
  const title = nameOf(terms.game);
  const scene = scenes[at]!;
  const opinion = opinions.get(at);

  const show = (ply: number): void => {
    const next = within(ply, moves.length);
    setAt(next);
    setRuns(false);
    announce(next ? `Move ${next}: ${moves[next - 1]?.[0]}` : "Before the first move");
  };
  useEffect(() => () => review.stop(), [review]);
  useEffect(() => {
    if (stored) history.replaceState(null, "", `/game/${room}${at === moves.length ? "" : `/${at}`}`);
    setCopied(false);
  }, [at]);
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setTimeout(() => (at < moves.length ? setAt(at + 1) : setRuns(false)), PAUSE);
    return () => clearTimeout(timer);
  }, [runs, at]);
  useShortcuts({
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    Home: () => show(0),
    End: () => show(moves.length),
    f: () => setTurned(!turned),
  });

  const share = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
    } catch {
      announce("Copy the address of this page.");
    }
  };
  const play = (): void => {
    if (at === moves.length) setAt(0);
    setRuns(!runs);
  };
  const slips = useMemo(() => slipsOf(record, opinions), [record, opinions]);
  const seats = [1, 0].map((seat) => (
    <span class={result?.winner === seat ? "line-of won" : "line-of"}>
      <SeatSign tone={toneOf(board, seat)} label={board.seats[seat]?.name} size={16} />
      <PlayerName player={players[seat]} />
      <span class="muted">{tallyOf(board, scene, seat)}</span>
    </span>
  ));
  return (
    <Frame title={title} kind="replay-page">
      <h1 class="unseen">
        {title}: {players.map((player) => player?.name ?? "nobody").join(" against ")}
      </h1>
      <div class="stage">
        <Board
          board={board}
          scene={scene}
          flipped={turned}
          numbers={numbers}
          label={`${title} board after ${at} of ${moves.length} moves. ${scene[4]}`}
        />
        <div class="slide card">
          <input
            type="range"
            min={0}
            max={moves.length}
            value={at}
            aria-label="Move"
            aria-valuetext={at ? `${at}: ${moves[at - 1]?.[0]}` : "before the first move"}
            onInput={(event) => show(Number(event.currentTarget.value))}
          />
          <div class="steps-of">
            <Step icon="first" label="To the start" onPress={() => show(0)} />
            <Step icon="prev" label="Back one" onPress={() => show(at - 1)} />
            <Step icon={runs ? "pause" : "play"} label={runs ? "Stop" : "Play it"} onPress={play} />
            <Step icon="next" label="Forward one" onPress={() => show(at + 1)} />
            <Step icon="last" label="To the end" onPress={() => show(moves.length)} />
            <Step icon="flip" label="Turn the board" onPress={() => setTurned(!turned)} />
          </div>
        </div>
      </div>
      <div class="column">
        <section class="card settings" aria-label="The game">
          <h2>{headline(record)}</h2>
          {result && (
            <p>
              {capital(reasonOf(card, result.reason))}.
              {result.scores?.length ? <b class="num"> {result.scores.join(" : ")}</b> : null}
            </p>
          )}
          {seats}
          <p class="muted">
            {title}, {termsWords(terms, card)}
            {record.ended ? (
              <>
                {" "}
                ·{" "}
                <time dateTime={new Date(record.ended).toISOString()} title={exact(record.ended)}>
                  {ago(record.ended)}
                </time>
              </>
            ) : null}
          </p>
          {!result && (
            <a class="button primary" href={`/table/${room}`}>
              Watch it live
            </a>
          )}
          {stored && (
            <p class="row-of">
              <button type="button" class="button" onClick={() => void share()}>
                <Icon name={copied ? "check" : "link"} size={18} />
                {copied ? "Copied" : "Share"}
              </button>
              {result && (
                <a class="button" href={`/api/games/${room}.txt`} download={`${room}.txt`}>
                  Text
                </a>
              )}
              {result && (
                <a class="button" href={`/api/games/${room}`} download={`${room}.json`}>
                  JSON
                </a>
              )}
            </p>
          )}
        </section>
        {stored && result && card && card.levels.length > 0 && (
          <section class="card settings" aria-label="Review">
            {opinions.size > 0 && (
              <ChanceGraph
                opinions={opinions}
                result={result}
                plies={moves.length}
                at={at}
                tones={[toneOf(board, 0), toneOf(board, 1)]}
                onGo={show}
              />
            )}
            <div class="row-of">
              {opinions.size < moves.length && (
                <button
                  type="button"
                  class="button"
                  aria-pressed={busy}
                  onClick={() => (busy ? review.stop() : void review.run(moves.length))}
                >
                  <Icon name="bulb" size={18} />
                  {busy ? `${opinions.size} of ${moves.length}` : "Ask the computer"}
                </button>
              )}
              {opinion && (
                <span>
                  {board.seats[opinion.seat]?.name} wins {Math.round(opinion.chance / 10)} of 100 · best:{" "}
                  <b>{opinion.move}</b>
                </span>
              )}
            </div>
            <Refused why={reviewRefused} />
          </section>
        )}
        <section class="card record-moves" aria-label="Moves">
          <MoveList moves={moves.map(([move]) => move)} at={at} notes={slips} onGo={show} />
          <p class="muted num">
            {at
              ? `Move ${at} of ${moves.length}, ${figures(moves[at - 1]![1])} s`.replace(/:(.*) s/, ":$1")
              : "Before the first move"}
          </p>
        </section>
      </div>
    </Frame>
  );
}

const within = (ply: number, most: number): number => Math.max(0, Math.min(most, Math.trunc(ply) || 0));
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function headline({ result, players, board }: GameRecord): string {
  if (!result) return "The game is on";
  if (result.winner === null) return "A draw";
  return `${players[result.winner]?.name ?? board.seats[result.winner]?.name ?? ""} won`;
}

/** Moves after which the one who made them was much worse off than before. */
function slipsOf(
  { moves, result }: GameRecord,
  opinions: Review["opinions"]["value"],
): Map<number, { sign: string; means: string }> {
  const slips = new Map<number, { sign: string; means: string }>();
  for (let ply = 0; ply < moves.length; ply++) {
    const [before, after] = [opinions.get(ply), opinions.get(ply + 1)];
    if (!before) continue;
    const end = result?.winner == null ? 500 : result.winner === 0 ? 1000 : 0;
    const first = after ? chanceOfFirst(after) : ply === moves.length - 1 ? end : null;
    if (first === null) continue;
    const lost = (chanceOfFirst(before) - first) * (before.seat === 0 ? 1 : -1);
    if (lost >= SLIP)
      slips.set(ply + 1, lost >= BLUNDER ? { sign: "??", means: "a blunder" } : { sign: "?", means: "a slip" });
  }
  return slips;
}
