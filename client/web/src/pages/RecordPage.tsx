// A recorded game: replay, download and computer analysis.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { noteOf, type Record as GameRecord, tallyText } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { toneOf } from "../board/Surface.tsx";
import { announce } from "../state/announcements.ts";
import { WinChanceGraph } from "../components/WinChanceGraph.tsx";
import { Placeholder, PageLayout } from "../components/PageLayout.tsx";
import { Icon, SeatIcon } from "../components/Icon.tsx";
import { MoveList, StepButton } from "../components/MoveList.tsx";
import { reasonOf } from "../format/outcome.ts";
import { ShareButton } from "../components/ShareButton.tsx";
import { PlayerName } from "../components/PlayerName.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { useShortcuts } from "../components/useShortcuts.ts";
import { formatTerms } from "../format/terms.ts";
import { formatTimeSpent } from "../format/clock.ts";
import { formatAge, formatDateTime } from "../format/date.ts";
import { plural } from "../format/plural.ts";
import { withPrefix } from "../state/prefix.ts";
import { useRequest } from "../state/request.ts";
import { gameName, games } from "../state/server.ts";
import {
  Analysis,
  findMistakes,
  importedRecord,
  isReplayable,
  type ReplayableRecord,
  scenesOf,
} from "../state/analysis.ts";
import { settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";
import { nameOf } from "../state/botNames.ts";

const AUTOPLAY_INTERVAL = 900; // ms

/** Without an id, the imported record. */
export function RecordPage({ id, ply }: { id: string; ply: string }): VNode {
  const imported = useSignal(importedRecord);
  const { answer, error } = useRequest(id ? { t: "get_record", room: id } : null);
  const record = id ? answer : imported;
  if (!record)
    return (
      <PageLayout title="Replay">
        <h1>Replay</h1>
        <Placeholder error={error || (id ? "" : "No record was imported.")} />
      </PageLayout>
    );
  if (!isReplayable(record)) return <BareRecord record={record} stored={Boolean(id)} />;
  return <Replay record={record} from={ply} stored={Boolean(id)} key={record.room} />;
}

/** A game by rules that the server no longer has: its players, its result and its moves, without boards. */
function BareRecord({ record, stored }: { record: GameRecord; stored: boolean }): VNode {
  const { players, result, terms, moves, room } = record;
  const card = useSignal(games).find(({ key }) => key === terms.game);
  const title = gameName(terms.game);
  const names = players.map((player) => nameOf(player));
  return (
    <PageLayout title={title}>
      <h1>
        {title}: {names.join(" against ")}
      </h1>
      <p role="status">
        This game was played by version {record.rules_version} of the rules, which the server no longer has. Its boards
        cannot be shown.
      </p>
      {result && (
        <p>
          {result.winner === null ? "Draw" : `${names[result.winner] ?? ""} won`}: {reasonOf(card, result.reason)}.
          {result.scores?.length ? <b class="num"> {result.scores.join(" : ")}</b> : null}
        </p>
      )}
      {stored && (
        <p class="button-row">
          <Downloads room={room} />
        </p>
      )}
      <section class="card" aria-label="Moves">
        <ol>
          {moves.map(([move], ply) => (
            <li key={ply}>{move}</li>
          ))}
        </ol>
      </section>
    </PageLayout>
  );
}

function Downloads({ room }: { room: string }): VNode {
  return (
    <>
      <a class="button" href={`/api/v1/records/${room}.txt`} download={`${room}.txt`}>
        Text
      </a>
      <a class="button" href={`/api/v1/records/${room}`} download={`${room}.json`}>
        JSON
      </a>
    </>
  );
}

function Replay({ record, from, stored }: { record: ReplayableRecord; from: string; stored: boolean }): VNode {
  const { board, players, result, terms, moves, room } = record;
  const card = useSignal(games).find(({ key }) => key === terms.game);
  const { numbers } = useSignal(settings);
  const scenes = useMemo(() => scenesOf(record), [record]);
  const [ply, setPly] = useState(() => clamp(from === "" ? moves.length : Number(from), moves.length));
  const [playing, setPlaying] = useState(false);
  const [flipped, setFlipped] = useState(false);
  const analysis = useMemo(() => new Analysis(room), [room]);
  const assessments = useSignal(analysis.assessments);
  const busy = useSignal(analysis.busy);
  const analysisError = useSignal(analysis.error);
  const title = gameName(terms.game);
  const scene = scenes[ply]!;
  const assessment = assessments.get(ply);
  const isOver = result != null;

  const show = (target: number): void => {
    const next = clamp(target, moves.length);
    setPly(next);
    setPlaying(false);
    announce(next ? `Move ${next}: ${moves[next - 1]?.[0]}` : "Before the first move");
  };
  useEffect(() => () => analysis.stop(), [analysis]);
  useEffect(() => {
    if (stored && isOver) void analysis.load();
  }, [analysis, stored, isOver]);
  useEffect(() => {
    if (stored) history.replaceState(null, "", withPrefix(addressOf(room, ply, moves.length)));
  }, [ply, stored, room, moves.length]);
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(() => (ply < moves.length ? setPly(ply + 1) : setPlaying(false)), AUTOPLAY_INTERVAL);
    return () => clearTimeout(timer);
  }, [playing, ply, moves.length]);
  useShortcuts({
    ArrowLeft: () => show(ply - 1),
    ArrowRight: () => show(ply + 1),
    Home: () => show(0),
    End: () => show(moves.length),
    f: () => setFlipped(!flipped),
  });

  const togglePlay = (): void => {
    if (ply === moves.length) setPly(0);
    setPlaying(!playing);
  };
  const mistakes = useMemo(() => findMistakes(record, assessments), [record, assessments]);
  const seats = [1, 0].map((seat) => (
    <span key={seat} class={result?.winner === seat ? "player-line won" : "player-line"}>
      <SeatIcon tone={toneOf(board, seat)} label={board.seats[seat]?.name} size={16} />
      <PlayerName player={players[seat]} />
      <span class="muted">{tallyText(board, scene, seat)}</span>
    </span>
  ));
  return (
    <PageLayout title={title} kind="replay-page">
      <h1 class="visually-hidden">
        {title}: {players.map((player) => nameOf(player)).join(" against ")}
      </h1>
      <div class="stage">
        <Board
          board={board}
          scene={scene}
          flipped={flipped}
          numbers={numbers}
          label={`${title} board after ${ply} of ${plural(moves.length, "move")}. ${noteOf(scene)}`}
        />
        <div class="slide card">
          <input
            type="range"
            min={0}
            max={moves.length}
            value={ply}
            aria-label="Move"
            aria-valuetext={ply ? `${ply}: ${moves[ply - 1]?.[0]}` : "before the first move"}
            onInput={(event) => show(Number(event.currentTarget.value))}
          />
          <div class="replay-buttons">
            <StepButton icon="first" label="First position" onPress={() => show(0)} />
            <StepButton icon="prev" label="Previous move" onPress={() => show(ply - 1)} />
            <StepButton icon={playing ? "pause" : "play"} label={playing ? "Pause" : "Play"} onPress={togglePlay} />
            <StepButton icon="next" label="Next move" onPress={() => show(ply + 1)} />
            <StepButton icon="last" label="Last position" onPress={() => show(moves.length)} />
            <StepButton icon="flip" label="Flip the board" onPress={() => setFlipped(!flipped)} />
          </div>
        </div>
      </div>
      <div class="column">
        <section class="card settings" aria-label="Game">
          <h2>{headline(record)}</h2>
          {result && (
            <p>
              {capital(reasonOf(card, result.reason))}.
              {result.scores?.length ? <b class="num"> {result.scores.join(" : ")}</b> : null}
            </p>
          )}
          {seats}
          <p class="muted">
            {title}, {formatTerms(terms, card)}
            {record.ended ? (
              <>
                {" "}
                ·{" "}
                <time dateTime={new Date(record.ended).toISOString()} title={formatDateTime(record.ended)}>
                  {formatAge(record.ended)}
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
            <p class="button-row narrow-buttons">
              <ShareButton
                url={location.origin + withPrefix(addressOf(room, ply, moves.length))}
                title={`${title}: ${headline(record)}`}
              />
              {result && (
                <a class="button" href={`/study/game/${room}/${ply}`}>
                  <Icon name="bulb" size={18} />
                  Study
                </a>
              )}
              {result && <Downloads room={room} />}
            </p>
          )}
        </section>
        {stored && result && card && card.levels.length > 0 && (
          <section class="card settings" aria-label="Analysis">
            {assessments.size > 1 && (
              <WinChanceGraph
                assessments={assessments}
                result={result}
                plies={moves.length}
                ply={ply}
                tones={[toneOf(board, 0), toneOf(board, 1)]}
                onSelect={show}
              />
            )}
            <div class="button-row">
              {assessments.size < moves.length && (
                <button
                  type="button"
                  class="button"
                  aria-pressed={busy}
                  onClick={() => (busy ? analysis.stop() : void analysis.run(moves.length))}
                >
                  <Icon name="bulb" size={18} />
                  {busy ? `${assessments.size} of ${moves.length}` : "Analyse the game"}
                </button>
              )}
              {assessment && (
                <span>
                  {board.seats[assessment.seat]?.name}: {Math.round(assessment.chance / 10)}% to win · best move:{" "}
                  <b>{assessment.move}</b>
                </span>
              )}
            </div>
            <ErrorMessage text={analysisError} />
          </section>
        )}
        <section class="card record-moves" aria-label="Moves">
          <MoveList moves={moves.map(([move]) => move)} ply={ply} annotations={mistakes} onSelect={show} />
          <p class="muted num">
            {ply
              ? `Move ${ply} of ${moves.length}, played in ${formatTimeSpent(moves[ply - 1]![1])}`
              : "Before the first move"}
          </p>
        </section>
      </div>
    </PageLayout>
  );
}

const addressOf = (room: string, ply: number, last: number): string => `/game/${room}${ply === last ? "" : `/${ply}`}`;
const clamp = (ply: number, last: number): number => Math.max(0, Math.min(last, Math.trunc(ply) || 0));
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function headline({ result, players, board }: ReplayableRecord): string {
  if (!result) return "Game in progress";
  if (result.winner === null) return "Draw";
  return `${nameOf(players[result.winner], board.seats[result.winner]?.name)} won`;
}
