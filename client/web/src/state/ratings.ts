// What a rated game has done to the ratings of those who played it.
import { useEffect, useState } from "preact/hooks";
import type { Connection, Mirror } from "../../sdk/index.ts";
import { connection } from "./parlour.ts";
import { useSignal } from "./signal.ts";

const AGAIN_AFTER = 500; // ms; nobody tells when a game has been counted, which is soon after its end
const QUESTIONS = 6;

export interface RatingChange {
  name: string;
  /** null: there was none. */
  before: number | null;
  after: number;
}

/** By seat, once they are known. Nothing if the game does not count. */
export function useRatingChanges({ room, chairs, result }: Mirror): readonly RatingChange[] {
  const line = useSignal(connection);
  const [changes, setChanges] = useState<readonly RatingChange[]>([]);
  useEffect(() => {
    if (!room.terms.rated || !result || result.reason === "aborted") return undefined;
    const left = new AbortController();
    const players = chairs.flatMap(({ player }) => (player ? [player] : []));
    const ask = async (): Promise<void> => {
      const { ended = 0 } = await line.call({ t: "ask_record", room: room.room });
      const found = players.map(async ({ name, rating }): Promise<RatingChange | null> => {
        const after = await ratingAt(line, name, room.terms.game, ended, left.signal);
        return after === null ? null : { name, before: rating ?? null, after };
      });
      const known = (await Promise.all(found)).filter((each) => each !== null);
      if (!left.signal.aborted) setChanges(known);
    };
    ask().catch(() => undefined); // the result stands without
    return () => left.abort();
  }, [room.room, result, line]);
  return changes;
}

/** A player's rating right after the game that ended then. */
async function ratingAt(
  line: Connection,
  name: string,
  game: string,
  ended: number,
  left: AbortSignal,
): Promise<number | null> {
  for (let asked = 0; asked < QUESTIONS && !left.aborted; asked++) {
    const { ratings = [] } = await line.call({ t: "ask_player", name });
    const history = ratings.find((each) => each.game === game)?.history ?? [];
    if ((history.at(-1)?.[0] ?? 0) >= ended) return history.find(([at]) => at === ended)?.[1] ?? null;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
  }
  return null;
}
