// A whole turn typed as text: the names of its picks in order, or the game's own notation.
import { type BoardSpec, type Offered, placeName, type Turn } from "../../sdk/index.ts";

const wordsOf = (text: string): string[] => text.toLowerCase().split(/[\s,]+/);

/** The name of a pick: `e4`, or the last word of a longer name, `supply`. */
function pickName(board: BoardSpec, { place }: Offered): string {
  return placeName(board, place).toLowerCase().split(" ").at(-1)!;
}

/** The turn after these picks, or null if one of the words names no pick. */
function applyPicks(turn: Turn, board: BoardSpec, words: readonly string[]): Turn | null {
  let current: Turn = turn;
  for (const word of words) {
    const pick = current.offered.find((each) => pickName(board, each) === word);
    if (!pick) return null;
    current = current.pick(pick.place);
  }
  return current;
}

/** The complete turn that the text names, or null if only the server can tell what it means. */
export function parseTurn(turn: Turn, board: BoardSpec, text: string): Turn | null {
  const parsed = applyPicks(turn, board, wordsOf(text.trim()));
  return parsed?.complete ? parsed : null;
}

/** Texts that start with this one and contain one more pick. */
export function completions(turn: Turn, board: BoardSpec, text: string): string[] {
  const words = wordsOf(text.trimStart());
  const prefix = words.pop() ?? "";
  const names = applyPicks(turn, board, words)?.offered.map((pick) => pickName(board, pick)) ?? [];
  return names.filter((name) => name.startsWith(prefix)).map((name) => [...words, name].join(" "));
}
