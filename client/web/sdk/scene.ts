// Scenes: what is on the board, how a change makes the next one, and the hash by which both sides compare them.
import { encode } from "./msgpack.ts";
import type { BoardSpec, Scene, SceneDiff, Stack } from "./protocol.ts";

/** The scene that a change makes of an old one. Throws if the change is about a seat that is not there. */
export function patch(old: Scene, change: SceneDiff): Scene {
  const stacks = new Map<number, Stack>(old[0].map((stack) => [stack[0]!, stack]));
  for (const stack of change[0]) {
    if (stack.length > 1) stacks.set(stack[0]!, stack);
    else stacks.delete(stack[0]!);
  }
  const tallies = [...old[1]];
  for (const [seat, ...numbers] of change[1]) {
    if (seat === undefined || !(seat in tallies)) throw new RangeError("a change of a seat that is not there");
    tallies[seat] = numbers;
  }
  const pieces = [...stacks.values()].sort((one, other) => one[0]! - other[0]!);
  return [pieces, tallies, change[2], change[3], change[4]];
}

/** CRC-32 of the canonical bytes. */
export function sceneHash(scene: Scene): number {
  return crc32(encode(scene.slice(0, 5)));
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

/** How many cells a board has. Places from there on are slots of its zones. */
export function cellsOf(board: BoardSpec): number {
  return board.columns * board.rows;
}

/** `c4` for a cell, the title of the slot for any other place. */
export function placeName(board: BoardSpec, place: number): string {
  if (place < cellsOf(board)) {
    return String.fromCharCode(97 + (place % board.columns)) + (Math.floor(place / board.columns) + 1);
  }
  let rest = place - cellsOf(board);
  for (const zone of board.zones ?? []) {
    const slot = zone.slots[rest];
    if (slot !== undefined) return slot;
    rest -= zone.slots.length;
  }
  return "?";
}

/** The line under a seat's name: `28 = 19 discs + 9 bonus`. */
export function tallyOf(board: BoardSpec, scene: Scene, seat: number): string {
  return board.tally.replace(/\{(\d+)\}/g, (_, n: string) => String(scene[1][seat]?.[Number(n)] ?? 0));
}
