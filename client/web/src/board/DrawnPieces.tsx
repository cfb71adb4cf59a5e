// The drawings of a board's pieces: each glyph is drawn once, and used by all its pieces.
import type { VNode } from "preact";
import { useCallback, useId } from "preact/hooks";
import { type BoardSpec, type Scene, talliesOf } from "../../sdk/index.ts";
import { type Geometry, rounded } from "./geometry.ts";
import type { Piece } from "./pieces.ts";
import { drawGlyph } from "./shapes.tsx";
import { surfaceOf, toneOf } from "./Surface.tsx";

/** The reference to the drawing of a glyph at a level of its stack. */
export type Href = (glyph: number, level: number) => string;

/** An id for the drawings of a board, and the references to them. */
export function useDrawings(): { id: string; href: Href } {
  const id = useId();
  return { id, href: useCallback((glyph, level) => `#${id}-${glyph}${level ? "u" : ""}`, [id]) };
}

interface DrawingsProps {
  board: BoardSpec;
  geometry: Geometry;
  id: string;
  flipped?: boolean;
  /** Whether the board uses the drawing; all are defined by default. */
  uses?(glyph: number, level: number): boolean;
}

export function Drawings({ board, geometry, id, flipped = false, uses = () => true }: DrawingsProps): VNode {
  return (
    <defs>
      {board.glyphs.map((glyph, n) => {
        const tone = toneOf(board, glyph.seat);
        const brush = { unit: geometry.unit, tone, ground: `var(--${surfaceOf(board)})`, flipped };
        return (
          <>
            {uses(n, 0) && <g id={`${id}-${n}`}>{drawGlyph(glyph, { ...brush, bottom: true })}</g>}
            {uses(n, 1) && <g id={`${id}-${n}u`}>{drawGlyph(glyph, { ...brush, bottom: false })}</g>}
          </>
        );
      })}
    </defs>
  );
}

export const pieceKey = (piece: Piece): string => `${piece.place}.${piece.level}`;

interface DrawnPieceProps {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  piece: Piece;
  href: Href;
  isLifted?: boolean;
  opacity?: number | undefined;
}

/** A piece at its place, with the score of its player if it is a counter. */
export function DrawnPiece({ board, scene, geometry, piece, href, isLifted, opacity }: DrawnPieceProps): VNode {
  const { unit } = geometry;
  const glyph = board.glyphs[piece.glyph]!;
  const score = glyph.shows_score && glyph.seat != null ? (talliesOf(scene)[glyph.seat]?.[0] ?? 0) : null;
  const [x, y] = [rounded(piece.x), rounded(isLifted ? piece.y - unit * 0.05 : piece.y)];
  return (
    <g data-piece={pieceKey(piece)} transform={`translate(${x} ${y})`} opacity={opacity}>
      <use href={href(piece.glyph, piece.level)} />
      {score !== null && (
        <text
          y={rounded(unit * 0.072)}
          class={`on-piece score ${toneOf(board, glyph.seat)}`}
          font-size={rounded(unit * 0.34)}
        >
          {score}
        </text>
      )}
    </g>
  );
}
