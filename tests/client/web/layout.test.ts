// The layout editor follows the option's specification, for any game.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BoardSpec, LayoutPiece, LayoutSpec } from "../../../client/web/sdk/index.ts";
import {
  allowedCells,
  blankCells,
  cellsFromScene,
  countPlaced,
  formatLayout,
  layoutScene,
  parseLayout,
  place,
} from "../../../client/web/src/state/layout.ts";

// 4 columns, 3 rows. The corners are walls in every layout, and a king stands on b2.
const TOWER: LayoutPiece = { symbol: "T", name: "tower", glyph: 0, cells: [1, 2, 4, 6, 7, 9, 10], high: 3 };
const WALL: LayoutPiece = { symbol: "#", name: "wall", glyph: 1, cells: [1, 2, 9, 10], high: 1 };
const SPEC: LayoutSpec = {
  columns: 4,
  rows: 3,
  blank: "#--#/-K--/#--#",
  pieces: [TOWER, WALL],
  fixed: [[5, 2]],
};
const BOARD = { columns: 4, rows: 3, seats: [{}, {}] } as BoardSpec;
const BLANK = blankCells(SPEC);

test("a layout and its text are equivalent", () => {
  const cells = place(SPEC, BLANK, 6, TOWER, "none");
  assert.equal(formatLayout(SPEC, cells), "#--#/-KT-/#--#");
  assert.deepEqual(parseLayout(SPEC, "#--#/-KT-/#--#"), cells);
  assert.deepEqual(parseLayout(SPEC, " #--#\n-KT-\n#--#\n"), cells);
});

test("a text with the wrong size or symbols is rejected", () => {
  for (const text of [
    "",
    "default",
    "#--#/-K--",
    "#--#/-K-/#--#",
    "#--#/?K--/#--#",
    "T--#/-K--/#--#",
    "#--#/#K--/#--#",
  ])
    assert.equal(parseLayout(SPEC, text), null, text);
});

test("only placed pieces are counted", () => {
  assert.equal(countPlaced(SPEC, BLANK, WALL), 0);
  assert.equal(countPlaced(SPEC, place(SPEC, BLANK, 1, WALL, "none"), WALL), 1);
});

test("a piece goes only where the specification allows it", () => {
  assert.deepEqual(allowedCells(SPEC, WALL), [1, 2, 9, 10]);
  assert.deepEqual(allowedCells(SPEC, null), [1, 2, 4, 6, 7, 9, 10]);
  assert.deepEqual(place(SPEC, BLANK, 0, TOWER, "none"), BLANK);
  assert.deepEqual(place(SPEC, BLANK, 5, null, "turn"), BLANK);
});

test("the symmetry places a second piece, unless it is not allowed there", () => {
  assert.equal(formatLayout(SPEC, place(SPEC, BLANK, 1, TOWER, "turn")), "#-T#/-K--/#T-#");
  assert.equal(formatLayout(SPEC, place(SPEC, BLANK, 4, TOWER, "mirror")), "#--#/TK-T/#--#");
  assert.equal(formatLayout(SPEC, place(SPEC, BLANK, 6, TOWER, "turn")), "#--#/-KT-/#--#");
});

test("placing the same piece again removes it, and the eraser restores the blank cell", () => {
  assert.deepEqual(place(SPEC, place(SPEC, BLANK, 1, TOWER, "turn"), 1, TOWER, "turn"), BLANK);
  assert.deepEqual(place(SPEC, place(SPEC, BLANK, 1, TOWER, "none"), 1, null, "none"), BLANK);
});

test("another piece replaces the one on the cell", () => {
  const cells = place(SPEC, place(SPEC, BLANK, 1, TOWER, "none"), 1, WALL, "none");
  assert.equal(formatLayout(SPEC, cells), "#--#/-K--/##-#");
});

test("a layout never has more pieces than the specification allows", () => {
  const cells = place(SPEC, BLANK, 1, WALL, "none");
  assert.equal(place(SPEC, cells, 2, WALL, "none"), cells);
  assert.equal(place(SPEC, BLANK, 1, WALL, "turn"), BLANK);
});

test("the scene shows fixed and placed pieces, and can be read back", () => {
  const cells = place(SPEC, place(SPEC, BLANK, 9, TOWER, "none"), 1, WALL, "none");
  const scene = layoutScene(SPEC, cells, BOARD);
  assert.deepEqual(scene[0], [
    [1, 1],
    [5, 2],
    [9, 0],
  ]);
  assert.deepEqual(cellsFromScene(SPEC, scene), cells);
});
