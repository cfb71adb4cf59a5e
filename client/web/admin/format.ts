// Times and decisions in words.
import type { PlayerRow } from "./api.ts";

export function moment(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** How long ago something was, in the largest unit: “12 d”. */
export function age(since: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - since) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}

/** The operators' decisions about a player; an empty text if there are none. */
export function restrictions({ suspended, muted }: PlayerRow): string {
  const parts = [];
  if (suspended) parts.push(suspended.until ? `suspended until ${moment(suspended.until)}` : "banned");
  if (muted) parts.push(muted.until ? `muted until ${moment(muted.until)}` : "muted for good");
  return parts.join(", ");
}
