// What the server tells by itself, on whatever connection there is.
import type { ServerMap } from "../../sdk/index.ts";
import { connection } from "./parlour.ts";

/** Be told of every message but moves, also after a change of player. */
export function onNews(listener: (message: ServerMap) => void): void {
  let stop = (): void => undefined;
  const follow = (): void => {
    stop();
    stop = connection.value.listen((message) => {
      if (!Array.isArray(message)) listener(message);
    });
  };
  follow();
  connection.watch(follow);
}
