// Tournaments in words, and what the form for a new one sends.
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  RoundResult,
  StandingRow,
  Tournament,
  TournamentSettings,
  TournamentSummary,
} from "../../../client/web/sdk/index.ts";
import {
  crossTable,
  deadlineOf,
  factsOf,
  formatPoints,
  formatUntil,
  isOpenToEnter,
  nextStep,
  ordinal,
  progressOf,
  resultLabel,
  resultText,
  rulesOf,
} from "../../../client/web/src/format/tournament.ts";
import { applyChange } from "../../../client/web/src/state/tournamentChange.ts";
import { commandOf, NEW } from "../../../client/web/src/state/tournamentDraft.ts";

const TERMS = { game: "mapello", clock: { kind: "fischer", main: 300_000, step: 3000 }, rated: true };
const ARENA: TournamentSettings = { name: "Lunch", format: "arena", terms: TERMS, duration: 1_800_000, berserk: true };
const SWISS: TournamentSettings = { name: "Autumn", format: "swiss", terms: TERMS, rounds: 5, late_entry: false };

const summary = (settings: TournamentSettings, changed: Partial<TournamentSummary> = {}): TournamentSummary => ({
  tournament: "t",
  settings,
  status: "running",
  players: 22,
  ...changed,
});
const row = (rank: number, results: RoundResult[] = []): StandingRow => ({
  rank,
  player: { name: `p${rank}` },
  points: 0,
  results,
});

test("points are written with halves", () => {
  assert.deepEqual([0, 50, 350, 825, 1000, 575].map(formatPoints), ["0", "½", "3½", "8.25", "10", "5.75"]);
});

test("places are ordinals", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 11, 12, 22, 101, 113].map(ordinal).join(" "),
    "1st 2nd 3rd 4th 11th 12th 22nd 101st 113th",
  );
});

test("a countdown has no tenths, and ends at zero", () => {
  assert.deepEqual([-5, 400, 9_999, 65_000].map(formatUntil), ["0:00", "0:01", "0:10", "1:05"]);
});

test("the settings are told in words", () => {
  assert.equal(
    factsOf(ARENA, "Mapello", undefined),
    "Arena for 30 minutes · Mapello · 5 min + 3 s · rated · people and bots",
  );
  const recurring = (every: number): string =>
    factsOf({ ...ARENA, every }, "Mapello", undefined)
      .split(" · ")
      .at(-1)!;
  assert.deepEqual([5_400_000, 3_600_000, 604_800_000, 172_800_000].map(recurring), [
    "every 90 minutes",
    "every hour",
    "every week",
    "every 2 days",
  ]);
  assert.ok(rulesOf(ARENA).includes("You can enter after the start."));
  assert.ok(rulesOf(SWISS).includes("You cannot enter after the start."));
  assert.ok(!rulesOf(SWISS).some((sentence) => sentence.includes("halve")));
});

test("the clock of the page counts to the start, the next round, or the end", () => {
  assert.deepEqual(deadlineOf(summary(ARENA, { status: "open", start: 7 }), 0, null), { label: "starts in", at: 7 });
  assert.deepEqual(deadlineOf(summary(ARENA, { end: 9 }), 0, null), { label: "ends in", at: 9 });
  assert.deepEqual(deadlineOf(summary(SWISS), 4, 8), { label: "round 5 in", at: 8 });
  assert.equal(deadlineOf(summary(SWISS), 4, null), null);
});

test("how far a tournament is", () => {
  assert.equal(progressOf(summary(SWISS), 4, 5), "round 4 of 5");
  assert.equal(progressOf(summary(ARENA, { status: "open", players: 1 })), "waits for 1 more player");
  assert.equal(
    progressOf(summary({ ...ARENA, min_players: 4 }, { status: "open", players: 1 })),
    "waits for 3 more players",
  );
  assert.equal(progressOf(summary(SWISS, { status: "finished", winner: { name: "ibis" } })), "ibis won");
});

test("a player can enter before the start, and later where that is allowed", () => {
  assert.ok(isOpenToEnter(summary(SWISS, { status: "open" })));
  assert.ok(isOpenToEnter(summary(ARENA)));
  assert.ok(!isOpenToEnter(summary(SWISS)));
  assert.ok(!isOpenToEnter(summary({ ...ARENA, entrants: "bots" }, { status: "open" })));
  assert.ok(!isOpenToEnter(summary(ARENA, { status: "finished" })));
});

test("a result is short on the page and whole for a screen reader", () => {
  const won: RoundResult = { result: "won", points: 100, opponent: 4, seat: 1 };
  assert.equal(resultText(won), "1");
  assert.equal(resultLabel(won, "White"), "White against number 4: won, 1");
  assert.equal(resultText({ result: "bye", points: 100 }), "bye 1");
  assert.equal(resultText({ result: "lost", points: 0, opponent: 2, forfeit: true }), "0 f");
  assert.equal(resultText({ result: "absent" }), "–");
});

test("the next step names the opponent", () => {
  const context = { opponent: "carp", seat: "White", round: 5, now: 0 };
  assert.equal(
    nextStep({ t: "your_tournament", tournament: "t", state: "playing" }, summary(SWISS), context).title,
    "Round 5: you against carp",
  );
  const waiting = nextStep(
    { t: "your_tournament", tournament: "t", state: "waiting", row: row(5) },
    summary(ARENA),
    context,
  );
  assert.deepEqual(waiting, { title: "Looking for an opponent", text: "0:00 · You are 5th of 22" });
});

test("a player who waits for the next round knows for how many games", () => {
  const text = (left: number): string =>
    nextStep({ t: "your_tournament", tournament: "t", state: "waiting", row: row(3) }, summary(SWISS), {
      opponent: "",
      seat: "",
      round: 2,
      now: 0,
      left,
    }).text;
  assert.equal(text(0), "You are 3rd of 22. Your next game opens by itself.");
  assert.equal(text(1), "You are 3rd of 22. 1 game of this round is still played. Your next game opens by itself.");
  assert.equal(text(2), "You are 3rd of 22. 2 games of this round are still played. Your next game opens by itself.");
});

test("a cross table needs every player", () => {
  const won: RoundResult = { result: "won", points: 100, opponent: 2 };
  const lost: RoundResult = { result: "lost", points: 0, opponent: 1 };
  const rows = [row(1, [won]), row(2, [lost])];
  assert.deepEqual(crossTable(rows, 2), [
    [[], [won]],
    [[lost], []],
  ]);
  assert.equal(crossTable(rows, 3), null);
});

test("a change replaces parts, and a late one is ignored", () => {
  const before: Tournament = {
    t: "tournament",
    n: 5,
    summary: summary(SWISS),
    round: 1,
    next_round: 8,
    featured: "old",
  };
  const after = applyChange(before, { t: "tournament_changed", tournament: "t", n: 6, round: 2 });
  assert.deepEqual(
    [after.n, after.round, after.summary, after.next_round, after.featured],
    [6, 2, before.summary, null, null],
  );
  assert.equal(applyChange(after, { t: "tournament_changed", tournament: "t", n: 4, round: 1 }), after);
});

test("the ratings of those who may enter can be limited on either side", () => {
  const ratings = (lowest: string, highest: string): unknown =>
    commandOf({ ...NEW, lowest, highest }, "Lunch", TERMS, 0).settings.ratings;
  assert.equal(ratings("", ""), undefined);
  assert.deepEqual(ratings("1200", ""), [1200, 4000]);
  assert.deepEqual(ratings("", "1800"), [0, 1800]);
});

test("a tournament recurs if it has a start", () => {
  const every = (changed: object): unknown => commandOf({ ...NEW, ...changed }, "Lunch", TERMS, 0).settings.every;
  assert.equal(every({ every: "24" }), 86_400_000);
  assert.equal(every({ every: "24", start: "enough" }), undefined);
  assert.equal(every({ every: "24", format: "simul" }), undefined);
});

test("only the settings that a format knows are sent", () => {
  const arena = commandOf({ ...NEW, code: " sesame ", teams: "Owls, ,Larks" }, "Lunch", TERMS, 1000);
  assert.equal(arena.settings.duration, 1_800_000);
  assert.equal(arena.settings.start, 301_000);
  assert.equal(arena.settings.games, undefined);
  assert.deepEqual(arena.settings.teams, ["Owls", "Larks"]);
  assert.equal(arena.code, "sesame");
  const swiss = commandOf({ ...NEW, format: "swiss", start: "enough", rounds: 3 }, "Autumn", TERMS, 1000);
  assert.deepEqual([swiss.settings.start, swiss.settings.rounds, swiss.settings.duration], [0, 3, undefined]);
  const simul = commandOf({ ...NEW, format: "simul", hostSide: "random", teams: "Owls, Larks" }, "Open", TERMS, 1000);
  const { host_side, games, pause, teams } = simul.settings;
  assert.deepEqual([host_side, games, pause, teams], ["random", undefined, undefined, undefined]);
});
