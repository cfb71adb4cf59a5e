// Whether a media query matches, for what CSS alone cannot decide.
import { useEffect, useState } from "preact/hooks";

/** The layout of tables with a side panel, see table-narrow.css. */
export const WIDE = "(min-width: 1100px)";

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = (): void => setMatches(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return matches;
}
