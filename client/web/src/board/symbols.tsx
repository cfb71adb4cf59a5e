// The symbols and colours of the two seats, and the crown.
import type { VNode } from "preact";
import { points, rounded } from "./geometry.ts";

export type Tone = "dark" | "light" | "none";

/** A seat's colour, by design token; pieces without a seat are stone. */
export const color = (tone: Tone, part: string): string =>
  tone === "none" ? `var(--stone-${NONE[part] ?? "ink"})` : `var(--${tone}-${part})`;
const NONE: { [part: string]: string } = { top: "top", ball: "top", edge: "side", rim: "ink", mark: "ink" };

/** The symbol of a seat: a diamond for dark, a circle for light. */
export function SeatSymbol({
  x = 0,
  y = 0,
  r,
  tone,
  fill,
}: {
  x?: number;
  y?: number;
  r: number;
  tone: Tone;
  fill: string;
}): VNode {
  const q = r * 1.3;
  return tone === "dark" ? (
    <path
      d={`M${rounded(x)} ${rounded(y - q)}l${rounded(q)} ${rounded(q)} ${rounded(-q)} ${rounded(q)} ${rounded(-q)} ${rounded(-q)}z`}
      fill={fill}
    />
  ) : (
    <circle cx={rounded(x)} cy={rounded(y)} r={rounded(r)} fill={fill} />
  );
}

export function Crown({
  y = 0,
  r,
  stroke,
  fill,
  width,
}: {
  y?: number;
  r: number;
  stroke: string;
  fill: string;
  width: number;
}): VNode {
  const outline = [
    [-1, 0.62],
    [-1.08, -0.5],
    [-0.48, 0.06],
    [0, -0.82],
    [0.48, 0.06],
    [1.08, -0.5],
    [1, 0.62],
  ] as const;
  return (
    <g fill={fill} stroke={stroke} stroke-width={width} stroke-linejoin="round">
      <polygon points={points(outline.map(([a, b]) => [a * r, y + b * r]))} />
      {(
        [
          [-1.08, -0.5],
          [0, -0.82],
          [1.08, -0.5],
        ] as const
      ).map(([a, b]) => (
        <circle
          cx={rounded(a * r)}
          cy={rounded(y + b * r)}
          r={rounded(r * 0.14)}
          fill={fill === "none" ? stroke : fill}
          stroke-width={width * 0.6}
        />
      ))}
    </g>
  );
}
