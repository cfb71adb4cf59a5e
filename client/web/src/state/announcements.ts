// Announcements for screen readers: one polite live region for the whole page.
import { Signal } from "./signal.ts";

export const announcement = new Signal("");

export function announce(text: string): void {
  // Screen readers skip a text that does not change.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}
