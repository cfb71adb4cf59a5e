// What this browser remembers. Settings of one tab reach the others at once.
import { Signal } from "./signal.ts";

export interface Settings {
  look: "system" | "day" | "lamp";
  sound: boolean;
  volume: number; // 0 to 1
  motion: boolean;
  coordinates: boolean; // around the board
  numbers: boolean; // in the cells of a track
  confirm: boolean; // ask before a turn is sent
}

const DEFAULTS: Settings = {
  look: "system",
  sound: true,
  volume: 0.4,
  motion: true,
  coordinates: true,
  numbers: true,
  confirm: false,
};
const KEY = "parlour.settings";

export const settings = new Signal<Settings>({ ...DEFAULTS, ...(recall(KEY) as Partial<Settings> | null) });

export function change(changed: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changed };
  remember(KEY, settings.value);
}

/** A value that this browser keeps; null: it has none, or keeps nothing at all. */
export function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing is served all the same.
  }
}

function dress(): void {
  const { look, motion, coordinates } = settings.value;
  const dark = look === "lamp" || (look === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.documentElement;
  root.classList.toggle("lamp", dark);
  root.classList.toggle("still", !motion);
  root.classList.toggle("bare", !coordinates);
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", getComputedStyle(root).getPropertyValue("--bg").trim());
}

/** Whether it is dark now. */
export function isLamplight(): boolean {
  return document.documentElement.classList.contains("lamp");
}

/** Put the settings on, now and whenever they or the system change. */
export function wear(): void {
  dress();
  settings.watch(dress);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
  addEventListener("storage", ({ key }) => {
    if (key === KEY) settings.value = { ...DEFAULTS, ...(recall(KEY) as Partial<Settings> | null) };
  });
}
