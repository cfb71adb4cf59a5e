// A preview of a pick: new pieces in teal outlines, and a cross where nothing can be placed.
import type { VNode } from "preact";
import type { BoardSpec, Scene } from "../../sdk/index.ts";
import type { Href } from "./DrawnPieces.tsx";
import { type Geometry, rounded } from "./geometry.ts";
import { type Piece, topOf } from "./pieces.ts";
import type { Ghost } from "./placing.ts";

interface Props {
  board: BoardSpec;
  geometry: Geometry;
  /** The pieces that would be new. */
  pieces: readonly Piece[];
  href: Href;
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

interface GhostProps {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  ghost: Ghost;
  href: Href;
}

/** A piece where it would be placed; with a cross on each piece in its way if it does not fit. */
export function GhostPiece({ board, scene, geometry, ghost, href }: GhostProps): VNode {
  const { x, y, width, height } = geometry.boundingBox(ghost.cells);
  const fits = ghost.ends !== null;
  const inset = geometry.unit * 0.06;
  const box = {
    x: rounded(x + inset),
    y: rounded(y + inset),
    width: rounded(width - 2 * inset),
    height: rounded(height - 2 * inset),
    rx: rounded(geometry.unit * 0.42),
    fill: "none",
  };
  return (
    <g class={fits ? "ghost" : "ghost blocked"} aria-hidden="true" pointer-events="none">
      <use
        href={href(ghost.glyph, 0)}
        transform={`translate(${rounded(x + width / 2)} ${rounded(y + height / 2)})`}
        opacity={fits ? ".78" : ".42"}
      />
      <rect {...box} stroke="var(--pick-halo)" stroke-width="9" />
      <rect
        {...box}
        stroke={fits ? "var(--pick)" : "var(--danger)"}
        stroke-width="5"
        stroke-dasharray={fits ? undefined : "14 7"}
      />
      {!fits &&
        ghost.cells
          .filter((cell) => topOf(board, scene, geometry, cell))
          .map((cell) => <Cross at={geometry.centre(cell)} unit={geometry.unit} key={cell} />)}
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
