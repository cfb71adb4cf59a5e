// A board to look at, without marks or interactive cells: for lists, cards and invitations. Board.tsx draws a board to play on.
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { BoardSpec, Scene } from "../../sdk/index.ts";
import { memo } from "../components/memo.ts";
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
  /** Show the whole frame with its coordinates. */
  coordinates?: boolean;
}

export const BoardPicture = memo(function BoardPicture({ board, scene, label, coordinates = false }: Props): VNode {
  const geometry = useMemo(() => new Geometry(board, false), [board]);
  const pieces = useMemo(() => piecesOf(board, scene, geometry), [board, scene, geometry]);
  const { id, href } = useDrawings();
  const { drawn, leaving, before } = useMotion(pieces, geometry, href);
  // The lobby has many pictures, which define only the drawings that they use, also of pieces that are leaving.
  const used = new Set([...pieces, ...before].map(({ glyph, level }) => href(glyph, level)));
  const margin = coordinates ? 0 : FRAME - MARGIN;
  const box = `${margin} ${margin} ${geometry.width - 2 * margin} ${geometry.height - 2 * margin}`;
  const drawing = { board, scene, geometry, href };
  return (
    <div class={coordinates ? "board" : "board small"}>
      <svg viewBox={box} role="img" aria-label={label}>
        <Drawings board={board} geometry={geometry} id={id} uses={(glyph, level) => used.has(href(glyph, level))} />
        <Surface board={board} geometry={geometry} coordinates={coordinates} id={id} />
        <Tracks board={board} scene={scene} geometry={geometry} numbers={coordinates} />
        <g ref={drawn}>
          {pieces.map((piece) => (
            <DrawnPiece {...drawing} piece={piece} key={pieceKey(piece)} />
          ))}
        </g>
        <g ref={leaving} />
      </svg>
    </div>
  );
});
