// Animation of what changed. The drawing is always the newest position; what moves is only laid over it, so a newer
// update can end it at any moment.
import { type Changes, changes, type Piece } from "./pieces.ts";

const MOVE = 180;
const FLIP = 260;
const APART = 30; // between two discs of a run
const LONGEST = 400;
const EASE = "cubic-bezier(.2,.7,.2,1)";

export function stillness(): boolean {
  return document.documentElement.classList.contains("still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Show how one list of pieces became the next. `node` finds the drawing of a piece, `layer` takes what is leaving. */
export function animate(
  before: readonly Piece[],
  after: readonly Piece[],
  node: (piece: Piece) => SVGGElement | null,
  layer: SVGGElement,
  picture: (piece: Piece) => string,
): void {
  finish(layer);
  if (stillness() || document.hidden) return;
  const found = changes(before, after);
  if (count(found) > 60) return; // another position altogether
  for (const { from, to } of found.moved) {
    play(node(to), [{ transform: at(from) }, { transform: at(to) }], MOVE);
  }
  const middle = found.come[0] ?? found.moved[0]?.to;
  const near = (piece: Piece): number => (middle ? Math.hypot(piece.x - middle.x, piece.y - middle.y) : 0);
  const run = [...found.turned].sort((a, b) => near(a.to) - near(b.to));
  run.forEach(({ from, to }, n) => {
    const delay = Math.min(n * APART, LONGEST - FLIP);
    const old = ghost(layer, picture(from));
    play(old, [{ transform: at(from) }, { transform: `${at(from)} scaleX(0)` }], FLIP / 2, delay, () => old.remove());
    play(node(to), [{ transform: `${at(to)} scaleX(0)` }, { transform: at(to) }], FLIP / 2, delay + FLIP / 2);
  });
  for (const piece of found.gone) {
    const old = ghost(layer, picture(piece));
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
  for (const piece of found.come) {
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

/** End whatever still moves. */
export function finish(layer: SVGGElement): void {
  for (const animation of layer.ownerSVGElement?.getAnimations({ subtree: true }) ?? []) {
    if (animation.id === "piece") animation.cancel();
  }
  layer.replaceChildren();
}

function count({ moved, turned, gone, come }: Changes): number {
  return moved.length + turned.length + gone.length + come.length;
}

function at(piece: Piece): string {
  return `translate(${piece.x}px,${piece.y}px)`;
}

function ghost(layer: SVGGElement, href: string): SVGUseElement {
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
