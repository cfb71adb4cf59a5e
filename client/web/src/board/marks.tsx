// What is pointed out on the board: the last turn in violet, what a half-made turn does in teal.
import type { VNode } from "preact";
import { type BoardSpec, MARK, type Scene } from "../../sdk/index.ts";
import { type Box, type Geometry, short } from "./geometry.ts";
import { counters, topOf } from "./pieces.ts";

export interface Marked {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
}

/** Marks that lie on the board, under the pieces. */
export function MarksUnder({ scene, geometry }: Marked): VNode {
  const { unit } = geometry;
  return (
    <g class="marks">
      {scene[3].map(([kind, ...places]) => {
        const cells = places.filter((place) => place < geometry.cells);
        if (!cells.length) return null;
        if (kind === MARK.LAST || kind === MARK.FROM)
          return cells.map((cell) => (
            <Veil at={geometry.corner(cell)} unit={unit} opacity={kind === MARK.LAST ? 0.2 : 0.1} />
          ));
        const { x, y, width, height } = geometry.around(cells);
        if (kind === MARK.LINE)
          return (
            <rect
              x={short(x)}
              y={short(y)}
              width={short(width)}
              height={short(height)}
              fill="var(--pick)"
              fill-opacity=".26"
            />
          );
        if (kind === MARK.GONE) {
          const inset = unit * 0.14;
          return (
            <rect
              x={short(x + inset)}
              y={short(y + inset)}
              width={short(width - 2 * inset)}
              height={short(height - 2 * inset)}
              rx={short(unit * 0.12)}
              fill="var(--last)"
              fill-opacity=".1"
              stroke="var(--last)"
              stroke-width="4.5"
              stroke-dasharray="15 11"
            />
          );
        }
        if (kind === MARK.SIGHT && cells.length === 2) {
          const [[x0, y0], [x1, y1]] = [geometry.middle(cells[0]!), geometry.middle(cells[1]!)];
          const path = `M${short(x0)} ${short(y0)}L${short(x1)} ${short(y1)}`;
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

function Veil({ at: [x, y], unit, opacity }: { at: [number, number]; unit: number; opacity: number }): VNode {
  return (
    <rect
      x={short(x)}
      y={short(y)}
      width={short(unit)}
      height={short(unit)}
      fill="var(--last)"
      fill-opacity={opacity}
    />
  );
}

/** Marks of the position that lie over the pieces. */
export function MarksOver({ board, scene, geometry }: Marked): VNode {
  const { unit } = geometry;
  return (
    <g class="marks">
      {scene[3].map(([kind, ...places]) => {
        const cells = places.filter((place) => place < geometry.cells);
        if (kind === MARK.LAST)
          return pieced(board, scene, geometry, cells).map((box) => (
            <Brackets box={box} unit={unit} width={7} arm={0.2} />
          ));
        if (kind === MARK.FROM)
          return cells.map((cell) => <Brackets box={geometry.around([cell])} unit={unit} width={4} arm={0.1} />);
        if (kind === MARK.TURNED) {
          return cells.map((cell) => {
            const [x, y] = geometry.middle(cell);
            return (
              <circle
                cx={short(x)}
                cy={short(y - unit * 0.035)}
                r={short(unit * 0.385)}
                fill="none"
                stroke="var(--last)"
                stroke-width="6"
                stroke-dasharray="12 9"
              />
            );
          });
        }
        if (kind === MARK.COUNTED && cells.length) {
          const { x, y, width, height } = geometry.around(cells);
          const lying = width > height;
          // At the right or upper end, unless a counter stands there.
          const end = lying ? ([x + width - unit / 2, y + unit / 2] as const) : ([x + unit / 2, y + unit / 2] as const);
          const taken = counters(board, scene).some(
            (place) => Math.hypot(geometry.middle(place)[0] - end[0], geometry.middle(place)[1] - end[1]) < 1,
          );
          const [right, upper] = [
            taken ? x + unit * 0.3 : x + width - unit * 0.3,
            taken ? y + height - unit * 0.3 : y + unit * 0.3,
          ];
          return <Tick x={lying ? right : x + width / 2} y={lying ? y + height / 2 : upper} unit={unit} />;
        }
        if (kind === MARK.STEP && cells.length === 2)
          return <Arc from={geometry.middle(cells[0]!)} to={geometry.middle(cells[1]!)} unit={unit} />;
        return null;
      })}
    </g>
  );
}

/** The boxes around some cells; those that one piece covers make one box. */
function pieced(board: BoardSpec, scene: Scene, geometry: Geometry, cells: readonly number[]): Box[] {
  const groups = new Map<number, number[]>();
  for (const cell of cells) {
    const piece = topOf(board, scene, geometry, cell)?.place ?? cell;
    groups.set(piece, [...(groups.get(piece) ?? []), cell]);
  }
  return [...groups.values()].map((group) => geometry.around(group));
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
  const a = short(unit * arm);
  const [left, top, right, bottom] = [x + inset, y + inset, x + w - inset, y + h - inset].map(short) as [
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
    <g transform={`translate(${short(x)} ${short(y)})`}>
      <circle r={short(unit * 0.15)} fill="var(--pick)" stroke="var(--pick-halo)" stroke-width="4" />
      <path
        d={`M${short(-k)} 0l${short(k * 0.75)} ${short(k * 0.75)} ${short(k * 1.25)} ${short(-k * 1.5)}`}
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
    `${short(x1 - 24 * Math.cos(angle + turn))} ${short(y1 - 24 * Math.sin(angle + turn))}`;
  const path = `M${short(x0)} ${short(y0 - unit * 0.08)}Q${short(mx)} ${short(my)} ${short(x1)} ${short(y1)}M${head(-0.5)}L${short(x1)} ${short(y1)}L${head(0.5)}`;
  return (
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      <path d={path} stroke="var(--pick-halo)" stroke-width="11" />
      <path d={path} stroke="var(--pick)" stroke-width="5.5" />
    </g>
  );
}
