// The players that this browser's user follows, by name.
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";

const KEY = "parlour.following";

export const following = new Signal<readonly string[]>((loadStored(KEY) as string[] | null) ?? []);

export function setFollowing(name: string, on: boolean): void {
  const others = following.value.filter((each) => each !== name);
  following.value = on ? [...others, name] : others;
  saveStored(KEY, following.value);
}
