// Overlays of a page: sheets and dialogs. The browser's Back button closes the topmost one.
import { useEffect, useRef } from "preact/hooks";

const open: (() => void)[] = [];
let ownSteps = 0; // steps back that this file made itself, whose events are still to come

addEventListener("popstate", () => {
  if (ownSteps > 0) ownSteps--;
  else open.pop()?.();
});

/** While `shown`, Back calls `onClose` instead of leaving the page. */
export function useCloseOnBack(shown: boolean, onClose: () => void): void {
  const newest = useRef(onClose);
  newest.current = onClose;
  useEffect(() => {
    if (!shown) return undefined;
    const close = (): void => newest.current();
    const here = location.href;
    open.push(close);
    history.pushState({ overlay: true }, "");
    return () => {
      const at = open.indexOf(close);
      if (at < 0) return; // Back has closed it
      open.splice(at, 1);
      const { overlay } = (history.state ?? {}) as { overlay?: boolean };
      if (!overlay || location.href !== here) return; // a link has led away
      ownSteps++;
      history.back();
    };
  }, [shown]);
}
