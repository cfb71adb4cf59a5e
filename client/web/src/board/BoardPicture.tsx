// A board to look at, without marks or interactive cells: for lists, cards and invitations. Board.tsx draws a board to play on.
import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { BoardSpec, Scene } from "../../sdk/index.ts";
import { memo } from "../components/memo.ts";
import { useTurnInView } from "./drawingQueue.ts";
import { Drawings, DrawnPiece, pieceKey, useDrawings } from "./DrawnPieces.tsx";
import { FRAME, Geometry } from "./geometry.ts";
import { piecesOf } from "./pieces.ts";
import { Surface } from "./Surface.tsx";
import { Tracks } from "./Tracks.tsx";
import { useMotion } from "./useMotion.ts";

const MARGIN = 14; // the part of the frame that is shown without coordinates

interface Props {
  board: BoardSpec;
  scene: Scene;
  /** A description for screen readers. */
  label: string;
  /** Show the whole frame with its coordinates, at once: the board is what the page is about. */
  large?: boolean;
}

export const BoardPicture = memo(function BoardPicture({ board, scene, label, large = false }: Props): VNode {
  const geometry = useMemo(() => new Geometry(board, false), [board]);
  const box = useRef<HTMLDivElement>(null);
  const isDue = useTurnInView(box, large);
  const margin = large ? 0 : FRAME - MARGIN;
  const [width, height] = [geometry.width - 2 * margin, geometry.height - 2 * margin];
  return (
    <div class={large ? "board" : "board small"} style={{ aspectRatio: `${width} / ${height}` }} ref={box}>
      <svg viewBox={`${margin} ${margin} ${width} ${height}`} role="img" aria-label={label}>
        {isDue && <Drawing board={board} scene={scene} geometry={geometry} large={large} />}
      </svg>
    </div>
  );
});

interface DrawingProps {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  large: boolean;
}

function Drawing({ board, scene, geometry, large }: DrawingProps): VNode {
  const pieces = useMemo(() => piecesOf(board, scene, geometry), [board, scene, geometry]);
  const { id, href } = useDrawings();
  const { drawn, leaving, before } = useMotion(pieces, geometry, href);
  // A page has many pictures, which define only the drawings that they use, also of pieces that are leaving.
  const used = new Set([...pieces, ...before].map(({ glyph, level }) => href(glyph, level)));
  return (
    <>
      <Drawings board={board} geometry={geometry} id={id} uses={(glyph, level) => used.has(href(glyph, level))} />
      <Surface board={board} geometry={geometry} coordinates={large} id={id} />
      <Tracks board={board} scene={scene} geometry={geometry} numbers={large} />
      <g ref={drawn}>
        {pieces.map((piece) => (
          <DrawnPiece board={board} scene={scene} geometry={geometry} href={href} piece={piece} key={pieceKey(piece)} />
        ))}
      </g>
      <g ref={leaving} />
    </>
  );
}
