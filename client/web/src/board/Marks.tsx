// Marks on the board: the last turn in violet, the effect of an unfinished turn in teal.
import type { VNode } from "preact";
import { type BoardSpec, MARK, marksOf, type Scene } from "../../sdk/index.ts";
import { type Box, type Geometry, rounded } from "./geometry.ts";
import { counters, topOf } from "./pieces.ts";

export interface Marked {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
}

/** Marks under the pieces. */
export function MarksUnder({ scene, geometry }: Marked): VNode {
  const { unit } = geometry;
  return (
    <g class="marks">
      {marksOf(scene).map(([kind, ...places]) => {
        const cells = places.filter((place) => place < geometry.cells);
        if (!cells.length) return null;
        if (kind === MARK.LAST || kind === MARK.FROM)
          return cells.map((cell) => (
            <Tint at={geometry.corner(cell)} unit={unit} opacity={kind === MARK.LAST ? 0.2 : 0.1} />
          ));
        const { x, y, width, height } = geometry.boundingBox(cells);
        if (kind === MARK.LINE)
          return (
            <rect
              x={rounded(x)}
              y={rounded(y)}
              width={rounded(width)}
              height={rounded(height)}
              fill="var(--pick)"
              fill-opacity=".26"
            />
          );
        if (kind === MARK.GONE) {
          const inset = unit * 0.14;
          return (
            <rect
              x={rounded(x + inset)}
              y={rounded(y + inset)}
              width={rounded(width - 2 * inset)}
              height={rounded(height - 2 * inset)}
              rx={rounded(unit * 0.12)}
              fill="var(--last)"
              fill-opacity=".1"
              stroke="var(--last)"
              stroke-width="4.5"
              stroke-dasharray="15 11"
            />
          );
        }
        if (kind === MARK.SIGHT && cells.length === 2) {
          const [[x0, y0], [x1, y1]] = [geometry.centre(cells[0]!), geometry.centre(cells[1]!)];
          const path = `M${rounded(x0)} ${rounded(y0)}L${rounded(x1)} ${rounded(y1)}`;
          return (
            <g fill="none" stroke-linecap="round">
              <path d={path} stroke="var(--pick-halo)" stroke-opacity=".75" stroke-width="10" />
              <path d={path} stroke="var(--pick)" stroke-width="6" stroke-dasharray="2 15" />
            </g>
          );
        }
        return null;
      })}
    </g>
  );
}

function Tint({ at: [x, y], unit, opacity }: { at: [number, number]; unit: number; opacity: number }): VNode {
  return (
    <rect
      x={rounded(x)}
      y={rounded(y)}
      width={rounded(unit)}
      height={rounded(unit)}
      fill="var(--last)"
      fill-opacity={opacity}
    />
  );
}

/** Marks over the pieces. */
export function MarksOver({ board, scene, geometry }: Marked): VNode {
  const { unit } = geometry;
  return (
    <g class="marks">
      {marksOf(scene).map(([kind, ...places]) => {
        const cells = places.filter((place) => place < geometry.cells);
        if (kind === MARK.LAST)
          return pieceBoxes(board, scene, geometry, cells).map((box) => (
            <Brackets box={box} unit={unit} width={7} arm={0.2} />
          ));
        if (kind === MARK.FROM)
          return cells.map((cell) => <Brackets box={geometry.boundingBox([cell])} unit={unit} width={4} arm={0.1} />);
        if (kind === MARK.TURNED) {
          return cells.map((cell) => {
            const [x, y] = geometry.centre(cell);
            return (
              <circle
                cx={rounded(x)}
                cy={rounded(y - unit * 0.035)}
                r={rounded(unit * 0.385)}
                fill="none"
                stroke="var(--last)"
                stroke-width="6"
                stroke-dasharray="12 9"
              />
            );
          });
        }
        if (kind === MARK.COUNTED && cells.length) {
          const { x, y, width, height } = geometry.boundingBox(cells);
          const lying = width > height;
          // At the right or upper end, unless a counter is there.
          const end = lying ? ([x + width - unit / 2, y + unit / 2] as const) : ([x + unit / 2, y + unit / 2] as const);
          const taken = counters(board, scene).some(
            (place) => Math.hypot(geometry.centre(place)[0] - end[0], geometry.centre(place)[1] - end[1]) < 1,
          );
          const [right, upper] = [
            taken ? x + unit * 0.3 : x + width - unit * 0.3,
            taken ? y + height - unit * 0.3 : y + unit * 0.3,
          ];
          return <Tick x={lying ? right : x + width / 2} y={lying ? y + height / 2 : upper} unit={unit} />;
        }
        if (kind === MARK.STEP && cells.length === 2)
          return <Arc from={geometry.centre(cells[0]!)} to={geometry.centre(cells[1]!)} unit={unit} />;
        return null;
      })}
    </g>
  );
}

/** The boxes around some cells; the cells of one piece share a box. */
function pieceBoxes(board: BoardSpec, scene: Scene, geometry: Geometry, cells: readonly number[]): Box[] {
  const groups = new Map<number, number[]>();
  for (const cell of cells) {
    const piece = topOf(board, scene, geometry, cell)?.place ?? cell;
    groups.set(piece, [...(groups.get(piece) ?? []), cell]);
  }
  return [...groups.values()].map((group) => geometry.boundingBox(group));
}

function Brackets({
  box: { x, y, width: w, height: h },
  unit,
  width,
  arm,
}: {
  box: Box;
  unit: number;
  width: number;
  arm: number;
}): VNode {
  const inset = unit * 0.055;
  const a = rounded(unit * arm);
  const [left, top, right, bottom] = [x + inset, y + inset, x + w - inset, y + h - inset].map(rounded) as [
    number,
    number,
    number,
    number,
  ];
  return (
    <path
      d={`M${left} ${top + a}V${top}H${left + a}M${right - a} ${top}H${right}V${top + a}M${right} ${bottom - a}V${bottom}H${right - a}M${left + a} ${bottom}H${left}V${bottom - a}`}
      fill="none"
      stroke="var(--last)"
      stroke-width={width}
      stroke-linejoin="round"
      stroke-linecap="round"
    />
  );
}

function Tick({ x, y, unit }: { x: number; y: number; unit: number }): VNode {
  const k = unit * 0.07;
  return (
    <g transform={`translate(${rounded(x)} ${rounded(y)})`}>
      <circle r={rounded(unit * 0.15)} fill="var(--pick)" stroke="var(--pick-halo)" stroke-width="4" />
      <path
        d={`M${rounded(-k)} 0l${rounded(k * 0.75)} ${rounded(k * 0.75)} ${rounded(k * 1.25)} ${rounded(-k * 1.5)}`}
        fill="none"
        stroke="var(--pick-halo)"
        stroke-width="5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </g>
  );
}

function Arc({
  from: [x0, y0],
  to: [x1, yEnd],
  unit,
}: {
  from: [number, number];
  to: [number, number];
  unit: number;
}): VNode {
  const y1 = yEnd + unit * 0.08;
  const bend = 0.22 * (x1 >= x0 ? 1 : -1);
  const [mx, my] = [(x0 + x1) / 2 + (y1 - y0) * bend, (y0 + y1) / 2 - (x1 - x0) * bend];
  const angle = Math.atan2(y1 - my, x1 - mx);
  const head = (turn: number): string =>
    `${rounded(x1 - 24 * Math.cos(angle + turn))} ${rounded(y1 - 24 * Math.sin(angle + turn))}`;
  const path = `M${rounded(x0)} ${rounded(y0 - unit * 0.08)}Q${rounded(mx)} ${rounded(my)} ${rounded(x1)} ${rounded(y1)}M${head(-0.5)}L${rounded(x1)} ${rounded(y1)}L${head(0.5)}`;
  return (
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      <path d={path} stroke="var(--pick-halo)" stroke-width="11" />
      <path d={path} stroke="var(--pick)" stroke-width="5.5" />
    </g>
  );
}
