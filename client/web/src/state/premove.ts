// A premove: a turn of one or two cells, chosen while the opponent thinks and played at once when the turn comes.
import type { Turn } from "../../sdk/index.ts";

const LONGEST = 2; // picks of a turn that can be chosen in advance

/** Return the premove after a press on a cell. `picks` is how many a turn has. A second press lets go. */
export function pressed(premove: readonly number[], cell: number, picks: number): readonly number[] {
  if (picks > LONGEST) return [];
  if (premove.includes(cell)) return premove.slice(0, premove.indexOf(cell));
  return premove.length < picks ? [...premove, cell] : [...premove.slice(0, picks - 1), cell];
}

/** Return the turn that a premove makes, or null if it is not possible any more. */
export function played(turn: Turn, premove: readonly number[]): Turn | null {
  let next = turn;
  for (const place of premove) {
    if (next.complete || !next.offered.some((pick) => pick.place === place)) return null;
    next = next.pick(place);
  }
  return next.complete ? next : null;
}
