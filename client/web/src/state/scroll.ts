// The scroll position survives a reload, although the content of a page may arrive later.
const KEY = "parlour.scroll";
const WITHIN = 5000; // ms for the content to arrive

/** Keep the scroll position, and return to it after a reload as soon as the page is long enough. */
export function keepScroll(): void {
  addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify([location.pathname, scrollY]));
    } catch {
      // Without storage, a reload starts at the top.
    }
  });
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type !== "navigate") returnTo(savedTop());
}

function savedTop(): number {
  try {
    const [path, top] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string?, number?];
    return path === location.pathname && typeof top === "number" ? top : 0;
  } catch {
    return 0;
  }
}

/** Scroll there unless the player scrolls first. */
function returnTo(top: number): void {
  if (!top) return;
  const watch = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight < top + innerHeight) return;
    scrollTo(0, top);
    watch.disconnect();
  });
  watch.observe(document.body);
  const stop = (): void => watch.disconnect();
  for (const event of ["wheel", "touchstart", "keydown"]) addEventListener(event, stop, { once: true, passive: true });
  setTimeout(stop, WITHIN);
}
