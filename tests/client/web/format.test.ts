// Dates and numbers as people write them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAge, formatDateTime } from "../../../client/web/src/format/date.ts";
import { plural } from "../../../client/web/src/format/plural.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test("a date of the last week is told by its age", () => {
  const ages = [0, 3 * MINUTE, 5 * HOUR, DAY, 3 * DAY].map((passed) => formatAge(0, passed));
  assert.deepEqual(ages, ["just now", "3 min ago", "5 h ago", "yesterday", "3 days ago"]);
  assert.equal(formatAge(0, 8 * DAY), "Jan 1, 1970");
});

test("a moment is told by its day and time", () => {
  assert.equal(formatDateTime(new Date(2026, 10, 9, 8, 5).getTime()), "Nov 9, 2026, 08:05");
});

test("one game is not 1 games", () => {
  assert.deepEqual(
    [0, 1, 2].map((games) => plural(games, "game")),
    ["0 games", "1 game", "2 games"],
  );
});
