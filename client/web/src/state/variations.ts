// Variations as a tree of moves, without anything that depends on the page.
import type { Variation } from "../../sdk/index.ts";

/** A move and what may follow it, the main continuation first. */
export interface Branch {
  move: string;
  next: readonly Branch[];
}

export const isPrefix = (line: readonly string[], of: readonly string[]): boolean =>
  line.length <= of.length && line.every((move, n) => move === of[n]);

/** Return the tree with a line, which becomes the main one if asked; the same tree if nothing changes. */
export function withLine(tree: readonly Branch[], line: readonly string[], main = false): readonly Branch[] {
  const [move, ...rest] = line;
  if (move === undefined) return tree;
  const known = tree.find((branch) => branch.move === move);
  const next = withLine(known?.next ?? [], rest, main);
  if (known && next === known.next && (!main || tree[0] === known)) return tree;
  const branch = { move, next };
  const others = tree.filter((each) => each !== known);
  if (main) return [branch, ...others];
  return known ? tree.map((each) => (each === known ? branch : each)) : [...tree, branch];
}

/** Return the tree without the last move of a line and what follows it. */
export function withoutLine(tree: readonly Branch[], line: readonly string[]): readonly Branch[] {
  const [move, ...rest] = line;
  if (!rest.length) return tree.filter((branch) => branch.move !== move);
  return tree.map((branch) => (branch.move === move ? { ...branch, next: withoutLine(branch.next, rest) } : branch));
}

/** The variations in a tree: every line to an end that leaves the moves of the game, without those of the opponent. */
export function variationsOf(
  tree: readonly Branch[],
  moves: readonly string[],
  others: readonly (readonly string[])[],
): Variation[] {
  const found: Variation[] = [];
  const visit = (branches: readonly Branch[], line: readonly string[]): void => {
    for (const { move, next } of branches) {
      const longer = [...line, move];
      if (next.length) visit(next, longer);
      else if (!isPrefix(longer, moves) && !others.some((other) => isPrefix(longer, other))) {
        const ply = longer.findIndex((each, n) => each !== moves[n]);
        found.push({ ply, moves: longer.slice(ply) });
      }
    }
  };
  visit(tree, []);
  return found;
}
