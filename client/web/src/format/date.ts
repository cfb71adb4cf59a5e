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

// Not with Intl, which takes a tenth of a second on a phone when it is first used.
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Nov 19, 2026` */
export function formatDay(moment: number): string {
  const date = new Date(moment);
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`;
}

/** `Nov 19, 2026, 22:10` */
export function formatDateTime(moment: number): string {
  const date = new Date(moment);
  const [hours, minutes] = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0"));
  return `${formatDay(moment)}, ${hours}:${minutes}`;
}
