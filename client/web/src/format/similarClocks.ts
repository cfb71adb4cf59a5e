// Whether two clocks make games of about the same length, so that players who wait for one may like the other.
import type { Clock } from "../../sdk/index.ts";

const MOVES = 40; // of a player in a long game
const FACTOR = 2;

/** The time that a player may use in a game, in milliseconds; null without a clock. */
function expectedTime({ kind = "none", main = 0, step = 0 }: Clock): number | null {
  if (kind === "none") return null;
  return kind === "move" || kind === "days" ? main * MOVES : main + step * MOVES;
}

export function areSimilar(one: Clock = {}, other: Clock = {}): boolean {
  const [a, b] = [expectedTime(one), expectedTime(other)];
  if (a === null || b === null) return a === b;
  return Math.max(a, b) <= FACTOR * Math.min(a, b);
}
