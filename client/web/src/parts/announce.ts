// What screen readers say without anybody asking: one region for the page, politely.
import { Signal } from "../state/signal.ts";

export const announced = new Signal("");

export function announce(words: string): void {
  // The same words twice would not be read twice.
  announced.value = announced.value === words ? `${words}\u00a0` : words;
}
