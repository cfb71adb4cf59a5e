// How each shape of piece is drawn, around the centre of the cells it covers. A shape that is not known here becomes a
// round token with its first letter. Light comes from the top left; pieces show their front edge below.
import type { VNode } from "preact";
import type { Glyph } from "../../sdk/index.ts";
import { points, rounded } from "./geometry.ts";
import { color, Crown, SeatSymbol, type Tone } from "./symbols.tsx";

export interface Brush {
  /** The side length of a cell. */
  unit: number;
  tone: Tone;
  /** The colour that shows through a hole. */
  ground: string;
  /** Whether the piece lies on the board, not on another piece. */
  bottom: boolean;
  flipped: boolean;
}

type Draw = (glyph: Glyph, brush: Brush) => VNode;

/** Draw a glyph. */
export function drawGlyph(glyph: Glyph, brush: Brush): VNode {
  return (SHAPES[glyph.shape] ?? token)(glyph, brush);
}

/** How far a piece is raised when it lies on `level` others. */
export function rise(shape: string, level: number, unit: number): number {
  if (shape === "ring") return (level * 0.1 - 0.07) * unit;
  if (shape === "ball") return (Math.max(0, level - 1) * 0.1 + 0.08) * unit;
  return shape === "counter" ? 0 : level * 0.1 * unit;
}

function Shadow({ x, y, r }: { x: number; y: number; r: number }): VNode {
  return <ellipse cx={rounded(x)} cy={rounded(y)} rx={rounded(r)} ry={rounded(r * 0.96)} fill="url(#shadow)" />;
}

/** A round piece seen slightly from the front: the edge below, the top above. */
function Round({
  r,
  y,
  height,
  tone,
  edge,
  rim = true,
}: {
  r: number;
  y: number;
  height: number;
  tone: Tone;
  edge?: string;
  rim?: boolean;
}): VNode {
  const [cy, cr] = [rounded(y), rounded(r)];
  return (
    <>
      <Shadow x={r * 0.06} y={y + height + r * 0.12} r={r * 1.18} />
      <circle cy={rounded(y + height)} r={cr} fill={edge ?? color(tone, "edge")} />
      <circle cy={cy} r={cr} fill={color(tone, "top")} stroke={color(tone, "rim")} stroke-width="2" />
      {rim && (
        <circle
          class="fine"
          cy={cy}
          r={rounded(r * 0.78)}
          fill="none"
          stroke={color(tone, "rim")}
          stroke-width="2"
          stroke-opacity=".55"
        />
      )}
      <circle cy={cy} r={cr} fill="url(#sheen)" />
    </>
  );
}

const token: Draw = (glyph, { unit, tone }) => (
  <g>
    <Round r={unit * 0.36} y={-unit * 0.035} height={unit * 0.075} tone={tone} />
    <text y={rounded(unit * 0.09)} class="on-piece" font-size={rounded(unit * 0.34)} fill={color(tone, "mark")}>
      {glyph.label || glyph.shape.charAt(0).toUpperCase()}
    </text>
  </g>
);

const disc: Draw = (_, { unit, tone }) => {
  const other = tone === "dark" ? "light" : "dark";
  return (
    <g>
      <Round r={unit * 0.385} y={-unit * 0.035} height={unit * 0.075} tone={tone} edge={`var(--${other}-top)`} />
      <SeatSymbol y={-unit * 0.035} r={unit * 0.073} tone={tone} fill={color(tone, "mark")} />
    </g>
  );
};

const man: Draw = (glyph, { unit, tone, flipped }) => {
  const k = unit * 0.145;
  const turn = 90 - (glyph.heading ?? 90) + (flipped ? 180 : 0);
  const head = points([
    [0, -1.05 * k],
    [0.72 * k, 0.8 * k],
    [0, 0.38 * k],
    [-0.72 * k, 0.8 * k],
  ]);
  return (
    <g>
      <Round r={unit * 0.345} y={-unit * 0.03} height={unit * 0.07} tone={tone} />
      <polygon
        points={head}
        transform={`translate(0 ${rounded(-unit * 0.03)}) rotate(${turn})`}
        fill={color(tone, "mark")}
        stroke={color(tone, "mark")}
        stroke-width="4"
        stroke-linejoin="round"
      />
    </g>
  );
};

const king: Draw = (_, { unit, tone }) => {
  const r = unit * 0.375;
  const y = -unit * 0.065;
  return (
    <g>
      <Round r={r} y={y} height={unit * 0.115} tone={tone} rim={false} />
      <circle
        cy={rounded(y)}
        r={rounded(r * 0.87)}
        fill="none"
        stroke="var(--star)"
        stroke-width={rounded(unit * 0.035)}
      />
      <Crown
        y={y + unit * 0.015}
        r={unit * 0.175}
        stroke={tone === "dark" ? "var(--dark-edge)" : "var(--star-edge)"}
        fill="var(--star)"
        width={3}
      />
    </g>
  );
};

/** A circle as a path, so that several make a shape with a hole. */
const circlePath = (r: number, y: number): string =>
  `M${rounded(-r)} ${rounded(y)}a${rounded(r)} ${rounded(r)} 0 1 0 ${rounded(2 * r)} 0a${rounded(r)} ${rounded(r)} 0 1 0 ${rounded(-2 * r)} 0z`;

const ring: Draw = (_, { unit, tone, ground, bottom }) => {
  const [outer, inner, height] = [unit * 0.335, unit * 0.19, unit * 0.078];
  const middle = (outer + inner) / 2;
  const top = circlePath(outer, -height) + circlePath(inner, -height);
  const [o, i] = [rounded(outer), rounded(inner)];
  return (
    <g>
      {bottom && <Shadow x={unit * 0.02} y={height * 0.6} r={outer * 1.2} />}
      <path
        d={`M${-o} ${rounded(-height)}V0A${o} ${o} 0 0 0 ${o} 0V${rounded(-height)}z`}
        fill={color(tone, "edge")}
        stroke={color(tone, "rim")}
        stroke-width="2"
      />
      <path d={circlePath(inner, -height)} fill={bottom ? ground : color(tone, "edge")} />
      <path d={circlePath(inner, -height)} fill="rgb(0 0 0/.3)" />
      <path
        d={`M${-i} ${rounded(-height)}A${i} ${i} 0 0 1 ${i} ${rounded(-height)}A${i} ${rounded(inner * 0.62)} 0 0 0 ${-i} ${rounded(-height)}z`}
        fill={color(tone, "edge")}
      />
      <path d={top} fill={color(tone, "top")} stroke={color(tone, "rim")} stroke-width="2.5" fill-rule="evenodd" />
      <path d={top} fill="url(#sheen)" fill-rule="evenodd" />
      {tone === "dark" ? (
        [45, 135, 225, 315].map((angle) => (
          <SeatSymbol
            x={middle * Math.cos((angle * Math.PI) / 180)}
            y={middle * Math.sin((angle * Math.PI) / 180) - height}
            r={unit * 0.019}
            tone="dark"
            fill="var(--dark-mark)"
          />
        ))
      ) : (
        <circle
          cy={rounded(-height)}
          r={rounded(middle)}
          fill="none"
          stroke={color(tone, "rim")}
          stroke-width="2.4"
          stroke-opacity=".8"
        />
      )}
    </g>
  );
};

const ball: Draw = (_, { unit, tone }) => {
  const r = unit * 0.205;
  const shine = `rotate(-38 ${rounded(-r * 0.36)} ${rounded(-r * 0.44)})`;
  return (
    <g>
      <Shadow x={unit * 0.02} y={r * 0.66} r={r * 1.02} />
      <circle r={rounded(r)} fill={color(tone, "ball")} />
      <circle
        r={rounded(r)}
        fill={tone === "dark" ? "url(#ball-dark)" : "url(#ball-light)"}
        stroke={color(tone, "rim")}
        stroke-width="2.2"
      />
      <ellipse
        cx={rounded(-r * 0.36)}
        cy={rounded(-r * 0.44)}
        rx={rounded(r * 0.26)}
        ry={rounded(r * 0.17)}
        transform={shine}
        fill="#fff"
        fill-opacity={tone === "dark" ? 0.62 : 0.95}
      />
      {tone === "dark" ? (
        <SeatSymbol x={r * 0.1} y={r * 0.2} r={r * 0.21} tone="dark" fill="var(--dark-mark)" />
      ) : (
        <circle
          cx={rounded(r * 0.1)}
          cy={rounded(r * 0.2)}
          r={rounded(r * 0.23)}
          fill="none"
          stroke={color(tone, "mark")}
          stroke-width="3.6"
        />
      )}
    </g>
  );
};

/** The box of a bar, around the centre of its cells. */
export function barBox(
  glyph: Glyph,
  unit: number,
): { x: number; y: number; width: number; height: number; radius: number } {
  const [columns, rows] = [glyph.columns ?? 1, glyph.rows ?? 1];
  const lying = columns >= rows;
  const width = columns * unit - 2 * unit * (lying ? 0.09 : 0.18);
  const height = rows * unit - 2 * unit * (lying ? 0.18 : 0.09);
  return { x: -width / 2, y: -height / 2, width, height, radius: unit * 0.12 };
}

const bar: Draw = (glyph, { unit, tone }) => {
  const { x, y, width, height, radius } = barBox(glyph, unit);
  const lying = width >= height;
  const box = { x: rounded(x), width: rounded(width), height: rounded(height), rx: rounded(radius) };
  const edge = unit * 0.065;
  const pips = glyph.pips ?? 0;
  const gap = unit * (pips === 2 ? 0.3 : 0.25);
  const plate = { width: pips * unit * 0.25 + unit * 0.14, height: unit * 0.3 };
  const [pw, ph] = lying ? [plate.width, plate.height] : [plate.height, plate.width];
  const grain = tone === "dark" ? "hatch" : lying ? "grain" : "grain-upright";
  return (
    <g>
      <rect {...box} x={rounded(x + 2)} y={rounded(y + edge + 4)} fill="rgb(0 0 0/.22)" />
      <rect {...box} y={rounded(y + edge)} fill={color(tone, "edge")} />
      <rect {...box} y={rounded(y)} fill={color(tone, "top")} stroke={color(tone, "rim")} stroke-width="2" />
      <rect
        x={rounded(x + 7)}
        y={rounded(y + 7)}
        width={rounded(width - 14)}
        height={rounded(height - 14)}
        rx={rounded(radius - 5)}
        fill={`url(#${grain})`}
      />
      <rect {...box} y={rounded(y)} fill="url(#fall)" />
      {pips > 0 && (
        <rect
          x={rounded(-pw / 2)}
          y={rounded(-ph / 2)}
          width={rounded(pw)}
          height={rounded(ph)}
          rx={rounded(unit * 0.15)}
          fill={color(tone, "top")}
        />
      )}
      {Array.from({ length: pips }, (_, n) => {
        const at = (n - (pips - 1) / 2) * gap;
        return (
          <SeatSymbol x={lying ? at : 0} y={lying ? 0 : at} r={unit * 0.078} tone={tone} fill={color(tone, "mark")} />
        );
      })}
    </g>
  );
};

const counter: Draw = (_, { unit, tone }) => {
  const y = -unit * 0.05;
  const r = unit * 0.38;
  const q = r * 0.84;
  const outline = (dy: number, paint: object): VNode =>
    tone === "dark" ? (
      <rect
        x={rounded(-q)}
        y={rounded(-q)}
        width={rounded(2 * q)}
        height={rounded(2 * q)}
        rx={rounded(unit * 0.09)}
        transform={`translate(0 ${rounded(y + dy)}) rotate(45)`}
        {...paint}
      />
    ) : (
      <circle cy={rounded(y + dy)} r={rounded(r)} {...paint} />
    );
  return (
    <g>
      <Shadow x={4} y={y + unit * 0.14} r={r * 1.25} />
      {outline(unit * 0.09, { fill: color(tone, "edge") })}
      {outline(0, {
        fill: color(tone, "top"),
        stroke: tone === "none" ? "var(--ink)" : `var(--${tone}-text)`,
        "stroke-width": 7,
      })}
      {outline(0, { fill: "url(#sheen)" })}
    </g>
  );
};

const block: Draw = (_, { unit }) => {
  const k = unit * 0.41;
  const face = 2 * k - unit * 0.12;
  const top = -k - 4;
  const third = face / 3;
  const wall = { x: rounded(-k), width: rounded(2 * k), rx: 8 };
  const line = (row: number): string => `M${rounded(-k)} ${rounded(top + row * third)}h${rounded(2 * k)}`;
  const joint = (at: number, row: number): string =>
    `M${rounded(-k + 2 * k * at)} ${rounded(top + row * third)}v${rounded(third)}`;
  return (
    <g>
      <rect {...wall} x={rounded(-k + 3)} y={rounded(-k + 6)} height={rounded(2 * k)} fill="rgb(0 0 0/.2)" />
      <rect {...wall} y={rounded(-k)} height={rounded(2 * k)} fill="var(--stone-side)" />
      <rect {...wall} y={rounded(top)} height={rounded(face)} fill="var(--stone-top)" />
      <rect {...wall} y={rounded(top)} height={rounded(face)} fill="url(#light)" />
      <path
        d={line(1) + line(2) + joint(0.38, 0) + joint(0.66, 1) + joint(0.3, 2)}
        stroke="var(--stone-ink)"
        stroke-width="2.6"
        stroke-opacity=".55"
      />
    </g>
  );
};

const joker: Draw = (_, { unit }) => {
  const r = unit * 0.37;
  const y = -unit * 0.03;
  const k = r * Math.SQRT1_2;
  const [cy, cr] = [rounded(y), rounded(r)];
  return (
    <g>
      <Shadow x={3} y={y + unit * 0.1} r={r * 1.2} />
      <circle cy={rounded(y + unit * 0.06)} r={cr} fill="var(--star-edge)" />
      <circle cy={cy} r={cr} fill="var(--light-top)" />
      <path
        d={`M${rounded(-k)} ${rounded(y + k)}A${cr} ${cr} 0 0 1 ${rounded(k)} ${rounded(y - k)}z`}
        fill="var(--dark-top)"
      />
      <circle cy={cy} r={cr} fill="url(#sheen)" />
      <circle cy={cy} r={rounded(r - 2)} fill="none" stroke="var(--star)" stroke-width="6" />
      <SeatSymbol x={-r * 0.36} y={y - r * 0.36} r={r * 0.18} tone="dark" fill="var(--dark-mark)" />
      <SeatSymbol x={r * 0.36} y={y + r * 0.36} r={r * 0.2} tone="light" fill="var(--light-mark)" />
    </g>
  );
};

const star: Draw = (glyph, { unit }) => {
  const spikes = (r: number, y: number): string =>
    points(
      Array.from({ length: 10 }, (_, n) => {
        const reach = n % 2 ? r * 0.56 : r;
        return [reach * Math.sin((Math.PI * n) / 5), y - reach * Math.cos((Math.PI * n) / 5)] as const;
      }),
    );
  return (
    <g>
      <polygon points={spikes(unit * 0.43, 5)} fill="rgb(0 0 0/.2)" />
      <polygon
        points={spikes(unit * 0.42, 0)}
        fill="var(--star)"
        stroke="var(--star-edge)"
        stroke-width="4"
        stroke-linejoin="round"
      />
      <polygon points={spikes(unit * 0.42, 0)} fill="url(#light)" />
      <text x="-1" y={rounded(unit * 0.115)} class="on-piece" font-size={rounded(unit * 0.27)} fill="var(--star-ink)">
        {glyph.label}
      </text>
    </g>
  );
};

const SHAPES: { [shape: string]: Draw } = { bar, ring, ball, disc, man, king, counter, block, joker, star };
