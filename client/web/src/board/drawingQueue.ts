// Boards in lists are drawn when they come into view, one after another, so that a page with many of them answers to
// presses meanwhile.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

const AHEAD = "200px"; // of what is in view
const queue: (() => void)[] = [];

function drawNext(): void {
  queue.shift()?.();
  if (queue.length) setTimeout(drawNext);
}

/** Whether it is the turn of a board to be drawn. The first need not wait. */
export function useTurnToDraw(box: RefObject<Element>, isFirst: boolean): boolean {
  const [isDue, setDue] = useState(isFirst);
  useEffect(() => {
    if (isDue || !box.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        if (queue.push(() => setDue(true)) === 1) setTimeout(drawNext);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, isDue]);
  return isDue;
}
