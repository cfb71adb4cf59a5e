// What became of offers, in words for the reader.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoomEvent, RoomReplica } from "../../../client/web/sdk/index.ts";
import { lapsedNotice, offerNotice } from "../../../client/web/src/format/offers.ts";

function replica(changed: Partial<RoomReplica> = {}): RoomReplica {
  const players = [{ player: { name: "Ann" } }, { player: { name: "Bob" } }];
  const room = { board: { seats: [] } };
  return { seat: 0, players, room, offers: new Set(), result: null, next: null, ...changed } as unknown as RoomReplica;
}

const told = (kind: string, seat: number): string =>
  offerNotice(replica(), { t: "event", kind, seat, offer: "draw" } as unknown as RoomEvent);

test("an offer is reported when it is sent, declined or withdrawn", () => {
  assert.equal(told("offered", 0), "Your draw offer was sent.");
  assert.equal(told("offered", 1), ""); // the prompt asks for an answer
  assert.equal(told("declined", 0), "You declined the draw offer.");
  assert.equal(told("declined", 1), "Bob declined your draw offer.");
  assert.equal(told("withdrawn", 1), "Bob withdrew the draw offer.");
});

test("an offer that a move or the end of the game closes is reported", () => {
  const before = new Set(["0:draw", "1:takeback"]);
  const both = "Your draw offer is no longer open. Bob’s request to take back a turn is no longer open.";
  assert.equal(lapsedNotice(replica(), before), both);
  assert.equal(lapsedNotice(replica({ offers: before }), before), "");
  assert.equal(lapsedNotice(replica({ seat: null }), before), "");
});

test("an offer that was accepted is not reported as closed", () => {
  const agreed = { winner: null, reason: "agreed" };
  assert.equal(lapsedNotice(replica({ result: agreed }), new Set(["0:draw"])), "");
  assert.equal(lapsedNotice(replica({ next: "room" }), new Set(["0:rematch"])), "");
});
