// A message of the operator, in a corner of every page until the player dismisses it. It does not take the focus.
import type { VNode } from "preact";
import { dismissOperatorMessage, operatorMessages } from "../state/operatorMessages.ts";
import { useSignal } from "../state/signal.ts";

export function OperatorMessage(): VNode | null {
  const message = useSignal(operatorMessages)[0];
  if (!message) return null;
  return (
    <div class="invited card" role="alert">
      <p>
        <b>{message.kind === "warning" ? "Warning" : "The operator says"}:</b> {message.text}
      </p>
      <div class="button-row">
        <button type="button" class="button" onClick={dismissOperatorMessage}>
          Close
        </button>
      </div>
    </div>
  );
}
