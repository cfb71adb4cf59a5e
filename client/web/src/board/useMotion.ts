// Animates the pieces of a board when their positions change.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Href, pieceKey } from "./DrawnPieces.tsx";
import type { Geometry } from "./geometry.ts";
import { animate } from "./motion.ts";
import type { Piece } from "./pieces.ts";

export interface Motion {
  /** The group with the drawn pieces. */
  drawn: RefObject<SVGGElement>;
  /** An empty group for the pieces that leave. */
  leaving: RefObject<SVGGElement>;
  /** The pieces before this rendering. */
  before: readonly Piece[];
}

export function useMotion(pieces: readonly Piece[], geometry: Geometry, href: Href): Motion {
  const drawn = useRef<SVGGElement>(null);
  const leaving = useRef<SVGGElement>(null);
  const shown = useRef<{ pieces: readonly Piece[]; geometry: Geometry } | null>(null);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pieces, geometry };
    if (!before || before.pieces === pieces || before.geometry !== geometry || !leaving.current) return;
    const node = (piece: Piece): SVGGElement | null =>
      drawn.current?.querySelector(`[data-piece="${pieceKey(piece)}"]`) ?? null;
    animate(before.pieces, pieces, node, leaving.current, ({ glyph, level }) => href(glyph, level));
  }, [pieces, geometry, href]);
  return { drawn, leaving, before: shown.current?.pieces ?? [] };
}
