// A whole turn that somebody types: by the names of its picks, one after the other, or as the game writes it.
import { type BoardSpec, type Offered, placeName, type Turn } from "../../sdk/index.ts";

const wordsOf = (text: string): string[] => text.toLowerCase().split(/[\s,]+/);

/** What a pick is called: `e4`, or of a longer name the last word, `supply`. */
function nameOf(board: BoardSpec, { place }: Offered): string {
  return placeName(board, place).toLowerCase().split(" ").at(-1)!;
}

/** As far as the words are names of picks. */
function walk(turn: Turn, board: BoardSpec, words: readonly string[]): Turn | null {
  let now: Turn = turn;
  for (const word of words) {
    const pick = now.offered.find((each) => nameOf(board, each) === word);
    if (!pick) return null;
    now = now.pick(pick.place);
  }
  return now;
}

/** The turn that these picks make. null: they make none, so that only the server can tell what is meant. */
export function turnFrom(turn: Turn, board: BoardSpec, text: string): Turn | null {
  const made = walk(turn, board, wordsOf(text.trim()));
  return made?.complete ? made : null;
}

/** Texts that begin with this one and go one pick further. */
export function completions(turn: Turn, board: BoardSpec, text: string): string[] {
  const words = wordsOf(text.trimStart());
  const begun = words.pop() ?? "";
  const names = walk(turn, board, words)?.offered.map((pick) => nameOf(board, pick)) ?? [];
  return names.filter((name) => name.startsWith(begun)).map((name) => [...words, name].join(" "));
}
