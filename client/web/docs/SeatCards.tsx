// The seats below a board: name, tally and the pieces beside the board.
import type { VNode } from "preact";
import { type BoardSpec, cellsOf, type Offered, type Scene, seatToMove, stacksOf, tallyText } from "../sdk/index.ts";
import { surfaceOf, toneOf } from "../src/board/Surface.tsx";
import { drawGlyph } from "../src/board/shapes.tsx";
import { SeatSymbol } from "../src/board/symbols.tsx";

const GAP = 14;
const PAD = 22;
const HEADING = 2 * PAD + 30;
const LINE = 46;
const COLUMNS = 3; // of slots in a card

interface Props {
  board: BoardSpec;
  scene: Scene;
  picks: readonly Offered[];
  chosen: readonly number[];
}

/** Both cards, side by side and as wide as the board. */
export function SeatCards({ width, top, ...props }: Props & { width: number; top: number }): VNode {
  const card = (width - GAP) / 2;
  const height = cardsHeight(props.board, props.scene) - GAP - 3;
  return (
    <>
      {props.board.seats.map((_, seat) => (
        <g
          font-family="var(--font-ui)"
          fill="var(--ink-2)"
          transform={`translate(${seat * (card + GAP)} ${top + GAP})`}
        >
          <Card {...props} seat={seat} width={card} height={height} />
        </g>
      ))}
    </>
  );
}

/** The height of the cards and of the gap above them. */
export function cardsHeight(board: BoardSpec, scene: Scene): number {
  const most = Math.max(...board.seats.map((_, seat) => zoneStacks(board, scene, seat).length));
  return GAP + HEADING + Math.ceil(most / COLUMNS) * LINE + 3; // 3: half of the outline
}

function Card(props: Props & { seat: number; width: number; height: number }): VNode {
  const { board, scene, picks, chosen, seat, width, height } = props;
  const tone = toneOf(board, seat);
  const toMove = seatToMove(scene) === seat;
  const marked = new Map([
    ...picks.map(({ place }) => [place, 3] as const),
    ...chosen.map((place) => [place, 6] as const),
  ]);
  return (
    <>
      <rect
        x="2"
        width={width - 4}
        height={height}
        rx="16"
        fill="var(--surface)"
        stroke={toMove ? "var(--pick)" : "var(--line)"}
        stroke-width={toMove ? 5 : 2}
      />
      <SeatSymbol x={PAD + 12} y={PAD + 15} r={11} tone={tone} fill={`var(--${tone}-text)`} />
      <text x={PAD + 36} y={PAD + 24} font-size="28" font-weight="700" fill="var(--ink)">
        {board.seats[seat]!.name}
      </text>
      <text x={width - PAD} y={PAD + 24} font-size="25" text-anchor="end">
        {tallyText(board, scene, seat)}
      </text>
      {zoneStacks(board, scene, seat).map(({ place, glyphs }, n) => {
        const glyph = board.glyphs[glyphs[0]!]!;
        const scale = (glyph.columns ?? 1) > 1 ? 0.15 : 0.5; // of a cell that is 100 wide
        const across = (glyph.columns ?? 1) * 100 * scale;
        const x = PAD + (n % COLUMNS) * ((width - 2 * PAD) / COLUMNS);
        return (
          <g transform={`translate(${x} ${HEADING - PAD / 2 + Math.floor(n / COLUMNS) * LINE})`}>
            <g transform={`translate(${across / 2} ${LINE / 2}) scale(${scale})`}>
              {drawGlyph(glyph, {
                unit: 100,
                tone: toneOf(board, glyph.seat),
                ground: `var(--${surfaceOf(board)})`,
                bottom: true,
                flipped: false,
              })}
            </g>
            <text x={across + 6} y={LINE / 2 + 8} font-size="23">
              ×{glyphs.length}
            </text>
            {marked.has(place) && (
              <rect
                x="-7"
                y="5"
                width={across + 52}
                height={LINE - 10}
                rx="10"
                fill="none"
                stroke="var(--pick)"
                stroke-width={marked.get(place)}
              />
            )}
          </g>
        );
      })}
    </>
  );
}

/** The stacks in a seat's zones. */
function zoneStacks(board: BoardSpec, scene: Scene, seat: number): { place: number; glyphs: readonly number[] }[] {
  const found: { place: number; glyphs: readonly number[] }[] = [];
  let place = cellsOf(board);
  for (const zone of board.zones ?? []) {
    for (let slot = 0; slot < zone.slots.length; slot++) {
      const [, ...glyphs] = stacksOf(scene).find((stack) => stack[0] === place) ?? [];
      if (zone.seat === seat && zone.holds_pieces !== false && glyphs.length) found.push({ place, glyphs });
      place++;
    }
  }
  return found;
}
