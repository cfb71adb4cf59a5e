// Which page is shown: the path of the address, without loading anything anew.
import { Signal } from "./signal.ts";

export const path = new Signal(location.pathname);

export function go(to: string, replace = false): void {
  if (to === location.pathname) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  path.value = location.pathname;
  scrollTo(0, 0);
}

/** The parts of a path: /table/abc is ["table", "abc"]. */
export function parts(of: string): string[] {
  return of
    .split("/")
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}

/** Follow the browser's buttons, and links inside the page. */
export function route(): void {
  addEventListener("popstate", () => {
    path.value = location.pathname;
  });
  addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (
      !link ||
      !plain ||
      event.defaultPrevented ||
      link.origin !== location.origin ||
      link.target ||
      link.hasAttribute("download")
    )
      return;
    event.preventDefault();
    go(link.pathname);
  });
}
