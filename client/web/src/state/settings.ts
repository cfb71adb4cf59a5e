// Settings of this browser. A change in one tab reaches the others at once.
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";

export interface Settings {
  theme: "system" | "light" | "dark";
  sound: boolean;
  volume: number; // 0 to 1
  motion: boolean;
  coordinates: boolean; // around the board
  numbers: boolean; // in the cells of a score track
  confirm: boolean; // ask before a turn is sent
}

const DEFAULTS: Settings = {
  theme: "system",
  sound: true,
  volume: 0.4,
  motion: true,
  coordinates: true,
  numbers: true,
  confirm: false,
};
const KEY = "parlour.settings";

const load = (): Settings => ({ ...DEFAULTS, ...(loadStored(KEY) as Partial<Settings> | null) });

export const settings = new Signal<Settings>(load());

export function changeSettings(changed: Partial<Settings>): void {
  settings.value = { ...settings.value, ...changed };
  saveStored(KEY, settings.value);
}

/** Whether the page is dark now, by the setting or by the system's theme. */
export function isDark(): boolean {
  return document.documentElement.classList.contains("dark");
}

/** Apply the settings to the page, now and whenever they or the system's theme change. */
export function applySettings(): void {
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const apply = (): void => {
    const { theme, motion, coordinates } = settings.value;
    const root = document.documentElement;
    root.classList.toggle("dark", theme === "dark" || (theme === "system" && systemDark.matches));
    root.classList.toggle("no-motion", !motion);
    root.classList.toggle("no-coordinates", !coordinates);
    document
      .querySelector('meta[name="theme-color"]')
      ?.setAttribute("content", getComputedStyle(root).getPropertyValue("--bg").trim());
  };
  apply();
  settings.watch(apply);
  systemDark.addEventListener("change", apply);
  addEventListener("storage", ({ key }) => {
    if (key === KEY) settings.value = load();
  });
}
