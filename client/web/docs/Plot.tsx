// The axes of a plot in the documentation, and the frame around one or several plots.
import type { ComponentChildren, VNode } from "preact";
import { rounded } from "../src/board/geometry.ts";

/** A background with a border for a whole picture. */
export function Frame({ width, height }: { width: number; height: number }): VNode {
  return <rect x="1" y="1" width={width - 2} height={height - 2} rx="8" fill="var(--surface)" stroke="var(--line)" />;
}

export interface Axis {
  label: string;
  ticks: readonly number[];
  /** The distance of a value from the origin of the plot. */
  scale(value: number): number;
  /** The text at a tick; its number by default. */
  text?(value: number): string;
}

interface PlotProps {
  left: number;
  width: number;
  height: number;
  title: string;
  x: Axis;
  y: Axis;
  children: ComponentChildren;
}

export function Plot({ left, width, height, title, x, y, children }: PlotProps): VNode {
  return (
    <g transform={`translate(${left} 40)`} font-family="var(--font-ui)" font-size="11" fill="var(--ink-2)">
      <path
        d={
          x.ticks.map((tick) => `M${rounded(x.scale(tick))} 0v${height}`).join("") +
          y.ticks.map((tick) => `M0 ${rounded(height - y.scale(tick))}h${width}`).join("") +
          `M0 0h${width}v${height}h${-width}z`
        }
        fill="none"
        stroke="var(--line)"
      />
      <g text-anchor="middle">
        <text x={width / 2} y="-14" font-size="14" fill="var(--ink)">
          {title}
        </text>
        <text x={width / 2} y={height + 38} font-size="12">
          {x.label}
        </text>
        <text transform={`translate(-38 ${height / 2}) rotate(-90)`} font-size="12">
          {y.label}
        </text>
        {x.ticks.map((tick) => (
          <text x={rounded(x.scale(tick))} y={height + 18}>
            {x.text?.(tick) ?? tick}
          </text>
        ))}
      </g>
      <g text-anchor="end">
        {y.ticks.map((tick) => (
          <text x="-7" y={rounded(height - y.scale(tick) + 4)}>
            {y.text?.(tick) ?? tick}
          </text>
        ))}
      </g>
      {children}
    </g>
  );
}
