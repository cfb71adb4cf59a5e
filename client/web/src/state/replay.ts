// A game from its record: every position, and what the computer thinks of each.
import { type Assessment, patch, type Record as GameRecord, type Scene } from "../../sdk/index.ts";
import { call } from "./parlour.ts";
import { Signal } from "./signal.ts";

const AT_ONCE = 2; // questions to the computer

/** A record that was pasted in. */
export const imported = new Signal<GameRecord | null>(null);

/** The positions, from before the first move to after the last one. */
export function scenesOf(record: GameRecord): Scene[] {
  const scenes = [record.first];
  for (const [, , change] of record.moves)
    scenes.push(change ? patch(scenes[scenes.length - 1]!, change) : scenes[scenes.length - 1]!);
  return scenes;
}

export class Review {
  /** By ply, as far as the computer has got. */
  readonly opinions = new Signal<ReadonlyMap<number, Assessment>>(new Map());
  /** Why it stopped, if it did. */
  readonly refused = new Signal("");
  readonly busy = new Signal(false);
  #room: string;
  #stopped = false;

  constructor(room: string) {
    this.#room = room;
  }

  stop(): void {
    this.#stopped = true;
    this.busy.value = false;
  }

  /** Ask about one position after the other, up to `plies`. */
  async run(plies: number): Promise<void> {
    if (this.busy.value) return;
    this.busy.value = true;
    this.#stopped = false;
    this.refused.value = "";
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < plies && !this.#stopped) {
        const ply = next++;
        if (this.opinions.value.has(ply)) continue;
        try {
          const opinion = await call({ t: "assess", room: this.#room, ply });
          this.opinions.value = new Map([...this.opinions.value, [ply, opinion]]);
        } catch (why) {
          this.refused.value = (why as Error).message;
          this.stop();
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    this.busy.value = false;
  }
}

/** How likely it is that the first seat wins, in thousandths. */
export function chanceOfFirst({ seat, chance }: Assessment): number {
  return seat === 0 ? chance : 1000 - chance;
}
