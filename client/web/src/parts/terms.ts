// What is agreed on, in one line: `10 min + 5 s · rated · board random`.
import type { GameCard, Terms } from "../../sdk/index.ts";
import { optionWords } from "./options.ts";
import { pace } from "./time.ts";

export function termsWords(terms: Terms, card: GameCard | undefined): string {
  return [pace(terms.clock), terms.rated ? "rated" : "casual", ...optionWords(card, terms.options)].join(" · ");
}
