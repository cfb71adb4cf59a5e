// The player's last choices for a new game, kept between visits.
import type { Opponent } from "./matchmaking.ts";
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";

export interface Preferences {
  game: string;
  opponent: Opponent;
  timeControl: string;
  /** Against a bot: a newcomer needs time to read the rules. */
  botTimeControl: string;
  rated: boolean;
  level: string;
}

const KEY = "parlour.preferences";
const DEFAULTS: Preferences = {
  game: "",
  opponent: "anyone",
  timeControl: "10+5",
  botTimeControl: "none",
  rated: false,
  level: "1",
};

export const preferences = new Signal<Preferences>({
  ...DEFAULTS,
  ...(loadStored(KEY) as Partial<Preferences> | null),
});

export function changePreferences(changed: Partial<Preferences>): void {
  preferences.value = { ...preferences.value, ...changed };
  saveStored(KEY, preferences.value);
}
