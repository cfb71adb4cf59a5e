// A tournament that a player is about to create, as the form has it.
import type { CreateTournament, HostSide, Terms, TournamentFormat } from "../../sdk/index.ts";

const [SECOND, MINUTE] = [1000, 60_000];

export const HIGHEST_RATING = 4000;

export interface Draft {
  format: TournamentFormat;
  start: string;
  startTime: string;
  /** Hours from one start to the next; "0": it takes place once. */
  every: string;
  minutes: number;
  rounds: number;
  cycles: number;
  games: number;
  pause: number;
  min: number;
  max: number;
  entrants: "all" | "people" | "bots";
  /** Limits of the ratings of entrants; empty: none. */
  lowest: string;
  highest: string;
  rated: boolean;
  berserk: boolean;
  hostSide: HostSide;
  lateEntry: boolean;
  thirdPlace: boolean;
  code: string;
  teams: string;
  levels: readonly string[];
}

export const NEW: Draft = {
  format: "arena",
  start: "5",
  startTime: "",
  every: "0",
  minutes: 30,
  rounds: 0,
  cycles: 1,
  games: 1,
  pause: 10,
  min: 2,
  max: 64,
  entrants: "all",
  lowest: "",
  highest: "",
  rated: false,
  berserk: false,
  hostSide: "first",
  lateEntry: true,
  thirdPlace: false,
  code: "",
  teams: "",
  levels: [],
};

/** The command for a draft. Settings that its format does not know are left out. */
export function commandOf(draft: Draft, name: string, terms: Terms, now: number): Omit<CreateTournament, "id"> {
  const { format, start, startTime, code, levels } = draft;
  const isArena = format === "arena";
  const isSimul = format === "simul";
  const teams = draft.teams.split(",").flatMap((team) => team.trim() || []);
  const at = start === "enough" ? 0 : start === "time" ? Date.parse(startTime) || 0 : now + Number(start) * MINUTE;
  return {
    t: "create_tournament",
    settings: {
      name,
      format,
      terms,
      start: at,
      ...(at && draft.every !== "0" && !isSimul ? { every: Number(draft.every) * 60 * MINUTE } : {}),
      ...(isArena ? { duration: draft.minutes * MINUTE, berserk: draft.berserk } : {}),
      ...(format === "swiss" ? { rounds: draft.rounds } : {}),
      ...(format === "round_robin" ? { cycles: draft.cycles } : {}),
      ...(format === "knockout" ? { third_place: draft.thirdPlace } : {}),
      ...(isSimul ? { host_side: draft.hostSide } : {}),
      ...(isArena || isSimul ? {} : { games: draft.games, pause: draft.pause * SECOND }),
      ...(isArena || format === "swiss" ? { late_entry: draft.lateEntry } : {}),
      min_players: draft.min,
      max_players: draft.max,
      entrants: draft.entrants,
      ...(draft.lowest || draft.highest
        ? { ratings: [Number(draft.lowest), Number(draft.highest || HIGHEST_RATING)] as [number, number] }
        : {}),
      ...(teams.length && !isSimul ? { teams } : {}),
    },
    ...(code.trim() ? { code: code.trim() } : {}),
    ...(levels.length ? { levels: [...levels] } : {}),
  };
}
