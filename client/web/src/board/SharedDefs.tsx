// Gradients and patterns that all boards share. They only add light and shade, so they fit both themes.
import type { VNode } from "preact";

const stops = (color: string, ...list: [number, number][]): VNode[] =>
  list.map(([offset, opacity]) => <stop offset={offset} stop-color={color} stop-opacity={opacity} />);

export function SharedDefs(): VNode {
  return (
    <svg class="shared-defs" width="0" height="0" aria-hidden="true">
      <defs>
        <radialGradient id="sheen" cx=".34" cy=".26" r=".8">
          {stops("#fff", [0, 0.34], [0.55, 0.04], [1, 0])}
        </radialGradient>
        <radialGradient id="ball-light" cx=".38" cy=".3" r=".74">
          {stops("#fff", [0, 0.8], [0.45, 0.08])}
          {stops("#6b4310", [0.78, 0.2])}
          {stops("#4a2c05", [1, 0.5])}
        </radialGradient>
        <radialGradient id="ball-dark" cx=".38" cy=".3" r=".76">
          {stops("#e6f0ff", [0, 0.5], [0.42, 0.12])}
          {stops("#000", [0.78, 0.22], [1, 0.6])}
        </radialGradient>
        <radialGradient id="shadow">{stops("#000", [0, 0.42], [0.62, 0.26], [1, 0])}</radialGradient>
        <linearGradient id="fall" x1="0" y1="0" x2="0" y2="1">
          {stops("#fff", [0, 0.22], [0.5, 0])}
          {stops("#000", [1, 0.1])}
        </linearGradient>
        <linearGradient id="light" x1="0" y1="0" x2="1" y2="1">
          {stops("#fff", [0, 0.2], [0.5, 0])}
          {stops("#000", [1, 0.1])}
        </linearGradient>
        <pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.6" height="9" fill="#fff" fill-opacity=".13" />
        </pattern>
        <pattern id="grain" width="7" height="7" patternUnits="userSpaceOnUse">
          <rect width="7" height="1.3" y="3" fill="#7a5310" fill-opacity=".12" />
        </pattern>
        <pattern id="grain-upright" width="7" height="7" patternUnits="userSpaceOnUse">
          <rect height="7" width="1.3" x="3" fill="#7a5310" fill-opacity=".12" />
        </pattern>
      </defs>
    </svg>
  );
}
