// A turn under construction, kept for this tab so that it survives a reload.
import type { Turn } from "../../sdk/index.ts";

const KEY = "parlour.turn";

export function saveTurn(room: string, turn: Turn): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ room, ply: turn.ply, picks: turn.picks }));
  } catch {
    // Without storage the turn lasts until the page is reloaded.
  }
}

/** The picks that were made in this turn before the page was reloaded. */
export function savedPicks(room: string, ply: number): readonly number[] {
  try {
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as { room?: string; ply?: number; picks?: unknown };
    const { picks } = saved;
    return saved.room === room && saved.ply === ply && Array.isArray(picks) ? (picks as number[]) : [];
  } catch {
    return [];
  }
}
