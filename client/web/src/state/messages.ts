// Messages that the server sends unasked, on whichever connection is current.
import type { ServerMap } from "../../sdk/index.ts";
import { connection } from "./server.ts";

/** Call the listener for every message except moves, also after a change of identity. */
export function onMessage(listener: (message: ServerMap) => void): void {
  let unsubscribe = (): void => undefined;
  const subscribe = (): void => {
    unsubscribe();
    unsubscribe = connection.value.listen((message) => {
      if (!Array.isArray(message)) listener(message);
    });
  };
  subscribe();
  connection.watch(subscribe);
}
