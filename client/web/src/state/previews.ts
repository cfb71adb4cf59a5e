// What the boards of the games look like, asked for once each.
import { useEffect, useState } from "preact/hooks";
import type { Previewed } from "../../sdk/index.ts";
import { call } from "./parlour.ts";

const known = new Map<string, Promise<Previewed | null>>();

/** The board of a game before its first move; null while it is not there, or if the server does not tell. */
export function usePreview(game: string): Previewed | null {
  const [shown, setShown] = useState<Previewed | null>(null);
  useEffect(() => {
    let wanted = true;
    const asked = known.get(game) ?? call({ t: "preview", terms: { game } }).catch(() => null);
    known.set(game, asked);
    void asked.then((found) => {
      if (wanted) setShown(found);
    });
    return () => {
      wanted = false;
    };
  }, [game]);
  return shown;
}
