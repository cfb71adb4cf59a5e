// Scenes: the contents of a board, the diff from one scene to the next, and the hash that both sides compare.
import { encode } from "./msgpack.ts";
import type { BoardSpec, MarkedPlaces, Scene, SceneDiff, Stack } from "./protocol.ts";

// A scene travels as an array. These names keep its indices out of the rest of the code.

/** The pieces on each occupied place, in rising order of places. */
export const stacksOf = ([stacks]: Scene): Stack[] => stacks;
/** The numbers of each seat, for `BoardSpec.tally`. */
export const talliesOf = ([, tallies]: Scene): number[][] => tallies;
/** The seat to move, or null when the game is over. */
export const seatToMove = ([, , seat]: Scene): number | null => seat;
/** What to point out on the board. */
export const marksOf = ([, , , marks]: Scene): MarkedPlaces[] => marks;
/** A sentence for both players, such as "White had no move.", or an empty string. */
export const noteOf = ([, , , , note]: Scene): string => note;

/** Return the scene after a diff. Throws if the diff names a seat that does not exist. */
export function patch(scene: Scene, [changedStacks, changedTallies, toMove, marks, note]: SceneDiff): Scene {
  const stacks = new Map<number, Stack>(stacksOf(scene).map((stack) => [stack[0]!, stack]));
  for (const stack of changedStacks) {
    if (stack.length > 1) stacks.set(stack[0]!, stack);
    else stacks.delete(stack[0]!);
  }
  const tallies = [...talliesOf(scene)];
  for (const [seat, ...numbers] of changedTallies) {
    if (seat === undefined || !(seat in tallies)) throw new RangeError("the diff names a seat that does not exist");
    tallies[seat] = numbers;
  }
  const sorted = [...stacks.values()].sort((one, other) => one[0]! - other[0]!);
  return [sorted, tallies, toMove, marks, note];
}

/** The CRC-32 of the scene's canonical bytes. */
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

/** The number of cells on a board. Higher places are the slots of its zones. */
export function cellsOf(board: BoardSpec): number {
  return board.columns * board.rows;
}

/** `c4` for a cell, and the slot's title for any other place. */
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

/** The line under a seat's name: `28 = discs 19 + bonus 9`. */
export function tallyText(board: BoardSpec, scene: Scene, seat: number): string {
  const numbers = talliesOf(scene)[seat] ?? [];
  return board.tally.replace(/\{(\d+)\}/g, (_, n: string) => String(numbers[Number(n)] ?? 0));
}
