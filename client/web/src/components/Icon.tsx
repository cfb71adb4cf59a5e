// Outline icons, 24 by 24, and the symbols of the two seats. Every icon is next to a text or inside a labelled button.
import type { VNode } from "preact";
import type { Tone } from "../board/symbols.tsx";

const PATHS = {
  back: "M14 5 7 12l7 7M7.500 12H20",
  bot: "M6 9h12v9H6zM12 9V5M9.500 13v1M14.500 13v1M3.500 12v3M20.500 12v3",
  book: "M4 5c3-1.500 6-1 8 1 2-2 5-2.500 8-1v13c-3-1.500-6-1-8 1-2-2-5-2.500-8-1zM12 6v13",
  bulb: "M9 18h6M10 21h4M8.500 14.500a6 6 0 1 1 7 0c-.8.6-1 1.500-1 2.500h-5c0-1-.2-1.900-1-2.500z",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  check: "M5 12.500l4.500 4.500L19 7.500",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.500l3 2",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600z",
  first: "M18 6l-7 6 7 6zM7 6v12",
  flag: "M6 21V4M6 5c4-3 8 3 13 0v9c-5 3-9-3-13 0",
  flame:
    "M12 3c1 4 5 5.500 5 10a5 5 0 0 1-10 0c0-2 1-3.500 2-4.500.3 1.500 1 2.300 1.800 2.500C10.500 8 10.500 5.500 12 3z",
  flip: "M12 3v18M8.500 8 4 12l4.500 4M15.500 8l4.500 4-4.500 4",
  hands: "M3 12l4-4 5 3 5-3 4 4-6 6-3-2-3 2z",
  hourglass: "M7 4h10M7 20h10M8 4c0 5 8 5 8 8s-8 3-8 8M16 4c0 5-8 5-8 8s8 3 8 8",
  last: "M6 6l7 6-7 6zM17 6v12",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.600-5.600l-1.200 1.200M14 10a4 4 0 0 0-6-.4l-3 3A4 4 0 0 0 10.600 18.200l1.200-1.200",
  list: "M10 6h10M10 12h10M10 18h10M4 4.500 5.500 4v4M4 11c.3-1.200 2.200-1 2 .2L4 14h2.200M4 16.500c2-.8 2.600 1 1 1.500 2 .3 1.200 2.500-1 1.800",
  more: "M4.500 12a.8.8 0 1 0 1.600 0 .8.8 0 0 0-1.600 0zM11.200 12a.8.8 0 1 0 1.600 0 .8.8 0 0 0-1.600 0zM17.900 12a.8.8 0 1 0 1.600 0 .8.8 0 0 0-1.600 0z",
  moon: "M19 14.500A8 8 0 0 1 9.500 5a8 8 0 1 0 9.500 9.500z",
  mute: "M4 10v4h4l5 4V6L8 10zM17 10l4 4M21 10l-4 4",
  next: "M9 6l7 6-7 6z",
  pause: "M8 5v14M16 5v14",
  people:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 4.500a3.300 3.300 0 0 1 0 6.200M18 14.500c2 .8 3.200 2.700 3.500 5.500",
  play: "M7 5l12 7-12 7z",
  plus: "M12 5v14M5 12h14",
  prev: "M15 6l-7 6 7 6z",
  rotate: "M5 10a7.500 7.500 0 0 1 13-2.500M18.500 3.500v4.500H14M19 14a7.500 7.500 0 0 1-13 2.500M5.500 20.500V16H10",
  sound: "M4 10v4h4l5 4V6L8 10zM16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.500v2.500M12 19v2.500M2.500 12H5M19 12h2.500M5.300 5.300 7 7M17 17l1.700 1.700M5.300 18.700 7 17M17 7l1.700-1.700",
  trophy: "M7 4h10v6a5 5 0 0 1-10 0zM7 6H4c0 3 1 4.500 3.200 5M17 6h3c0 3-1 4.500-3.200 5M12 15v4M8.500 20h7",
  undo: "M9 6 4 11l5 5M4.500 11H15a5 5 0 0 1 0 10h-3",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }): VNode {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The symbol of a seat: a diamond or a circle. */
export function SeatIcon({ tone, label, size = 16 }: { tone: Tone; label?: string; size?: number }): VNode {
  return (
    <svg
      class="seat"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : "true"}
    >
      {tone === "dark" ? (
        <path d="M10 1.500 18.500 10 10 18.500 1.500 10Z" fill="var(--dark-badge)" />
      ) : (
        <circle cx="10" cy="10" r="7.600" fill="var(--light-top)" stroke="var(--light-rim)" stroke-width="2" />
      )}
    </svg>
  );
}

export function Logo(): VNode {
  return (
    <svg class="logo" width="30" height="26" viewBox="0 0 30 26" aria-hidden="true">
      <path d="M11 2 22 13 11 24 0 13Z" fill="var(--dark-badge)" />
      <circle cx="20" cy="13" r="8.500" fill="var(--light-top)" stroke="var(--light-rim)" stroke-width="2" />
    </svg>
  );
}
