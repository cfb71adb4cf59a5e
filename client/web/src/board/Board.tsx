// The board, drawn only from a board specification and a scene. It never asks which game it is.
import type { VNode } from "preact";
import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type BoardSpec, MARK, marksOf, type Offered, type Scene, talliesOf } from "../../sdk/index.ts";
import { Cells, type PlacingControls } from "./Cells.tsx";
import { FRAME, Geometry, type Point, rounded } from "./geometry.ts";
import { memo } from "../components/memo.ts";
import { Surface, surfaceOf, toneOf } from "./Surface.tsx";
import { MarksOver, MarksUnder } from "./Marks.tsx";
import { animate } from "./motion.ts";
import { Exceptions, Picks } from "./Picks.tsx";
import { Cross, GhostPiece, PreviewedPieces } from "./Preview.tsx";
import type { Ghost } from "./placing.ts";
import { Arrows, type Pointer, Pointers } from "./Pointers.tsx";
import { type Piece, piecesOf, topOf } from "./pieces.ts";
import { drawGlyph, rise } from "./shapes.tsx";
import { Tracks } from "./Tracks.tsx";

const NOTHING: readonly never[] = [];
const MARGIN = 14; // the part of the frame that small boards show

export interface BoardProps {
  board: BoardSpec;
  scene: Scene;
  flipped?: boolean;
  /** Small boards have no coordinates, marks or interactive cells. */
  small?: boolean;
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
  small = false,
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
  const id = useId();
  const geometry = useMemo(() => new Geometry(board, flipped), [board, flipped]);
  const pieces = useMemo(() => piecesOf(board, scene, geometry), [board, scene, geometry]);
  const after = useMemo(() => (preview ? piecesOf(board, preview, geometry) : null), [board, preview, geometry]);
  const [hover, setHover] = useState<number | null>(null);
  const [drag, setDrag] = useState<(Point & { cell: number }) | null>(null);
  const [magnified, setMagnified] = useState<Point | null>(null);
  const layer = useRef<SVGGElement>(null);
  const drawn = useRef<SVGGElement>(null);
  const shown = useRef<{ pieces: readonly Piece[]; geometry: Geometry } | null>(null);
  const chosen = play?.chosen ?? NOTHING;
  const { unit } = geometry;

  const href = useCallback((glyph: number, level: number) => `#${id}-${glyph}${level ? "u" : ""}`, [id]);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pieces, geometry };
    if (!before || before.pieces === pieces || before.geometry !== geometry || !layer.current) return;
    const node = (piece: Piece): SVGGElement | null =>
      drawn.current?.querySelector(`[data-piece="${pieceKey(piece)}"]`) ?? null;
    animate(before.pieces, pieces, node, layer.current, ({ glyph, level }) => href(glyph, level));
  }, [pieces, geometry, href]);

  const ghosts = new Set(
    marksOf(scene)
      .filter(([kind]) => kind === MARK.GHOST)
      .flatMap((mark) => mark.slice(1)),
  );
  const score = (piece: Piece): number | null => {
    const glyph = board.glyphs[piece.glyph]!;
    return glyph.shows_score && glyph.seat != null ? (talliesOf(scene)[glyph.seat]?.[0] ?? 0) : null;
  };
  const box = small
    ? `${FRAME - MARGIN} ${FRAME - MARGIN} ${geometry.width - 2 * (FRAME - MARGIN)} ${geometry.height - 2 * (FRAME - MARGIN)}`
    : `0 0 ${geometry.width} ${geometry.height}`;
  const marked = { board, scene, geometry };
  // The lobby has many small boards, which define only the drawings that they use, also of pieces that are leaving.
  const used = small
    ? new Set([...pieces, ...(shown.current?.pieces ?? [])].map(({ glyph, level }) => href(glyph, level)))
    : null;
  const defines = (glyph: number, level: number): boolean => used?.has(href(glyph, level)) ?? true;

  return (
    <div class={small ? "board small" : "board"}>
      <svg
        viewBox={box}
        aria-hidden={play ? "true" : undefined}
        role={play ? undefined : "img"}
        aria-label={play ? undefined : label}
      >
        <defs>
          {board.glyphs.map((glyph, n) => {
            const brush = { unit, tone: toneOf(board, glyph.seat), ground: `var(--${surfaceOf(board)})`, flipped };
            return (
              <>
                {defines(n, 0) && <g id={`${id}-${n}`}>{drawGlyph(glyph, { ...brush, bottom: true })}</g>}
                {defines(n, 1) && <g id={`${id}-${n}u`}>{drawGlyph(glyph, { ...brush, bottom: false })}</g>}
              </>
            );
          })}
        </defs>
        <g id={`${id}-all`}>
          <Surface board={board} geometry={geometry} coordinates={!small} id={id} />
          <Tracks board={board} scene={scene} geometry={geometry} numbers={numbers && !small} />
          {!small && <MarksUnder {...marked} />}
          <g ref={drawn}>
            {pieces.map((piece) => {
              const lifted = chosen.includes(piece.place) && cellCount(board, piece) > 1;
              const dragged = drag?.cell === piece.place && isOnTop(pieces, piece);
              const ghost = !lifted && ghosts.has(piece.place) && isOnTop(pieces, piece);
              const leaves = after !== null && !has(after, piece);
              const number = score(piece);
              const [x, y] = [rounded(piece.x), rounded(lifted ? piece.y - unit * 0.05 : piece.y)];
              return (
                <g
                  key={pieceKey(piece)}
                  data-piece={pieceKey(piece)}
                  transform={`translate(${x} ${y})`}
                  opacity={dragged ? 0.25 : ghost || leaves ? 0.34 : undefined}
                >
                  <use href={href(piece.glyph, piece.level)} />
                  {number !== null && (
                    <text
                      y={rounded(unit * 0.072)}
                      class={`on-piece score ${toneOf(board, board.glyphs[piece.glyph]!.seat)}`}
                      font-size={rounded(unit * 0.34)}
                    >
                      {number}
                    </text>
                  )}
                </g>
              );
            })}
            {!small && <DepartedPieces {...marked} href={href} />}
          </g>
          <g ref={layer} />
          {!small && <MarksOver {...marked} />}
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
          {pointers && <Pointers pointers={pointers} geometry={geometry} />}
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

const pieceKey = (piece: Piece): string => `${piece.place}.${piece.level}`;

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
  href(glyph: number, level: number): string;
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
