// What a pick would do, drawn before it is made: pieces that would be new in teal outlines, and a cross where nothing can.
import type { VNode } from "preact";
import type { BoardSpec } from "../../sdk/index.ts";
import { type Geometry, rounded } from "./geometry.ts";
import type { Piece } from "./pieces.ts";

interface Props {
  board: BoardSpec;
  geometry: Geometry;
  /** The pieces that would be new. */
  pieces: readonly Piece[];
  href(glyph: number, level: number): string;
}

export function PreviewedPieces({ board, geometry, pieces, href }: Props): VNode {
  const { unit } = geometry;
  return (
    <g class="preview" aria-hidden="true" pointer-events="none">
      {pieces.map((piece) => {
        const { columns = 1, rows = 1 } = board.glyphs[piece.glyph]!;
        const inset = unit * 0.06;
        const box = {
          x: rounded((-columns * unit) / 2 + inset),
          y: rounded((-rows * unit) / 2 + inset),
          width: rounded(columns * unit - 2 * inset),
          height: rounded(rows * unit - 2 * inset),
          rx: rounded(unit * 0.42),
        };
        return (
          <g key={`${piece.place}.${piece.level}`} transform={`translate(${rounded(piece.x)} ${rounded(piece.y)})`}>
            <use href={href(piece.glyph, piece.level)} opacity=".78" />
            <rect {...box} fill="none" stroke="var(--pick-halo)" stroke-width="9" />
            <rect {...box} fill="none" stroke="var(--pick)" stroke-width="5" stroke-dasharray="14 7" />
          </g>
        );
      })}
    </g>
  );
}

/** A cell that cannot be picked. */
export function Cross({ at: [x, y], unit }: { at: readonly [number, number]; unit: number }): VNode {
  const arm = rounded(unit * 0.24);
  const path = `M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}`;
  return (
    <g transform={`translate(${rounded(x)} ${rounded(y)})`} fill="none" stroke-linecap="round" aria-hidden="true">
      <path d={path} stroke="var(--pick-halo)" stroke-width="16" />
      <path d={path} stroke="var(--danger)" stroke-width="8" />
    </g>
  );
}
