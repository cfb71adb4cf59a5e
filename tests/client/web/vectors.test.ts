// The SDK against the published examples: messages, scenes, choices and whole games.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decode, encode } from "../../../client/web/sdk/msgpack.ts";
import {
  type Choices,
  type Moved,
  patch,
  type Scene,
  type SceneDiff,
  sceneHash,
  Turn,
} from "../../../client/web/sdk/index.ts";

const VECTORS = join(import.meta.dirname, "../../../protocol/vectors");

const read = <T>(name: string): T => JSON.parse(readFileSync(join(VECTORS, name), "utf8")) as T;
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (data: Uint8Array): string => Buffer.from(data).toString("hex");

test("every message is read from its bytes, and what is written is read as the same", () => {
  for (const { name, json, msgpack } of read<{ name: string; json: unknown; msgpack: string }[]>("messages.json")) {
    assert.deepEqual(decode(bytes(msgpack)), json, name);
    assert.deepEqual(decode(encode(json)), json, name);
  }
});

test("the bytes of a scene are the canonical ones, and so is their hash", () => {
  const { scenes } = read<{
    scenes: { name: string; scene: Scene; canonical: string; hash: number }[];
  }>("scenes.json");
  for (const { name, scene, canonical, hash } of scenes) {
    assert.equal(hex(encode(scene)), canonical, name);
    assert.equal(sceneHash(scene), hash, name);
  }
});

test("a change makes the next scene and leaves the old one as it was", () => {
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
  test(`a whole match can be followed: ${file}`, () => {
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

test("a walk through choices finds every complete turn and every cut", () => {
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

test("bytes that are no message are refused, whatever they are", () => {
  for (const wrong of ["", "92", "c1", "a5aa", "dd7fffffff", "81a174", "c000", "a1ff"]) {
    assert.throws(() => decode(bytes(wrong)), wrong);
  }
});
