// Layouts that were drawn in this browser.
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";

export interface SavedLayout {
  game: string;
  /** The key of the game's option. */
  option: string;
  name: string;
  /** The layout as text, as the server accepts it. */
  text: string;
}

const KEY = "parlour.layouts";
const LIMIT = 40;

export const savedLayouts = new Signal<readonly SavedLayout[]>((loadStored(KEY) as SavedLayout[] | null) ?? []);

/** The saved layouts for one option of a game. */
export function layoutsFor(all: readonly SavedLayout[], game: string, option: string): SavedLayout[] {
  return all.filter((layout) => layout.game === game && layout.option === option);
}

/** Save a layout. It replaces one with the same name for the same option. */
export function saveLayout(layout: SavedLayout): void {
  store([layout, ...savedLayouts.value.filter((other) => !sameLayout(other, layout))].slice(0, LIMIT));
}

export function deleteLayout(layout: SavedLayout): void {
  store(savedLayouts.value.filter((other) => !sameLayout(other, layout)));
}

function sameLayout(one: SavedLayout, other: SavedLayout): boolean {
  return one.game === other.game && one.option === other.option && one.name === other.name;
}

function store(layouts: readonly SavedLayout[]): void {
  savedLayouts.value = layouts;
  saveStored(KEY, layouts);
}
