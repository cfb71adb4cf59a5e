// Animations between positions. The drawing always shows the newest position; animations only run on top of it, so the
// next update can stop them at any moment.
import { type Changes, compare, type Piece } from "./pieces.ts";

// Durations in milliseconds.
const MOVE = 180;
const FLIP = 260;
const STAGGER = 30; // between two pieces that flip
const LONGEST = 400;
const EASE = "cubic-bezier(.2,.7,.2,1)";

export function prefersNoMotion(): boolean {
  return document.documentElement.classList.contains("still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Animate the change from one list of pieces to the next. `node` finds the drawing of a piece; `layer` holds copies of the
 * pieces that leave the board.
 */
export function animate(
  before: readonly Piece[],
  after: readonly Piece[],
  node: (piece: Piece) => SVGGElement | null,
  layer: SVGGElement,
  picture: (piece: Piece) => string,
): void {
  stopAnimations(layer);
  if (prefersNoMotion() || document.hidden) return;
  const found = compare(before, after);
  if (count(found) > 60) return; // an unrelated position
  for (const { from, to } of found.moved) {
    play(node(to), [{ transform: at(from) }, { transform: at(to) }], MOVE);
  }
  const origin = found.added[0] ?? found.moved[0]?.to;
  const distance = (piece: Piece): number => (origin ? Math.hypot(piece.x - origin.x, piece.y - origin.y) : 0);
  const flips = [...found.flipped].sort((a, b) => distance(a.to) - distance(b.to));
  flips.forEach(({ from, to }, n) => {
    const delay = Math.min(n * STAGGER, LONGEST - FLIP);
    const old = addCopy(layer, picture(from));
    play(old, [{ transform: at(from) }, { transform: `${at(from)} scaleX(0)` }], FLIP / 2, delay, () => old.remove());
    play(node(to), [{ transform: `${at(to)} scaleX(0)` }, { transform: at(to) }], FLIP / 2, delay + FLIP / 2);
  });
  for (const piece of found.removed) {
    const old = addCopy(layer, picture(piece));
    play(
      old,
      [
        { transform: at(piece), opacity: 1 },
        { transform: at(piece), opacity: 0 },
      ],
      MOVE,
      0,
      () => old.remove(),
    );
  }
  for (const piece of found.added) {
    play(
      node(piece),
      [
        { transform: `${at(piece)} translateY(-24px)`, opacity: 0 },
        { transform: at(piece), opacity: 1 },
      ],
      MOVE,
    );
  }
}

/** Stop all running animations. */
export function stopAnimations(layer: SVGGElement): void {
  for (const animation of layer.ownerSVGElement?.getAnimations({ subtree: true }) ?? []) {
    if (animation.id === "piece") animation.cancel();
  }
  layer.replaceChildren();
}

function count({ moved, flipped, removed, added }: Changes): number {
  return moved.length + flipped.length + removed.length + added.length;
}

function at(piece: Piece): string {
  return `translate(${piece.x}px,${piece.y}px)`;
}

function addCopy(layer: SVGGElement, href: string): SVGUseElement {
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", href);
  layer.append(use);
  return use;
}

function play(node: SVGElement | null, frames: Keyframe[], duration: number, delay = 0, after?: () => void): void {
  if (!node) return;
  const animation = node.animate(frames, { id: "piece", duration, delay, easing: EASE, fill: "both" });
  animation.onfinish = () => {
    animation.cancel();
    after?.();
  };
}
