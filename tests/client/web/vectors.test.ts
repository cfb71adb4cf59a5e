// The SDK against the published vectors: messages, scenes, choices, clocks, sessions and whole games.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decode, encode } from "../../../client/web/sdk/msgpack.ts";
import {
  type Choices,
  type ClientMessage,
  type Clock,
  type Moved,
  patch,
  addressesToTry,
  openTimeout,
  reconnectDelay,
  type Request,
  type Scene,
  type SceneDiff,
  sceneHash,
  type ServerMessage,
  Session,
  type TimeLeft,
  timeLeft,
  Turn,
  turnLimit,
  type Urgency,
} from "../../../client/web/sdk/index.ts";

const VECTORS = join(import.meta.dirname, "../../../protocol/vectors");

const read = <T>(name: string): T => JSON.parse(readFileSync(join(VECTORS, name), "utf8")) as T;
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");

test("every message decodes from its bytes and survives a round trip", () => {
  for (const { name, json, msgpack } of read<{ name: string; json: unknown; msgpack: string }[]>("messages.json")) {
    assert.deepEqual(decode(bytes(msgpack)), json, name);
    assert.deepEqual(decode(encode(json)), json, name);
  }
});

test("a scene encodes to its canonical bytes and hash", () => {
  const { scenes } = read<{
    scenes: { name: string; scene: Scene; canonical: string; hash: number }[];
  }>("scenes.json");
  for (const { name, scene, canonical, hash } of scenes) {
    assert.equal(hex(encode(scene)), canonical, name);
    assert.equal(sceneHash(scene), hash, name);
  }
});

test("a diff yields the next scene and leaves the old one unchanged", () => {
  type Patch = {
    name: string;
    old: Scene;
    change: SceneDiff;
    new: Scene;
    hash: number;
  };
  for (const { name, old, change, new: wanted, hash } of read<{
    patches: Patch[];
  }>("scenes.json").patches) {
    const before = structuredClone(old);
    assert.deepEqual(patch(old, change), wanted, name);
    assert.equal(sceneHash(patch(old, change)), hash, name);
    assert.deepEqual(old, before, name);
  }
});

for (const file of readdirSync(join(VECTORS, "games"))) {
  test(`a whole game can be followed: ${file}`, () => {
    const game = read<{
      first: Scene;
      moves: { moved: string }[];
      last: Scene;
    }>(`games/${file}`);
    let scene = game.first;
    for (const { moved } of game.moves) {
      const message = decode(bytes(moved)) as Moved;
      scene = patch(scene, message[7]);
      assert.equal(sceneHash(scene), message[4]);
    }
    assert.deepEqual(scene, game.last);
  });
}

test("a walk through choices finds every complete and every truncated turn", () => {
  type Vector = { name: string; json: Choices; complete: number; cut: number };
  for (const { name, json, complete, cut } of read<Vector[]>("choices.json")) {
    const found = { complete: 0, cut: 0 };
    const walk = (turn: Turn): void => {
      if (turn.complete) found.complete++;
      else if (turn.unexplored) found.cut++;
      else for (const { place } of turn.offered) walk(turn.pick(place));
    };
    walk(Turn.begin(json));
    assert.deepEqual(found, { complete, cut }, name);
  }
});

test("invalid bytes are refused", () => {
  for (const wrong of ["", "92", "c1", "a5aa", "dd7fffffff", "81a174", "c000", "a1ff"]) {
    assert.throws(() => decode(bytes(wrong)), wrong);
  }
});

test("every kind of clock runs down as on the server", () => {
  type Vector = { clock: Clock; left: TimeLeft; limit: number; after: { elapsed: number; left: TimeLeft }[] };
  for (const { clock, left, limit, after } of read<Vector[]>("clocks.json")) {
    assert.equal(turnLimit(clock, left), limit, clock.kind);
    for (const { elapsed, left: wanted } of after) {
      assert.deepEqual(timeLeft(clock, left, elapsed), wanted, `${clock.kind} ${left} after ${elapsed}`);
    }
  }
});

// -- sessions

type Timed = { at: number; message: ClientMessage };
type Step = { at: number } & (
  | { do: "connect"; sent: ClientMessage[] }
  | { do: "disconnect"; urgency: Urgency; hurried: boolean; sent: ClientMessage[] }
  | { do: "send"; command: Request; sent: ClientMessage[] }
  | { do: "receive"; message: ServerMessage; late: boolean; news: boolean; sent: ClientMessage[] }
  | { do: "wait"; until: number; every: number; sent: Timed[]; lost: number | null }
);

const { sessions, reconnects, attempts } = read<{
  sessions: { name: string; steps: Step[] }[];
  reconnects: { failures: number; chance: number; delays: Record<Urgency, number>; timeouts: number[] }[];
  attempts: { known: number; hurried: number; other: number }[];
}>("sessions.json");

/** Drop fields that have their default value, which a sender may omit. */
function trimmed(message: ClientMessage): unknown {
  const isDefault = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(message).filter(([, value]) => !isDefault(value)));
}

function replay(steps: Step[]): void {
  const session = new Session("vectors", null, "Ada");
  const connections = [0, 0];
  const sent = (): unknown[] => session.outgoing().map(trimmed);
  steps.forEach((step, number) => {
    const here = `step ${number}: ${step.do} at ${step.at}`;
    switch (step.do) {
      case "connect":
        connections.unshift(session.connected(step.at));
        break;
      case "disconnect":
        session.disconnected();
        assert.deepEqual([session.urgency, session.isHurried], [step.urgency, step.hurried], here);
        break;
      case "send":
        session.send(step.command);
        break;
      case "receive":
        assert.equal(session.receive(connections[step.late ? 1 : 0]!, step.message, step.at), step.news, here);
        break;
      case "wait": {
        const seen: unknown[] = [];
        let lost: number | null = null;
        for (let now = step.at; lost === null && now < step.until;) {
          now = Math.min(now + step.every, step.until);
          if (!session.tick(now)) lost = now;
          seen.push(...sent().map((message) => ({ at: now, message })));
        }
        assert.deepEqual({ sent: seen, lost }, { sent: step.sent, lost: step.lost }, here);
        return;
      }
    }
    assert.deepEqual(sent(), step.sent, here);
  });
}

for (const { name, steps } of sessions) test(`session: ${name}`, () => replay(steps));

test("reconnect delays grow up to a limit", () => {
  for (const { failures, chance, delays, timeouts } of reconnects) {
    timeouts.forEach((timeout, index) => assert.equal(openTimeout(failures, index + 1), timeout));
    for (const [urgency, delay] of Object.entries(delays)) {
      assert.ok(Math.abs(reconnectDelay(failures, chance, urgency as Urgency) - delay) < 0.01, `${failures} failures`);
    }
  }
});

test("a player tries several addresses at once", () => {
  for (const { known, hurried, other } of attempts) {
    assert.deepEqual([addressesToTry(known, true), addressesToTry(known, false)], [hurried, other]);
  }
});
