// The board to play on, drawn only from a board specification and a scene. It never asks which game it is.
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type BoardSpec, MARK, marksOf, type Offered, type Scene } from "../../sdk/index.ts";
import { Cells, type PlacingControls } from "./Cells.tsx";
import { FRAME, Geometry, type Point, rounded } from "./geometry.ts";
import { memo } from "../components/memo.ts";
import { Drawings, DrawnPiece, type Href, pieceKey, useDrawings } from "./DrawnPieces.tsx";
import { MarksOver, MarksUnder } from "./Marks.tsx";
import { Exceptions, Picks } from "./Picks.tsx";
import { Cross, GhostPiece, PreviewedPieces } from "./Preview.tsx";
import type { Ghost } from "./placing.ts";
import { Arrows, type Pointer, Pointers } from "./Pointers.tsx";
import { type Piece, piecesOf, topOf } from "./pieces.ts";
import { rise } from "./shapes.tsx";
import { Surface } from "./Surface.tsx";
import { Tracks } from "./Tracks.tsx";
import { useMotion } from "./useMotion.ts";

const NOTHING: readonly never[] = [];

export interface BoardProps {
  board: BoardSpec;
  scene: Scene;
  flipped?: boolean;
  /** A description for screen readers. */
  label: string;
  numbers?: boolean;
  /** Picks to draw on a board that is not interactive. */
  offered?: readonly Offered[];
  /** Places that a lesson or a hint points at. */
  pointers?: readonly Pointer[];
  /** Moves to draw, each from one cell to another. */
  arrows?: readonly (readonly [number, number])[];
  /** The position after a pick that is not made yet. */
  preview?: Scene | null;
  /** A piece where it would be placed. */
  ghost?: Ghost | null;
  /** A place that cannot be picked. */
  refused?: number | null;
  play?: {
    picks: readonly Offered[];
    /** A piece that covers several cells is to be placed. */
    placing?: PlacingControls | null;
    /** Do not mark the cells that may be picked. */
    hidePicks?: boolean;
    chosen: readonly number[];
    onPick(place: number): void;
    onBack(): void;
    onMiss(place: number): void;
    onHover(place: number | null): void;
  };
}

export const Board = memo(function Board({
  board,
  scene,
  flipped = false,
  label,
  numbers = true,
  offered,
  pointers,
  arrows,
  preview = null,
  ghost = null,
  refused = null,
  play,
}: BoardProps): VNode {
  const { id, href } = useDrawings();
  const geometry = useMemo(() => new Geometry(board, flipped), [board, flipped]);
  const pieces = useMemo(() => piecesOf(board, scene, geometry), [board, scene, geometry]);
  const after = useMemo(() => (preview ? piecesOf(board, preview, geometry) : null), [board, preview, geometry]);
  const [hover, setHover] = useState<number | null>(null);
  const [drag, setDrag] = useState<(Point & { cell: number }) | null>(null);
  const [magnified, setMagnified] = useState<Point | null>(null);
  const { drawn, leaving } = useMotion(pieces, geometry, href);
  const chosen = play?.chosen ?? NOTHING;
  const { unit } = geometry;

  const ghosts = new Set(
    marksOf(scene)
      .filter(([kind]) => kind === MARK.GHOST)
      .flatMap((mark) => mark.slice(1)),
  );
  const marked = { board, scene, geometry };
  return (
    <div class="board">
      <svg
        viewBox={`0 0 ${geometry.width} ${geometry.height}`}
        aria-hidden={play ? "true" : undefined}
        role={play ? undefined : "img"}
        aria-label={play ? undefined : label}
      >
        <Drawings board={board} geometry={geometry} id={id} flipped={flipped} />
        <g id={`${id}-all`}>
          <Surface board={board} geometry={geometry} coordinates id={id} />
          <Tracks board={board} scene={scene} geometry={geometry} numbers={numbers} />
          <MarksUnder {...marked} />
          <g ref={drawn}>
            {pieces.map((piece) => {
              const lifted = chosen.includes(piece.place) && cellCount(board, piece) > 1;
              const dragged = drag?.cell === piece.place && isOnTop(pieces, piece);
              const ghost = !lifted && ghosts.has(piece.place) && isOnTop(pieces, piece);
              const leaves = after !== null && !has(after, piece);
              return (
                <DrawnPiece
                  {...marked}
                  key={pieceKey(piece)}
                  piece={piece}
                  href={href}
                  isLifted={lifted}
                  opacity={dragged ? 0.25 : ghost || leaves ? 0.34 : undefined}
                />
              );
            })}
            <DepartedPieces {...marked} href={href} />
          </g>
          <g ref={leaving} />
          <MarksOver {...marked} />
          {after && (
            <PreviewedPieces
              pieces={after.filter((piece) => !has(pieces, piece))}
              geometry={geometry}
              board={board}
              href={href}
            />
          )}
          {ghost && <GhostPiece ghost={ghost} {...marked} href={href} />}
          {refused !== null && refused < geometry.cells && <Cross at={geometry.centre(refused)} unit={unit} />}
          {offered && <Picks {...marked} picks={offered} chosen={NOTHING} hover={null} />}
          {play?.placing && <Exceptions cells={play.placing.cells} geometry={geometry} />}
          {play && !play.placing && !play.hidePicks && (
            <Picks {...marked} picks={play.picks} chosen={chosen} hover={hover} />
          )}
          {arrows && <Arrows arrows={arrows} geometry={geometry} />}
          {pointers && <Pointers pointers={pointers} {...marked} />}
          {drag &&
            pieces
              .filter((piece) => piece.place === drag.cell && isOnTop(pieces, piece))
              .map((piece) => (
                <g
                  class="dragged"
                  transform={`translate(${rounded(FRAME + drag.x * (geometry.width - 2 * FRAME))} ${rounded(FRAME + drag.y * (geometry.height - 2 * FRAME))}) scale(1.08)`}
                >
                  <use href={href(piece.glyph, piece.level)} />
                </g>
              ))}
        </g>
      </svg>
      {magnified && <Magnifier of={`#${id}-all`} at={magnified} geometry={geometry} />}
      {play && (
        <Cells
          {...marked}
          {...play}
          ghost={ghost}
          chosen={chosen}
          label={label}
          onDrag={setDrag}
          onMagnify={setMagnified}
          onHover={(place) => {
            setHover(place);
            play.onHover(place);
          }}
        />
      )}
    </div>
  );
});

const MAGNIFIED = 132; // board units that the magnifier shows
const MAGNIFICATION = 2.4;

/** An enlarged view of the board under the finger. */
function Magnifier({ of, at, geometry }: { of: string; at: Point; geometry: Geometry }): VNode {
  const [x, y] = [FRAME + at.x * (geometry.width - 2 * FRAME), FRAME + at.y * (geometry.height - 2 * FRAME)];
  const share = (MAGNIFIED * MAGNIFICATION) / geometry.width;
  return (
    <div
      class="magnifier"
      aria-hidden="true"
      style={{
        left: `${(x / geometry.width) * 100}%`,
        top: `${(y / geometry.height) * 100}%`,
        width: `${share * 100}%`,
      }}
    >
      <svg viewBox={`${rounded(x - MAGNIFIED / 2)} ${rounded(y - MAGNIFIED / 2)} ${MAGNIFIED} ${MAGNIFIED}`}>
        <use href={of} />
      </svg>
    </div>
  );
}

const has = (pieces: readonly Piece[], one: Piece): boolean =>
  pieces.some(({ place, level, glyph }) => place === one.place && level === one.level && glyph === one.glyph);

function cellCount(board: BoardSpec, piece: Piece): number {
  const { columns = 1, rows = 1 } = board.glyphs[piece.glyph]!;
  return columns * rows;
}

function isOnTop(pieces: readonly Piece[], piece: Piece): boolean {
  return !pieces.some((other) => other.place === piece.place && other.level > piece.level);
}

/** A faint copy of a piece on the cell that it has left in this unfinished turn. */
function DepartedPieces({
  board,
  scene,
  geometry,
  href,
}: {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  href: Href;
}): VNode {
  return (
    <>
      {marksOf(scene)
        .filter(([kind]) => kind === MARK.STEP)
        .map(([, from, to]) => {
          const moved = topOf(board, scene, geometry, to!);
          if (!moved || from! >= geometry.cells) return null;
          const level = (topOf(board, scene, geometry, from!)?.level ?? -1) + 1;
          const [x, y] = geometry.centre(from!);
          const height = rise(board.glyphs[moved.glyph]!.shape, level, geometry.unit);
          return (
            <use
              href={href(moved.glyph, level)}
              transform={`translate(${rounded(x)} ${rounded(y - height)})`}
              opacity=".34"
            />
          );
        })}
    </>
  );
}
