// The outcome of a game in words, for the one who reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoomReplica } from "../../../client/web/sdk/index.ts";
import { outcome } from "../../../client/web/src/format/outcome.ts";

const ABORTED = { winner: null, reason: "aborted" };

function title(reader: number | null, changed: object): string {
  const players = [{ player: { name: "Ann" } }, { player: { name: "Bob" } }];
  const room = { board: { seats: [] }, tournament: null };
  const replica = { players, room, moves: [], result: ABORTED, ...changed } as unknown as RoomReplica;
  const { title, reason } = outcome(replica, undefined, reader);
  return `${title}: ${reason}`;
}

test("a game that was not begun is aborted", () => {
  assert.equal(title(0, {}), "Game aborted: Aborted before both sides had moved.");
});

test("in a tournament, the player who did not begin has lost", () => {
  const room = { board: { seats: [] }, tournament: "cup" };
  assert.equal(title(0, { room }), "You lost: You did not make your first move in time.");
  assert.equal(title(1, { room }), "You won: Ann did not make the first move in time.");
  assert.equal(title(0, { room, moves: ["a1"] }), "You won: Bob did not make the first move in time.");
  assert.equal(title(null, { room, moves: ["a1"] }), "Ann won: Bob did not make the first move in time.");
});

test("a game of a tournament that an operator aborts later has no winner", () => {
  const room = { board: { seats: [] }, tournament: "cup" };
  assert.equal(title(0, { room, moves: ["a1", "b1"] }), "Game aborted: Aborted before both sides had moved.");
});
