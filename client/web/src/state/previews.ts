// A position of each game for its picture: a typical one if the page has it, else the first, requested once.
import { useEffect, useState } from "preact/hooks";
import type { BoardSpec, Previewed, Scene } from "../../sdk/index.ts";
import { sampleOf } from "./pageData.ts";
import { call } from "./server.ts";

const requested = new Map<string, Promise<Previewed | null>>();

/** The board of a game; null until it arrives, or if the server does not answer. */
export function usePreview(game: string): { board: BoardSpec; scene: Scene } | null {
  const sample = sampleOf(game);
  const [preview, setPreview] = useState<Previewed | null>(null);
  useEffect(() => {
    if (sample) return undefined;
    let active = true;
    const request = requested.get(game) ?? call({ t: "preview", terms: { game } }).catch(() => null);
    requested.set(game, request);
    void request.then((found) => {
      if (active) setPreview(found);
    });
    return () => {
      active = false;
    };
  }, [game, sample]);
  return sample ?? preview;
}
