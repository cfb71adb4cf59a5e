// What the prompt says about the time for the first move.
import assert from "node:assert/strict";
import { test } from "node:test";
import { firstMoveWarning } from "../../../client/web/src/format/prompt.ts";
import type { View } from "../../../client/web/src/state/table.ts";

const RECEIVED_AT = 1_000_000;

function warningAfter(passed: number, abortIn: number | null, tournament: string | null = null): string {
  const presence = { t: "presence", room: "room", online: [true, true], abort_in: abortIn };
  const view = { replica: { room: { tournament } }, presence, presenceReceivedAt: RECEIVED_AT };
  return firstMoveWarning(view as unknown as View, RECEIVED_AT + passed);
}

test("the warning comes in the last half minute, in steps of ten seconds", () => {
  assert.equal(warningAfter(29_999, 60_000), "");
  assert.equal(warningAfter(30_000, 60_000), "Make your first move within 30 seconds, or the game is aborted.");
  assert.equal(warningAfter(45_000, 60_000), "Make your first move within 20 seconds, or the game is aborted.");
  assert.equal(warningAfter(70_000, 60_000), "Make your first move within 10 seconds, or the game is aborted.");
});

test("in a tournament the player loses instead", () => {
  assert.equal(warningAfter(45_000, 60_000, "cup"), "Make your first move within 20 seconds, or you lose the game.");
});

test("a game that is not aborted has no warning", () => {
  assert.equal(warningAfter(70_000, null), "");
});
