// Single-key shortcuts that work anywhere on a page, except in form fields and dialogs.
import { useLayoutEffect, useRef } from "preact/hooks";

export function useShortcuts(keys: { [key: string]: () => unknown }): void {
  const newest = useRef(keys);
  useLayoutEffect(() => {
    newest.current = keys;
  });
  // Registered before the first paint, so that a key works as soon as the page is visible.
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
