// Dates as text: `3 h ago` up to a week, then the day.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function formatAge(moment: number, now = Date.now()): string {
  const passed = Math.max(0, now - moment);
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  if (passed < 7 * DAY) return passed < 2 * DAY ? "yesterday" : `${Math.floor(passed / DAY)} days ago`;
  return formatDay(moment);
}

export function formatDay(moment: number): string {
  return new Date(moment).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

export function formatDateTime(moment: number): string {
  return new Date(moment).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
