// A page with many boards draws them one after another, so that it answers to presses meanwhile.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

const AHEAD = "200px"; // of what is in view
const queue: (() => void)[] = [];

function drawNext(): void {
  queue.shift()?.();
  if (queue.length) setTimeout(drawNext);
}

function waitForTurn(draw: () => void): void {
  if (queue.push(draw) === 1) setTimeout(drawNext);
}

/** Whether it is the turn of a board to be drawn. */
export function useTurnToDraw(): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => waitForTurn(() => setDue(true)), []);
  return isDue;
}

/** Whether a board has come into view, and it is its turn to be drawn. Boards that are `urgent` do not wait. */
export function useTurnInView(box: RefObject<Element>, urgent: boolean): boolean {
  const [isDue, setDue] = useState(urgent);
  useEffect(() => {
    if (isDue || !box.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        waitForTurn(() => setDue(true));
      },
      { rootMargin: AHEAD },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, isDue]);
  return isDue;
}
