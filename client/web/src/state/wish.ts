// What somebody likes to play, remembered from visit to visit.
import { recall, remember } from "./settings.ts";
import type { Against } from "./quick.ts";
import { Signal } from "./signal.ts";

export interface Wish {
  game: string;
  against: Against;
  pace: string;
  rated: boolean;
  level: string;
}

const KEY = "parlour.wish";
const FIRST: Wish = { game: "", against: "anyone", pace: "10+5", rated: false, level: "" };

export const wish = new Signal<Wish>({ ...FIRST, ...(recall(KEY) as Partial<Wish> | null) });

export function choose(changed: Partial<Wish>): void {
  wish.value = { ...wish.value, ...changed };
  remember(KEY, wish.value);
}
