// Single keys that work anywhere on a page, except where somebody writes, or in a dialog over it.
import { useLayoutEffect, useRef } from "preact/hooks";

export function useShortcuts(keys: { [key: string]: () => unknown }): void {
  const newest = useRef(keys);
  newest.current = keys;
  // Before the page is painted: whoever sees it may press a key.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const target = event.target as Element | null;
      if (target?.closest("input, textarea, select, dialog, [contenteditable]")) return;
      const act = newest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || (event.key.startsWith("Arrow") && target?.closest("[role=tab], [role=grid]"))) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
