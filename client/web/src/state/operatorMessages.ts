// Messages of the server's operator: to all players, or as a warning to this one.
import { type Announced } from "../../sdk/index.ts";
import { onMessage } from "./messages.ts";
import { Signal } from "./signal.ts";

export const operatorMessages = new Signal<readonly Announced[]>([]);

export function startOperatorMessages(): void {
  onMessage((message) => {
    if (message.t === "announced") operatorMessages.value = [...operatorMessages.value, message];
  });
}

export function dismissOperatorMessage(): void {
  operatorMessages.value = operatorMessages.value.slice(1);
}
