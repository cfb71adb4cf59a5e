// The zones beside the board: hands and supplies. A slot that may be picked is a button.
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { type BoardSpec, cellsOf, type Offered, type Scene, stacksOf, tallyText } from "../../sdk/index.ts";
import { barBox, drawGlyph } from "../board/shapes.tsx";
import { surfaceOf, toneOf } from "../board/Surface.tsx";
import { readerOf, type Table, type View, visibleScene } from "../state/table.ts";

const UNIT = 100;
const MAX_DRAWN = 6; // more pieces are drawn once, with a number

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
      const [, ...glyphs] = stacksOf(scene).find((stack) => stack[0] === place) ?? [];
      if (zone.seat === seat && zone.holds_pieces !== false) found.push({ place, title, zone: zone.title, glyphs });
      place++;
    }
  }
  return found;
}

/** Whether a place is a slot that holds pieces; other places beside the board are numbers to choose from. */
export function isSlot(board: BoardSpec, place: number): boolean {
  let first = cellsOf(board);
  for (const zone of board.zones ?? []) {
    if (place < first + zone.slots.length) return zone.holds_pieces !== false;
    first += zone.slots.length;
  }
  return false;
}

/** A single piece. */
export function PieceIcon({ board, glyph }: { board: BoardSpec; glyph: number }): VNode {
  const spec = board.glyphs[glyph]!;
  const bar = spec.shape === "bar" ? barBox(spec, UNIT) : null;
  const box = bar
    ? `${bar.x - 4} ${bar.y - 4} ${bar.width + 8} ${bar.height + 16}`
    : spec.shape === "ring"
      ? "-40 -46 80 92"
      : "-45 -48 90 96";
  return (
    <svg class={bar ? "bit bar" : "bit"} viewBox={box} aria-hidden="true">
      {drawGlyph(spec, {
        unit: UNIT,
        tone: toneOf(board, spec.seat),
        ground: `var(--${surfaceOf(board)})`,
        bottom: true,
        flipped: false,
      })}
    </svg>
  );
}

/** How many cells the pieces of a slot cover and how many the longest piece, by which bars are drawn to scale. */
function sizeOf(board: BoardSpec, { glyphs }: Slot): Record<string, number> {
  return { "--length": board.glyphs[glyphs[0] ?? -1]?.columns ?? 4, "--longest": longestOf(board) };
}

function longestOf(board: BoardSpec): number {
  return Math.max(...board.glyphs.map(({ columns = 1 }) => columns));
}

function Pieces({ board, slot }: { board: BoardSpec; slot: Slot }): VNode {
  const { glyphs } = slot;
  const long = (board.glyphs[glyphs[0] ?? 0]?.columns ?? 1) > 1;
  if (!glyphs.length)
    return (
      <span class="none">
        {slot.title !== slot.zone && <span class="slot-name">{slot.title}: </span>}
        none
      </span>
    );
  if (long || glyphs.length > MAX_DRAWN) {
    return (
      <>
        <PieceIcon board={board} glyph={glyphs[glyphs.length - 1]!} />
        <span class="times num">×{glyphs.length}</span>
      </>
    );
  }
  return (
    <>
      {glyphs.map((glyph, n) => (
        <PieceIcon board={board} glyph={glyph} key={n} />
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

/** The zones of a seat at a table. */
export function Tray({ table, view, seat, picks }: TrayProps): VNode | null {
  const { board } = view.replica.room;
  return (
    <Zone
      board={board}
      scene={visibleScene(view)}
      seat={seat}
      owner={readerOf(view) === seat ? "Your" : `${board.seats[seat]?.name}’s`}
      chosen={view.turn?.picks ?? []}
      picks={picks}
      onPick={(place) => table.entry.pick(place)}
      onBack={(count) => table.entry.undoPick(count)}
    />
  );
}

interface ZoneProps {
  board: BoardSpec;
  scene: Scene;
  seat: number;
  owner: string;
  chosen: readonly number[];
  picks: readonly Offered[];
  /** A slot that a lesson points at. */
  pointed?: number | null;
  onPick(place: number): void;
  onBack(count: number): void;
}

/** The zones of a seat. */
export function Zone(props: ZoneProps): VNode | null {
  const { board, scene, seat, owner, chosen, picks, pointed = null, onPick, onBack } = props;
  const pressed = useRef<number | null>(null); // the slot that the press has chosen already, to be dragged to the board
  const slots = slotsOf(board, scene, seat);
  if (!slots.length) return null;
  const press = (event: PointerEvent, place: number, isChosen: boolean): void => {
    pressed.current = event.pointerType === "mouse" && event.button === 0 && !isChosen ? place : null;
    if (pressed.current !== null) onPick(place);
  };
  const click = (place: number, at: number): void => {
    if (pressed.current === place) pressed.current = null;
    else if (at >= 0) onBack(at);
    else onPick(place);
  };
  const { zone } = slots[0]!;
  const title = /[’']s /.test(zone) ? zone : `${owner} ${zone}`;
  return (
    <div class="tray" role="group" aria-label={title}>
      <h2>{title}</h2>
      <div class="slots">
        {slots.map((slot) => {
          const selectable = picks.some((pick) => pick.place === slot.place);
          const label = `${slot.title}, ${slot.glyphs.length} left`;
          const at = chosen.indexOf(slot.place);
          const state = at >= 0 ? " chosen" : selectable ? " selectable" : "";
          return selectable || at >= 0 ? (
            <button
              type="button"
              key={slot.place}
              class={`slot${state}${slot.place === pointed ? " pointed" : ""}`}
              data-place={slot.place}
              aria-label={label}
              aria-pressed={at >= 0}
              style={sizeOf(board, slot)}
              onPointerDown={(event) => press(event, slot.place, at >= 0)}
              onClick={() => click(slot.place, at)}
            >
              <Pieces board={board} slot={slot} />
            </button>
          ) : (
            <span
              key={slot.place}
              class={`slot${state}${slot.glyphs.length ? "" : " spent"}`}
              data-place={slot.place}
              title={label}
              style={sizeOf(board, slot)}
            >
              <Pieces board={board} slot={slot} />
            </span>
          );
        })}
      </div>
      <p class="tally">{tallyText(board, scene, seat)}</p>
    </div>
  );
}

interface HandProps {
  table: Table;
  view: View;
  seat: number;
  picks: readonly Offered[];
}

/** The pieces that a player holds, in the strip on a phone. A supply of one kind can be picked there. */
export function Hand({ table, view, seat, picks }: HandProps): VNode | null {
  const { board } = view.replica.room;
  const slots = slotsOf(board, visibleScene(view), seat);
  if (!slots.length) return null;
  const [only] = slots;
  if (slots.length > 1 || !only) {
    const words = slots.map(({ title, glyphs }) => `${title}: ${glyphs.length}`).join(", ");
    return (
      <span class="hand" role="img" aria-label={words} title={words}>
        {slots.map((slot) => (
          <HeldPieces board={board} slot={slot} key={slot.place} />
        ))}
      </span>
    );
  }
  const at = (view.turn?.picks ?? []).indexOf(only.place);
  const selectable = picks.some((pick) => pick.place === only.place);
  const label = `${only.title}, ${only.glyphs.length} left`;
  if (!selectable && at < 0)
    return (
      <span class="supply" role="img" aria-label={label}>
        <Pieces board={board} slot={only} />
      </span>
    );
  return (
    <button
      type="button"
      class={`slot supply ${at >= 0 ? "chosen" : "selectable"}`}
      data-place={only.place}
      aria-label={label}
      aria-pressed={at >= 0}
      onClick={() => (selectable ? table.entry.pick(only.place) : table.entry.undoPick(at))}
    >
      <Pieces board={board} slot={only} />
    </button>
  );
}

const COLUMN = 30; // px, the height of the longest piece

/** The number of pieces in one slot: bars as a column of their length, other pieces as a small picture. */
function HeldPieces({ board, slot: { glyphs } }: { board: BoardSpec; slot: Slot }): VNode | null {
  const spec = board.glyphs[glyphs[0] ?? -1];
  if (!spec) return null;
  const length = spec.columns ?? 1;
  return (
    <span aria-hidden="true">
      {length > 1 ? (
        <i
          class={`column ${toneOf(board, spec.seat)}`}
          style={{ height: `${(COLUMN * length) / longestOf(board)}px` }}
        />
      ) : (
        <PieceIcon board={board} glyph={glyphs[0]!} />
      )}
      <span class="num">{glyphs.length}</span>
    </span>
  );
}
