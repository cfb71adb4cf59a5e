// A Mapello board that is being drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BARE,
  type Cells,
  cellsOf,
  countOf,
  mayHold,
  MOST,
  put,
  rowsOf,
} from "../../../client/web/src/state/drawing.ts";

const at = (name: string): number => (Number(name.slice(1)) - 1) * 10 + name.charCodeAt(0) - 97;

test("a board and its text are the same", () => {
  const drawn = put(put(BARE, at("c3"), "#", "none"), at("a5"), "J", "none");
  assert.equal(rowsOf(drawn).split("/")[7]?.[2], "#");
  assert.deepEqual(cellsOf(rowsOf(drawn)), drawn);
  assert.deepEqual(cellsOf(rowsOf(drawn).replaceAll("/", "\n")), drawn);
});

test("what is no board is none", () => {
  for (const text of [
    "",
    "default",
    rowsOf(BARE).slice(1),
    rowsOf(BARE).replace(".", "?"),
    `${rowsOf(BARE)}/##########`,
  ]) {
    assert.equal(cellsOf(text), null);
  }
});

test("things go where they may", () => {
  assert.deepEqual(
    ["c3", "a5", "e5"].map((name) => mayHold(at(name), "#")),
    [true, false, false],
  );
  assert.deepEqual(
    ["c3", "a5", "e5"].map((name) => mayHold(at(name), "J")),
    [false, true, false],
  );
  assert.deepEqual(
    ["c3", "a5", "e5"].map((name) => mayHold(at(name), ".")),
    [true, true, false],
  );
});

test("both sides are alike if that is wanted", () => {
  assert.equal(put(BARE, at("c3"), "*", "turn")[at("h8")], "*");
  assert.equal(put(BARE, at("c3"), "*", "mirror")[at("h3")], "*");
  assert.equal(countOf(put(BARE, at("c3"), "*", "none"), "*"), 1);
});

test("the same thing twice is taken away", () => {
  assert.deepEqual(put(put(BARE, at("c3"), "#", "turn"), at("c3"), "#", "turn"), BARE);
  assert.deepEqual(put(put(BARE, at("a5"), "J", "none"), at("a5"), ".", "none"), BARE);
});

test("there are never too many", () => {
  let cells: Cells = BARE;
  for (let n = 0; n < MOST; n++) cells = put(cells, at("b2") + n, "#", "none");
  assert.equal(countOf(cells, "#"), MOST);
  assert.equal(put(cells, at("b3"), "#", "none"), cells);
});
