// A banner that tells the player when the connection is lost, why, and when it is back.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { connectionError, connectionState } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

const SHOW_AFTER = 1000; // ms; shorter interruptions are not worth a message
const FIRST_WITHIN = 4000; // ms; a slow first connection needs no message, which would move the page
const RECONNECTED_FOR = 2000; // ms

const OFFLINE = "You are offline. You can read the rules; games go on when you are back.";

export function ConnectionBanner(): VNode | null {
  const state = useSignal(connectionState);
  const error = useSignal(connectionError);
  const [text, setText] = useState("");
  const opened = useRef(false);
  useEffect(() => {
    if (state === "open" && !error) {
      const again = opened.current;
      opened.current = true;
      setText((shown) => (shown && again ? "Reconnected." : ""));
      const timer = setTimeout(() => setText(""), RECONNECTED_FOR);
      return () => clearTimeout(timer);
    }
    const message = {
      open: error,
      lost: error || (navigator.onLine ? "Connection lost. Reconnecting… Your last turn is safe." : OFFLINE),
      connecting: error || (navigator.onLine ? "Connecting…" : OFFLINE),
      ended: `${error} Reload the page to reconnect.`,
    }[state];
    const delay = { open: SHOW_AFTER, lost: SHOW_AFTER, connecting: error ? SHOW_AFTER : FIRST_WITHIN, ended: 0 }[
      state
    ];
    const timer = setTimeout(() => setText(message), delay);
    return () => clearTimeout(timer);
  }, [state, error]);
  return text ? (
    <div class={state === "open" && !error ? "connection-banner good" : "connection-banner"} role="alert">
      {text}
    </div>
  ) : null;
}
