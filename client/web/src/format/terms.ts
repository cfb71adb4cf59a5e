// The terms of a game in one line: `10 min + 5 s · rated · board random`.
import type { GameCard, Terms } from "../../sdk/index.ts";
import { formatOptions } from "./options.ts";
import { formatClock } from "./clock.ts";

export function formatTerms(terms: Terms, card: GameCard | undefined): string {
  return [formatClock(terms.clock), terms.rated ? "rated" : "casual", ...formatOptions(card, terms.options)].join(
    " · ",
  );
}
