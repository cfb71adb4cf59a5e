// Trees of variations: how lines are added, removed, and stored with a game.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Branch, variationsOf, withLine, withoutLine } from "../../../client/web/src/state/variations.ts";

const GAME = ["a", "b", "c"];
const LINES = [
  ["a", "x"],
  ["a", "b", "y", "z"],
  ["a", "b", "y", "w"],
];
const TREE = LINES.reduce<readonly Branch[]>((tree, line) => withLine(tree, line), withLine([], GAME, true));

test("the variations of a tree rebuild it", () => {
  const variations = variationsOf(TREE, GAME, []);
  assert.deepEqual(variations, [
    { ply: 2, moves: ["y", "z"] },
    { ply: 2, moves: ["y", "w"] },
    { ply: 1, moves: ["x"] },
  ]);
  const lines = variations.map(({ ply, moves }) => [...GAME.slice(0, ply), ...moves]);
  assert.deepEqual(
    lines.reduce<readonly Branch[]>((tree, line) => withLine(tree, line), withLine([], GAME, true)),
    TREE,
  );
});

test("the lines of the opponent are not stored again", () => {
  assert.deepEqual(variationsOf(TREE, GAME, [["a", "x", "v"]]).length, 2);
});

test("a line that is known changes nothing, and a removed one takes what follows with it", () => {
  assert.equal(withLine(TREE, ["a", "b", "y"]), TREE);
  assert.deepEqual(variationsOf(withoutLine(TREE, ["a", "b", "y"]), GAME, []), [{ ply: 1, moves: ["x"] }]);
});
