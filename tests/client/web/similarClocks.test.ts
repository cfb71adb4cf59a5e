// Which clocks are similar enough to offer a waiting player.
import assert from "node:assert/strict";
import { test } from "node:test";
import { areSimilar } from "../../../client/web/src/format/similarClocks.ts";

const fischer = (minutes: number, seconds: number): object => ({
  kind: "fischer",
  main: minutes * 60_000,
  step: seconds * 1000,
});

test("games of up to twice the length are similar", () => {
  assert.ok(areSimilar(fischer(10, 5), fischer(15, 10)));
  assert.ok(areSimilar(fischer(5, 3), fischer(10, 0)));
  assert.ok(!areSimilar(fischer(5, 3), fischer(15, 10)));
  assert.ok(!areSimilar(fischer(10, 5), { kind: "days", main: 86_400_000 }));
});

test("a game without a clock is like no other", () => {
  assert.ok(areSimilar({}, {}));
  assert.ok(areSimilar(undefined, { kind: "none" }));
  assert.ok(!areSimilar({}, fischer(10, 5)));
});
