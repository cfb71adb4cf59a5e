// The starting position of each game, requested once.
import { useEffect, useState } from "preact/hooks";
import type { Previewed } from "../../sdk/index.ts";
import { call } from "./server.ts";

const requested = new Map<string, Promise<Previewed | null>>();

/** The board of a game before the first move; null until it arrives, or if the server does not answer. */
export function usePreview(game: string): Previewed | null {
  const [preview, setPreview] = useState<Previewed | null>(null);
  useEffect(() => {
    let active = true;
    const request = requested.get(game) ?? call({ t: "preview", terms: { game } }).catch(() => null);
    requested.set(game, request);
    void request.then((found) => {
      if (active) setPreview(found);
    });
    return () => {
      active = false;
    };
  }, [game]);
  return preview;
}
