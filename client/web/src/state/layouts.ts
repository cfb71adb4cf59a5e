// Boards that were drawn in this browser.
import { recall, remember } from "./settings.ts";
import { Signal } from "./signal.ts";

export interface Layout {
  name: string;
  /** The rows from the top, joined by slashes, as the server takes them. */
  rows: string;
}

const KEY = "parlour.layouts";
const MOST = 40;

export const layouts = new Signal<readonly Layout[]>((recall(KEY) as Layout[] | null) ?? []);

/** Keep a board under its name; the one that had the name is replaced. */
export function keep(layout: Layout): void {
  layouts.value = [layout, ...layouts.value.filter(({ name }) => name !== layout.name)].slice(0, MOST);
  remember(KEY, layouts.value);
}

export function discard(name: string): void {
  layouts.value = layouts.value.filter((layout) => layout.name !== name);
  remember(KEY, layouts.value);
}
