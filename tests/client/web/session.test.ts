// What a session promises beyond what `parlour conform client` can see, and turns that are taken back.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Choices,
  Mirror,
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
    chairs: [{}, {}],
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
  const session = new Session("test", 100);
  const connection = session.connected(0);
  session.outgoing();
  session.receive(
    connection,
    {
      t: "welcome",
      you: { name: "x" },
      token: "secret",
      time: 0,
      games: [],
      largest: 1,
    },
    0,
  );
  return [session, connection];
}

test("what was not answered is sent again with its id, and the token goes with the next hello", () => {
  const [session] = welcomed();
  const id = session.send({ t: "join", room: "r" });
  assert.deepEqual(session.outgoing(), [{ t: "join", room: "r", id }]);
  session.disconnected();

  const connection = session.connected(1);
  const [hello] = session.outgoing();
  assert.equal(hello?.t === "hello" && hello.token, "secret");
  session.receive(
    connection,
    {
      t: "welcome",
      you: { name: "x" },
      token: "newer",
      time: 0,
      games: [],
      largest: 1,
    },
    1,
  );
  assert.deepEqual(session.outgoing(), [{ t: "join", room: "r", id }]);
});

test("a place in a queue is asked for again, with the same id, until it is paired or withdrawn", () => {
  const [session, old] = welcomed();
  const queued = { t: "queue", terms: { game: "g" } } as const;
  const ids = [session.send(queued), session.send(queued), session.send(queued)];
  ids.forEach((id, n) => session.receive(old, { t: "ok", id, seek: `seek ${n}` }, 0));
  session.receive(old, { t: "paired", room: "r", seat: 0, seek: "seek 0" }, 0);
  session.receive(old, { t: "ok", id: session.send({ t: "cancel", seek: "seek 1" }) }, 0);
  session.disconnected();

  const connection = session.connected(1);
  session.outgoing();
  session.receive(connection, { t: "welcome", you: { name: "x" }, token: "t", time: 0, games: [], largest: 1 }, 1);
  assert.deepEqual(session.outgoing(), [{ ...queued, id: ids[2] }]);
});

test("what comes late from an old connection changes nothing", () => {
  const [session, old] = welcomed();
  session.disconnected();
  session.connected(1);
  assert.equal(session.receive(old, room(), 1), false);
  assert.equal(session.rooms.size, 0);
});

test("after 25 seconds of silence a connection is dead, also when the machine has slept meanwhile", () => {
  const [session] = welcomed();
  assert.equal(session.tick(10_000), true);
  assert.deepEqual(session.outgoing(), [{ t: "ping" }]);
  assert.equal(session.tick(3_600_000), false);
});

test("pong tells of an update that was lost without a gap", () => {
  const [session, connection] = welcomed();
  session.receive(connection, room(), 0);
  session.receive(connection, { t: "pong", rooms: [["r", 1, 6]] }, 0);
  const [sync] = session.outgoing();
  assert.deepEqual(sync, { t: "sync", room: "r", epoch: 1, seq: 5, id: 100 });
});

test("a room that comes with a wrong hash again is not asked for in a circle", () => {
  const [session, connection] = welcomed();
  session.receive(connection, room({ hash: 1 }), 0);
  assert.equal(session.outgoing().length, 1);
  session.receive(connection, room({ hash: 1, id: 100 }), 0);
  assert.equal(session.outgoing().length, 0);
});

test("a move sets the clock of the one who moved and ends all offers", () => {
  const mirror = new Mirror(room({ offers: ["0:draw"] }));
  const after: Scene = [[[0, 1]], [[1], [1]], 1, [], ""];
  const verdict = mirror.take({
    t: "moved",
    room: "r",
    epoch: 1,
    seq: 6,
    hash: sceneHash(after),
    move: "c",
    clock: 59_000,
    change: [[], [], 1, [], ""],
  });
  assert.equal(verdict, "applied");
  assert.deepEqual(mirror.clocks, [
    [59_000, 0],
    [50_000, 0],
  ]);
  assert.deepEqual([mirror.offers.size, mirror.moves, mirror.running], [0, ["a", "b", "c"], 1]);
});

test("when seats are swapped, the own one is the other one", () => {
  const mirror = new Mirror(room({ seat: 0 }));
  mirror.take({
    t: "happened",
    room: "r",
    epoch: 1,
    seq: 6,
    hash: sceneHash(SCENE),
    what: "swapped",
  });
  assert.equal(mirror.seat, 1);
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

test("a turn goes forward and back, and never changes by itself", () => {
  const begun = Turn.begin(CHOICES);
  const half = begun.pick(7);
  assert.deepEqual([half.prompt, half.complete, half.look], ["second", false, [[[0]], [], 0, [], ""]]);
  assert.deepEqual([half.pick(9).complete, half.pick(9).picks, half.picks], [true, [7, 9], [7]]);
  assert.deepEqual(half.pick(9).back().offered, half.offered);
  assert.deepEqual(half.back().prompt, "first");
  assert.throws(() => half.pick(7));
});

test("a cut is explored, and an answer about other picks is ignored", () => {
  const cut = Turn.begin(CHOICES).pick(5);
  assert.equal(cut.unexplored, true);
  assert.equal(cut.explored({ ...CHOICES, picks: [7] }), cut);
  const on = cut.explored({ ...CHOICES, picks: [5], step: [1, [2], null] });
  assert.deepEqual([on.unexplored, on.prompt, on.pick(2).complete], [false, "second", true]);
});
