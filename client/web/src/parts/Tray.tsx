// What lies beside the board: hands and supplies. A slot that may be picked is a button.
import type { VNode } from "preact";
import { type BoardSpec, cellsOf, type Offered, type Scene, tallyOf } from "../../sdk/index.ts";
import { barBox, picture } from "../board/shapes.tsx";
import { surfaceOf, toneOf } from "../board/ground.tsx";
import { sceneOf, type Table, type View } from "../state/table.ts";

const UNIT = 100;
const MOST_ALIKE = 6; // pieces that are drawn one by one

interface Slot {
  place: number;
  title: string;
  zone: string;
  glyphs: readonly number[];
}

function slotsOf(board: BoardSpec, scene: Scene, seat: number): Slot[] {
  const found: Slot[] = [];
  let place = cellsOf(board);
  for (const zone of board.zones ?? []) {
    for (const title of zone.slots) {
      const [, ...glyphs] = scene[0].find((stack) => stack[0] === place) ?? [];
      if (zone.seat === seat && zone.holds_pieces !== false) found.push({ place, title, zone: zone.title, glyphs });
      place++;
    }
  }
  return found;
}

/** One piece on its own. */
export function Bit({ board, glyph }: { board: BoardSpec; glyph: number }): VNode {
  const spec = board.glyphs[glyph]!;
  const bar = spec.shape === "bar" ? barBox(spec, UNIT) : null;
  const box = bar
    ? `${bar.x - 4} ${bar.y - 4} ${bar.width + 8} ${bar.height + 16}`
    : spec.shape === "ring"
      ? "-40 -46 80 92"
      : "-45 -48 90 96";
  return (
    <svg class={`bit ${spec.shape}`} viewBox={box} aria-hidden="true">
      {picture(spec, {
        unit: UNIT,
        tone: toneOf(board, spec.seat),
        ground: `var(--${surfaceOf(board)})`,
        bottom: true,
        flipped: false,
      })}
    </svg>
  );
}

function Pieces({ board, slot }: { board: BoardSpec; slot: Slot }): VNode {
  const { glyphs } = slot;
  const long = (board.glyphs[glyphs[0] ?? 0]?.columns ?? 1) > 1;
  if (!glyphs.length) return <span class="none">none</span>;
  if (long || glyphs.length > MOST_ALIKE) {
    return (
      <>
        <Bit board={board} glyph={glyphs[glyphs.length - 1]!} />
        <span class="times num">×{glyphs.length}</span>
      </>
    );
  }
  return (
    <>
      {glyphs.map((glyph) => (
        <Bit board={board} glyph={glyph} />
      ))}
    </>
  );
}

interface TrayProps {
  table: Table;
  view: View;
  seat: number;
  picks: readonly Offered[];
}

/** A seat's zones, with buttons where something may be picked. */
export function Tray({ table, view, seat, picks }: TrayProps): VNode | null {
  const { board } = view.mirror.room;
  const scene = sceneOf(view);
  const slots = slotsOf(board, scene, seat);
  if (!slots.length) return null;
  const chosen = view.turn?.picks ?? [];
  const whose = view.mirror.seat === seat ? "Your" : `${board.seats[seat]?.name}’s`;
  return (
    <div class="tray" role="group" aria-label={`${whose} ${slots[0]!.zone}`}>
      <h3>
        {slots[0]!.zone.includes("’s") || slots[0]!.zone.includes("'s") ? slots[0]!.zone : `${whose} ${slots[0]!.zone}`}
      </h3>
      <div class="slots">
        {slots.map((slot) => {
          const may = picks.some((pick) => pick.place === slot.place);
          const label = `${slot.title}, ${slot.glyphs.length} left`;
          const at = chosen.indexOf(slot.place);
          const state = at >= 0 ? " chosen" : may ? " may" : "";
          return may || at >= 0 ? (
            <button
              type="button"
              class={`slot${state}`}
              data-place={slot.place}
              aria-label={label}
              aria-pressed={at >= 0}
              onClick={() => (may ? table.pick(slot.place) : table.step(at))}
            >
              <Pieces board={board} slot={slot} />
            </button>
          ) : (
            <span class={`slot${state}${slot.glyphs.length ? "" : " spent"}`} data-place={slot.place} title={label}>
              <Pieces board={board} slot={slot} />
            </span>
          );
        })}
      </div>
      <p class="tally">{tallyOf(board, scene, seat)}</p>
    </div>
  );
}

/** The same in a player's strip on a phone, to look at only. */
export function ZonePieces({ view, seat }: { view: View; seat: number }): VNode | null {
  const { board } = view.mirror.room;
  const slots = slotsOf(board, sceneOf(view), seat).filter((slot) => slot.glyphs.length > 0);
  if (slots.length !== 1) return null; // a whole hand has a row of its own
  return (
    <span class="strip-zone" aria-hidden="true">
      <Pieces board={board} slot={slots[0]!} />
    </span>
  );
}
