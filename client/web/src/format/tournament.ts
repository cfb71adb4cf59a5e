// Tournaments in words: settings, points, places and results.
import type {
  GameCard,
  HostSide,
  RoundResult,
  StandingRow,
  TournamentFormat,
  TournamentSettings,
  TournamentSummary,
  YourTournament,
} from "../../sdk/index.ts";
import { formatTimeLeft } from "./clock.ts";
import { formatTerms } from "./terms.ts";
import { plural } from "./plural.ts";

const MINUTE = 60_000;

export const FORMATS: { [format in TournamentFormat]: { name: string; summary: string } } = {
  arena: {
    name: "Arena",
    summary: "Until the time is up, you are paired again as soon as your game is over.",
  },
  swiss: {
    name: "Swiss",
    summary: "In each round, players with equal points meet. You never meet anyone twice.",
  },
  round_robin: { name: "Round robin", summary: "You play every other player." },
  knockout: { name: "Knockout", summary: "The winner of each match goes on." },
  simul: { name: "Simul", summary: "The organiser plays against all others at once." },
};

/** Which side the organiser of a simul has, as the organiser chooses it. */
export const HOST_SIDES: { [side in HostSide]: string } = {
  first: "You begin every game",
  second: "Your opponents begin",
  alternating: "You begin every other game",
  random: "Drawn by lot",
};

const HOST_RULES: { [side in HostSide]: string } = {
  first: "The organiser begins every game.",
  second: "The organiser's opponents begin.",
  alternating: "The organiser begins every other game.",
  random: "The first player of each game is drawn by lot.",
};

/** Points as players write them: 350 is `3½`, 825 is `8.25`. */
export function formatPoints(hundredths: number): string {
  const whole = Math.floor(hundredths / 100);
  const rest = hundredths % 100;
  if (rest === 0) return String(whole);
  if (rest === 50) return whole ? `${whole}½` : "½";
  return (hundredths / 100).toFixed(2).replace(/0$/, "");
}

/** `1st`, `2nd`, `11th`. */
export function ordinal(number: number): string {
  const teen = Math.floor(number / 10) % 10 === 1;
  const ending = teen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}

/** `45 s`, `18:42`, `2 d 4 h`: the time until a moment. Never tenths of seconds. */
export function formatUntil(ms: number): string {
  return formatTimeLeft(Math.max(10_000, ms)) === "0:10"
    ? `0:${String(Math.ceil(Math.max(0, ms) / 1000)).padStart(2, "0")}`
    : formatTimeLeft(ms);
}

/** The most important settings: format, game, clock, and who may enter. */
export function factsOf(settings: TournamentSettings, gameName: string, card: GameCard | undefined): string {
  const { entrants = "all", ratings, format, duration = 0, every = 0 } = settings;
  const length = format === "arena" && duration ? ` for ${plural(Math.round(duration / MINUTE), "minute")}` : "";
  return [
    `${FORMATS[format].name}${length}`,
    gameName,
    formatTerms(settings.terms, card),
    { all: "people and bots", people: "people only", bots: "bots only" }[entrants],
    ...(every ? [`every ${formatInterval(every)}`] : []),
    ...(ratings ? [`rating ${ratings[0]} to ${ratings[1]}`] : []),
  ].join(" · ");
}

/** `week`, `day`, `6 hours`, `90 minutes`: the time between two starts. */
export function formatInterval(time: number): string {
  const units: [number, string][] = [
    [7 * 24 * 60 * MINUTE, "week"],
    [24 * 60 * MINUTE, "day"],
    [60 * MINUTE, "hour"],
  ];
  const [unit, name] = units.find(([length]) => time % length === 0) ?? [MINUTE, "minute"];
  return time === unit ? name : plural(Math.round(time / unit), name);
}

/** How points are scored, and other rules for players. */
export function rulesOf(settings: TournamentSettings): string[] {
  const {
    format,
    games = 1,
    cycles = 1,
    third_place,
    berserk,
    late_entry = true,
    pause = 0,
    host_side = "first",
  } = settings;
  const { min_players = 2, max_players = 64, teams = [] } = settings;
  const sentences = [FORMATS[format].summary];
  if (format === "arena") {
    sentences.push("A win brings 2 points, a draw 1. After two wins in a row, points count double.");
    if (berserk) sentences.push("Before your first move you can halve your clock: a win then brings 1 point more.");
  } else if (format !== "knockout") sentences.push("A win brings 1 point, a draw ½.");
  if (format === "simul") sentences.push(HOST_RULES[host_side]);
  if (format === "round_robin" && cycles > 1) sentences.push(`You meet each player ${cycles} times.`);
  if (format !== "arena" && games > 1) sentences.push(`Each match has ${plural(games, "game")}.`);
  if (format === "knockout" && third_place) sentences.push("The losers of the semifinals play for third place.");
  if (pause > 0) sentences.push(`There are ${formatUntil(pause)} between two rounds.`);
  if (format === "arena" || format === "swiss")
    sentences.push(late_entry ? "You can enter after the start." : "You cannot enter after the start.");
  sentences.push(min_players === max_players ? `${max_players} players.` : `${min_players} to ${max_players} players.`);
  if (teams.length) sentences.push(`Teams: ${teams.join(", ")}. Their points are added up.`);
  sentences.push("If you do not make your first move in time, you lose the game.");
  return sentences;
}

/** The event that the clock at the top of the page counts down to, and its time; null if there is none. */
export function deadlineOf(
  { status, start = 0, end = 0, settings }: TournamentSummary,
  round: number,
  nextRound: number | null | undefined,
): { label: string; at: number } | null {
  if (status === "open") return start ? { label: "starts in", at: start } : null;
  if (status !== "running") return null;
  if (nextRound) return { label: `round ${round + 1} in`, at: nextRound };
  return settings.format === "arena" && end ? { label: "ends in", at: end } : null;
}

/** Where a tournament stands: “round 4 of 5”, “waits for 2 more players”, “fern won”. */
export function progressOf(summary: TournamentSummary, round = 0, rounds = 0): string {
  const { status, players, settings, winner, start = 0 } = summary;
  if (status === "finished") return winner ? `${winner.name} won` : "finished";
  if (status === "cancelled") return "cancelled";
  if (status === "open") {
    const missing = (settings.min_players ?? 2) - players;
    if (start) return plural(players, "player");
    return missing > 0 ? `waits for ${plural(missing, "more player")}` : "starts now";
  }
  if (round) return rounds ? `round ${round} of ${rounds}` : `round ${round}`;
  return plural(players, "player");
}

/** Whether a person can enter now. */
export function isOpenToEnter({ status, settings }: TournamentSummary): boolean {
  if (settings.entrants === "bots") return false;
  if (status === "open") return true;
  const { format, late_entry = true } = settings;
  return status === "running" && late_entry && (format === "arena" || format === "swiss");
}

/** The result of a match as it stands in a table: `1`, `½`, `0 f`, `bye 1`, `–`. */
export function resultText({ result, points = 0, forfeit }: RoundResult): string {
  if (result === "playing") return "…";
  if (result === "absent") return "–";
  return `${result === "bye" ? "bye " : ""}${formatPoints(points)}${forfeit ? " f" : ""}`;
}

/** The same for a screen reader: “White against number 4: won”. `seat` is the name of the player's side. */
export function resultLabel(result: RoundResult, seat: string): string {
  const { result: kind, opponent = 0, points = 0, forfeit, double, berserk } = result;
  if (kind === "absent") return "did not play";
  if (kind === "bye") return `no opponent, ${formatPoints(points)}`;
  const against = `${seat ? `${seat} ` : ""}against number ${opponent}`;
  const extras = `${forfeit ? " without a game" : ""}${berserk ? ", half the time" : ""}${double ? ", counts double" : ""}`;
  return `${against}: ${kind}${kind === "playing" ? "" : `, ${formatPoints(points)}`}${extras}`;
}

/** The player's next step: a short title and a line below it. */
export function nextStep(
  own: YourTournament,
  summary: TournamentSummary,
  {
    opponent,
    seat,
    round,
    now,
    left = 0,
  }: { opponent: string; seat: string; round: number; now: number; left?: number },
): { title: string; text: string } {
  const arena = summary.settings.format === "arena";
  const { row, since = 0 } = own;
  const isHost = summary.settings.format === "simul" && row?.player.name === summary.organiser;
  const place = row?.rank ? `You are ${ordinal(row.rank)} of ${summary.players}` : "";
  switch (own.state) {
    case "playing": {
      const running = row?.results?.filter(({ result }) => result === "playing").length ?? 0;
      if (running > 1) return { title: `You play ${running} games at once`, text: "They are in the list below." };
      return {
        title: `${round ? `Round ${round}` : "Now"}: you against ${opponent}`,
        text: [seat && `You are ${seat}`, "the game runs"].filter(Boolean).join(" · "),
      };
    }
    case "entered":
      return {
        title: "You take part",
        text: summary.start ? "The first game opens by itself." : "It begins as soon as enough players are here.",
      };
    case "waiting":
      if (arena)
        return { title: "Looking for an opponent", text: `${formatUntil(Math.max(0, now - since))} · ${place}` };
      if (summary.settings.format === "simul") return { title: "Your game is over", text: place };
      return {
        title: opponent ? `Next: you against ${opponent}` : "Waiting for the next round",
        text: [
          place || "The pairings follow",
          ...(left ? [`${plural(left, "game")} of this round ${left > 1 ? "are" : "is"} still played`] : []),
          "Your next game opens by itself.",
        ].join(". "),
      };
    case "paused":
      return { title: "You are paused", text: "You are not paired until you resume." };
    case "withdrawn":
      return { title: "You have withdrawn", text: "Your results remain." };
    case "eliminated":
      return { title: "You are out", text: place };
    case "finished":
      return {
        title: isHost
          ? "Your simul is over"
          : row?.rank
            ? `You finished ${ordinal(row.rank)} of ${summary.players}`
            : "The tournament is over",
        text: row ? `${formatPoints(row.points)} points in ${plural(row.games ?? 0, "game")}` : "",
      };
  }
}

/**
 * The results of each player against each other one, by rank: `cells[0][2]` are the results of the first against the
 * third. null unless all players are listed.
 */
export function crossTable(rows: readonly StandingRow[], players: number): RoundResult[][][] | null {
  if (rows.length !== players || rows.some(({ rank }, n) => rank !== n + 1)) return null;
  return rows.map(({ results = [] }) =>
    rows.map(({ rank }) => results.filter(({ opponent, result }) => opponent === rank && result !== "absent")),
  );
}
