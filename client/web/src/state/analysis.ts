// Analysis of a recorded game: every position, the computer's assessment of each, and the mistakes.
import {
  type BoardSpec,
  patch,
  type PositionAssessment,
  type Record as GameRecord,
  type Scene,
} from "../../sdk/index.ts";
import { call } from "./server.ts";
import { Signal } from "./signal.ts";

const PARALLEL_REQUESTS = 2;

// Thousandths of the winning chance that a move must lose to be marked.
const MISTAKE = 150;
const BLUNDER = 300;

/** A record with boards: the server has the rules by which the game was played. */
export type ReplayableRecord = GameRecord & { board: BoardSpec; initial_scene: Scene };

export const isReplayable = (record: GameRecord): record is ReplayableRecord =>
  Boolean(record.board && record.initial_scene);

/** A record that the player pasted. */
export const importedRecord = new Signal<GameRecord | null>(null);

/** The positions from before the first move to after the last one. */
export function scenesOf(record: ReplayableRecord): Scene[] {
  const scenes: Scene[] = [record.initial_scene];
  for (const [, , diff] of record.moves) {
    const last = scenes[scenes.length - 1]!;
    scenes.push(diff ? patch(last, diff) : last);
  }
  return scenes;
}

export class Analysis {
  /** The assessments received so far, by ply. */
  readonly assessments = new Signal<ReadonlyMap<number, PositionAssessment>>(new Map());
  readonly error = new Signal("");
  readonly busy = new Signal(false);
  #room: string;
  #stopped = false;

  constructor(room: string) {
    this.#room = room;
  }

  /** Show what the server has stored, for any player. */
  async load(): Promise<void> {
    try {
      const { assessments = [] } = await call({ t: "get_analysis", room: this.#room });
      this.#add(assessments);
    } catch {
      // Without it, the player can ask the computer again.
    }
  }

  #add(found: readonly PositionAssessment[]): void {
    const known = [...this.assessments.value, ...found.map((each) => [each.ply, each] as const)];
    this.assessments.value = new Map(known);
  }

  stop(): void {
    this.#stopped = true;
    this.busy.value = false;
  }

  /** Request an assessment of each position before `plies`. */
  async run(plies: number): Promise<void> {
    if (this.busy.value) return;
    this.busy.value = true;
    this.#stopped = false;
    this.error.value = "";
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < plies && !this.#stopped) {
        const ply = next++;
        if (this.assessments.value.has(ply)) continue;
        try {
          this.#add([await call({ t: "assess", room: this.#room, ply })]);
        } catch (reason) {
          this.error.value = (reason as Error).message;
          this.stop();
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work));
    this.busy.value = false;
  }
}

/** The first seat's chance of winning, in thousandths. */
export function firstSeatChance({ seat, chance }: PositionAssessment): number {
  return seat === 0 ? chance : 1000 - chance;
}

export interface Annotation {
  symbol: string;
  meaning: string;
}

/** Moves that cost the mover much of the winning chance, by move number. */
export function findMistakes(
  { moves, result }: GameRecord,
  assessments: ReadonlyMap<number, PositionAssessment>,
): Map<number, Annotation> {
  const mistakes = new Map<number, Annotation>();
  const finalChance = result?.winner == null ? 500 : result.winner === 0 ? 1000 : 0;
  for (let ply = 0; ply < moves.length; ply++) {
    const [before, after] = [assessments.get(ply), assessments.get(ply + 1)];
    if (!before) continue;
    const chance = after ? firstSeatChance(after) : ply === moves.length - 1 ? finalChance : null;
    if (chance === null) continue;
    const lost = (firstSeatChance(before) - chance) * (before.seat === 0 ? 1 : -1);
    if (lost >= BLUNDER) mistakes.set(ply + 1, { symbol: "??", meaning: "blunder" });
    else if (lost >= MISTAKE) mistakes.set(ply + 1, { symbol: "?", meaning: "mistake" });
  }
  return mistakes;
}
