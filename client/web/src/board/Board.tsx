// The board: drawn from a board's description and a scene, and nothing else. It never asks which game it is.
import type { VNode } from "preact";
import { useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type BoardSpec, MARK, type Offered, type Scene } from "../../sdk/index.ts";
import { Cells } from "./cells.tsx";
import { FRAME, Geometry, short } from "./geometry.ts";
import { Ground, surfaceOf, toneOf } from "./ground.tsx";
import { MarksOver, MarksUnder } from "./marks.tsx";
import { animate } from "./motion.ts";
import { Picks } from "./picks.tsx";
import { type Piece, piecesOf, topOf } from "./pieces.ts";
import { picture, rise } from "./shapes.tsx";
import { Tracks } from "./tracks.tsx";

const NOTHING: readonly never[] = [];
const MARGIN = 14; // of the frame that small boards show

export interface BoardProps {
  board: BoardSpec;
  scene: Scene;
  flipped?: boolean;
  /** Small boards have no coordinates, no marks and no cells to press. */
  small?: boolean;
  /** In words, for those who cannot see it. */
  label: string;
  numbers?: boolean;
  /** What could be picked, to look at only. */
  offered?: readonly Offered[];
  play?: {
    picks: readonly Offered[];
    /** Nothing marks what may be picked. */
    quiet?: boolean;
    chosen: readonly number[];
    onPick(place: number): void;
    onBack(): void;
    onMiss(): void;
    onHover(place: number | null): void;
  };
}

export function Board({
  board,
  scene,
  flipped = false,
  small = false,
  label,
  numbers = true,
  offered,
  play,
}: BoardProps): VNode {
  const id = useId();
  const geometry = useMemo(() => new Geometry(board, flipped), [board, flipped]);
  const pieces = useMemo(() => piecesOf(board, scene, geometry), [board, scene, geometry]);
  const [hover, setHover] = useState<number | null>(null);
  const [drag, setDrag] = useState<{ cell: number; x: number; y: number } | null>(null);
  const [lens, setLens] = useState<{ x: number; y: number } | null>(null);
  const layer = useRef<SVGGElement>(null);
  const drawn = useRef<SVGGElement>(null);
  const shown = useRef<{ pieces: readonly Piece[]; geometry: Geometry } | null>(null);
  const chosen = play?.chosen ?? NOTHING;
  const { unit } = geometry;

  const href = (piece: Piece): string => `#${id}-${piece.glyph}${piece.level ? "u" : ""}`;
  const name = (piece: Piece): string => `${piece.place}.${piece.level}`;

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pieces, geometry };
    if (!before || before.pieces === pieces || before.geometry !== geometry || !layer.current) return;
    const node = (piece: Piece): SVGGElement | null =>
      drawn.current?.querySelector(`[data-piece="${name(piece)}"]`) ?? null;
    animate(before.pieces, pieces, node, layer.current, href);
  }, [pieces, geometry]);

  const ghosts = new Set(scene[3].filter(([kind]) => kind === MARK.GHOST).flatMap((mark) => mark.slice(1)));
  const score = (piece: Piece): number | null => {
    const glyph = board.glyphs[piece.glyph]!;
    return glyph.shows_score && glyph.seat != null ? (scene[1][glyph.seat]?.[0] ?? 0) : null;
  };
  const box = small
    ? `${FRAME - MARGIN} ${FRAME - MARGIN} ${geometry.width - 2 * (FRAME - MARGIN)} ${geometry.height - 2 * (FRAME - MARGIN)}`
    : `0 0 ${geometry.width} ${geometry.height}`;
  const marked = { board, scene, geometry };

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
                <g id={`${id}-${n}`}>{picture(glyph, { ...brush, bottom: true })}</g>
                <g id={`${id}-${n}u`}>{picture(glyph, { ...brush, bottom: false })}</g>
              </>
            );
          })}
        </defs>
        <g id={`${id}-all`}>
          <Ground board={board} geometry={geometry} coordinates={!small} id={id} />
          <Tracks board={board} scene={scene} geometry={geometry} numbers={numbers && !small} />
          {!small && <MarksUnder {...marked} />}
          <g ref={drawn}>
            {pieces.map((piece) => {
              const lifted = chosen.includes(piece.place) && covers(board, piece) > 1;
              const held = drag?.cell === piece.place && top(pieces, piece);
              const ghost = !lifted && ghosts.has(piece.place) && top(pieces, piece);
              const number = score(piece);
              const [x, y] = [short(piece.x), short(lifted ? piece.y - unit * 0.05 : piece.y)];
              return (
                <g
                  key={name(piece)}
                  data-piece={name(piece)}
                  transform={`translate(${x} ${y})`}
                  opacity={held ? 0.25 : ghost ? 0.34 : undefined}
                >
                  <use href={href(piece)} />
                  {number !== null && (
                    <text
                      y={short(unit * 0.072)}
                      class={`on-piece score ${toneOf(board, board.glyphs[piece.glyph]!.seat)}`}
                      font-size={short(unit * 0.34)}
                    >
                      {number}
                    </text>
                  )}
                </g>
              );
            })}
            {!small && <Left {...marked} href={(glyph, level) => `#${id}-${glyph}${level ? "u" : ""}`} />}
          </g>
          <g ref={layer} />
          {!small && <MarksOver {...marked} />}
          {offered && <Picks {...marked} picks={offered} chosen={NOTHING} hover={null} />}
          {play && !play.quiet && <Picks {...marked} picks={play.picks} chosen={chosen} hover={hover} />}
          {drag &&
            pieces
              .filter((piece) => piece.place === drag.cell && top(pieces, piece))
              .map((piece) => (
                <g
                  class="held"
                  transform={`translate(${short(FRAME + drag.x * (geometry.width - 2 * FRAME))} ${short(FRAME + drag.y * (geometry.height - 2 * FRAME))}) scale(1.08)`}
                >
                  <use href={href(piece)} />
                </g>
              ))}
        </g>
      </svg>
      {lens && <Lens of={`#${id}-all`} at={lens} geometry={geometry} />}
      {play && (
        <Cells
          {...marked}
          {...play}
          chosen={chosen}
          label={label}
          onDrag={setDrag}
          onLens={setLens}
          onHover={(place) => {
            setHover(place);
            play.onHover(place);
          }}
        />
      )}
    </div>
  );
}

const LENS = 132; // units of the board that the lens shows, 2.4 times as large

/** What is under the finger, larger and above it. */
function Lens({ of, at, geometry }: { of: string; at: { x: number; y: number }; geometry: Geometry }): VNode {
  const [x, y] = [FRAME + at.x * (geometry.width - 2 * FRAME), FRAME + at.y * (geometry.height - 2 * FRAME)];
  const share = (LENS * 2.4) / geometry.width;
  return (
    <div
      class="lens"
      aria-hidden="true"
      style={{
        left: `${(x / geometry.width) * 100}%`,
        top: `${(y / geometry.height) * 100}%`,
        width: `${share * 100}%`,
      }}
    >
      <svg viewBox={`${short(x - LENS / 2)} ${short(y - LENS / 2)} ${LENS} ${LENS}`}>
        <use href={of} />
      </svg>
    </div>
  );
}

function covers(board: BoardSpec, piece: Piece): number {
  const { columns = 1, rows = 1 } = board.glyphs[piece.glyph]!;
  return columns * rows;
}

function top(pieces: readonly Piece[], piece: Piece): boolean {
  return !pieces.some((other) => other.place === piece.place && other.level > piece.level);
}

/** Where a piece came from in this half-made turn it is still seen, faintly. */
function Left({
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
      {scene[3]
        .filter(([kind]) => kind === MARK.STEP)
        .map(([, from, to]) => {
          const moved = topOf(board, scene, geometry, to!);
          if (!moved || from! >= geometry.cells) return null;
          const level = (topOf(board, scene, geometry, from!)?.level ?? -1) + 1;
          const [x, y] = geometry.middle(from!);
          const height = rise(board.glyphs[moved.glyph]!.shape, level, geometry.unit);
          return (
            <use
              href={href(moved.glyph, level)}
              transform={`translate(${short(x)} ${short(y - height)})`}
              opacity=".34"
            />
          );
        })}
    </>
  );
}
