// Session behaviour that `parlour conform client` cannot observe, room replicas, and turns in progress.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Choices,
  RoomReplica,
  type Room,
  type Scene,
  sceneHash,
  Session,
  Turn,
} from "../../../client/web/sdk/index.ts";

const SCENE: Scene = [[[0, 1]], [[1], [1]], 0, [], ""];

function room(changed: Partial<Room> = {}): Room {
  return {
    t: "room",
    room: "r",
    epoch: 1,
    seq: 5,
    hash: sceneHash(SCENE),
    scene: SCENE,
    players: [{ player: { name: "Ada" } }, { player: { name: "Ben" } }],
    status: "playing",
    moves: ["a", "b"],
    board: {
      game: "g",
      columns: 2,
      rows: 2,
      surface: "felt",
      seats: [],
      glyphs: [],
      tally: "",
    },
    terms: { game: "g" },
    clocks: [
      [60_000, 0],
      [50_000, 0],
    ],
    ...changed,
  };
}

function welcomed(): [Session, number] {
  const session = new Session("test");
  const connection = session.connected(0);
  session.outgoing();
  session.receive(
    connection,
    {
      t: "welcome",
      you: { name: "x" },
      token: "secret",
      session: "s",
      time: 0,
      games: [],
      max_message_size: 1,
    },
    0,
  );
  return [session, connection];
}

test("an unanswered command is sent again with its id, and the next hello has the token and the session", () => {
  const [session] = welcomed();
  const id = session.send({ t: "join", room: "r" });
  assert.deepEqual(session.outgoing(), [{ t: "join", room: "r", id }]);
  session.disconnected();

  const connection = session.connected(1);
  const [hello] = session.outgoing();
  assert.equal(hello?.t === "hello" && hello.token, "secret");
  assert.equal(hello?.t === "hello" && hello.session, "s");
  session.receive(
    connection,
    {
      t: "welcome",
      you: { name: "x" },
      token: "newer",
      session: "s",
      time: 0,
      games: [],
      max_message_size: 1,
    },
    1,
  );
  assert.deepEqual(session.outgoing(), [{ t: "join", room: "r", id }]);
});

test("a queue command is repeated with the same id until it is paired or withdrawn", () => {
  const [session, old] = welcomed();
  const queued = { t: "queue", terms: { game: "g" } } as const;
  const ids = [session.send(queued), session.send(queued), session.send(queued)];
  ids.forEach((id, n) => session.receive(old, { t: "ok", id, seek: `seek ${n}` }, 0));
  session.receive(old, { t: "paired", room: "r", seat: 0, seek: "seek 0" }, 0);
  session.receive(old, { t: "ok", id: session.send({ t: "cancel", seek: "seek 1" }) }, 0);
  session.disconnected();

  const connection = session.connected(1);
  session.outgoing();
  session.receive(
    connection,
    { t: "welcome", you: { name: "x" }, token: "t", session: "s", time: 0, games: [], max_message_size: 1 },
    1,
  );
  assert.deepEqual(session.outgoing(), [{ ...queued, id: ids[2] }]);
});

test("a late message from an old connection changes nothing", () => {
  const [session, old] = welcomed();
  session.disconnected();
  session.connected(1);
  assert.equal(session.receive(old, room(), 1), false);
  assert.equal(session.rooms.size, 0);
});

test("a connection is dead after 25 seconds of silence, even if the machine was asleep", () => {
  const [session] = welcomed();
  assert.equal(session.tick(10_000), true);
  assert.deepEqual(session.outgoing(), [{ t: "ping" }]);
  assert.equal(session.tick(3_600_000), false);
});

test("a pong reveals the loss of the last update", () => {
  const [session, connection] = welcomed();
  session.receive(connection, room(), 0);
  session.receive(connection, { t: "pong", rooms: [["r", 1, 6]] }, 0);
  const [sync] = session.outgoing();
  assert.deepEqual(sync, { t: "sync", room: "r", epoch: 1, seq: 5, id: 1 });
});

test("a room that arrives with a wrong hash twice is not requested again", () => {
  const [session, connection] = welcomed();
  session.receive(connection, room({ hash: 1 }), 0);
  assert.equal(session.outgoing().length, 1);
  session.receive(connection, room({ hash: 1, id: 1 }), 0);
  assert.equal(session.outgoing().length, 0);
});

test("a move sets the mover's clock and ends all offers", () => {
  const replica = new RoomReplica(room({ offers: ["0:draw"] }));
  const after: Scene = [[[0, 1]], [[1], [1]], 1, [], ""];
  const result = replica.apply({
    t: "moved",
    room: "r",
    epoch: 1,
    seq: 6,
    hash: sceneHash(after),
    move: "c",
    clock: 59_000,
    change: [[], [], 1, [], ""],
  });
  assert.equal(result, "applied");
  assert.deepEqual(replica.clocks, [
    [59_000, 0],
    [50_000, 0],
  ]);
  assert.deepEqual([replica.offers.size, replica.moves, replica.running], [0, ["a", "b", "c"], 1]);
});

test("swapping seats changes the player's own seat", () => {
  const replica = new RoomReplica(room({ seat: 0 }));
  replica.apply({
    t: "event",
    room: "r",
    epoch: 1,
    seq: 6,
    hash: sceneHash(SCENE),
    kind: "swapped",
  });
  assert.equal(replica.seat, 1);
});

const CHOICES: Choices = {
  t: "choices",
  room: "r",
  ply: 2,
  prompts: ["first", "second"],
  step: [
    0,
    [
      [7, "", "", null, [1, [8, 9], [[[0]], [], 0, [], ""]], false],
      [5, "+1", "", 3, null, true],
    ],
    null,
  ],
};

test("a turn can be extended and undone, and is immutable", () => {
  const begun = Turn.begin(CHOICES);
  const half = begun.pick(7);
  assert.deepEqual([half.prompt, half.complete, half.look], ["second", false, [[[0]], [], 0, [], ""]]);
  assert.deepEqual([half.pick(9).complete, half.pick(9).picks, half.picks], [true, [7, 9], [7]]);
  assert.deepEqual(half.pick(9).back().offered, half.offered);
  assert.deepEqual(half.back().prompt, "first");
  assert.throws(() => half.pick(7));
});

test("truncated choices are explored, and an answer for other picks is ignored", () => {
  const cut = Turn.begin(CHOICES).pick(5);
  assert.equal(cut.unexplored, true);
  assert.equal(cut.explored({ ...CHOICES, picks: [7] }), cut);
  const on = cut.explored({ ...CHOICES, picks: [5], step: [1, [2], null] });
  assert.deepEqual([on.unexplored, on.prompt, on.pick(2).complete], [false, "second", true]);
});
