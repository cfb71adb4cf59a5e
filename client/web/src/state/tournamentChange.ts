// Changes of a followed tournament.
import type { Tournament, TournamentChanged } from "../../sdk/index.ts";

/** Apply a change. An older one, which arrived late, is ignored. */
export function applyChange(before: Tournament, change: TournamentChanged): Tournament {
  if (change.n < before.n) return before;
  const { summary, round, rounds, standings, games, byes, teams } = change;
  const parts = Object.entries({ summary, round, rounds, standings, games, byes, teams });
  const changed = Object.fromEntries(parts.filter(([, value]) => value != null));
  return {
    ...before,
    ...changed,
    n: change.n,
    next_round: change.next_round ?? null,
    featured: change.featured ?? null,
  };
}
