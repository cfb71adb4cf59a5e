// Which page is shown, by the path of the address.
import { withoutPrefix, withPrefix } from "./prefix.ts";
import { Signal } from "./signal.ts";

export const path = new Signal(withoutPrefix(location.pathname));

export function navigate(to: string, replace = false): void {
  if (withPrefix(to) === location.pathname) return;
  history[replace ? "replaceState" : "pushState"](null, "", withPrefix(to));
  path.value = withoutPrefix(location.pathname);
  scrollTo(0, 0);
}

/** The segments of a path: /table/abc is ["table", "abc"]. */
export function pathSegments(of: string): string[] {
  return of
    .split("/")
    .filter(Boolean)
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}

/** Handle the browser's buttons, and links inside the page. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    path.value = withoutPrefix(location.pathname);
  });
  addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (
      !link ||
      !plain ||
      event.defaultPrevented ||
      !link.href.startsWith(location.origin + withPrefix("/")) ||
      link.target ||
      !navigator.onLine || // the service worker may have the page
      link.hasAttribute("download")
    )
      return;
    event.preventDefault();
    navigate(withoutPrefix(link.pathname));
  });
}
