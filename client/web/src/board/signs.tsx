// Small signs that mean the same everywhere, and the colours of the two sides.
import type { VNode } from "preact";
import { points, short } from "./geometry.ts";

export type Tone = "dark" | "light" | "none";

/** A colour of a side, by token; what belongs to nobody is of stone. */
export const color = (tone: Tone, part: string): string =>
  tone === "none" ? `var(--stone-${NONE[part] ?? "ink"})` : `var(--${tone}-${part})`;
const NONE: { [part: string]: string } = { top: "top", ball: "top", edge: "side", rim: "ink", mark: "ink" };

/** A seat's own sign: a diamond for the dark one, a circle for the light one. */
export function Sign({
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
      d={`M${short(x)} ${short(y - q)}l${short(q)} ${short(q)} ${short(-q)} ${short(q)} ${short(-q)} ${short(-q)}z`}
      fill={fill}
    />
  ) : (
    <circle cx={short(x)} cy={short(y)} r={short(r)} fill={fill} />
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
          cx={short(a * r)}
          cy={short(y + b * r)}
          r={short(r * 0.14)}
          fill={fill === "none" ? stroke : fill}
          stroke-width={width * 0.6}
        />
      ))}
    </g>
  );
}
