// One line under the head that tells, in words, when the connection is not as it should be.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { state, trouble } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";

const PATIENCE = 1000; // ms that a short break may take before anybody is told
const GLAD = 2000;

export function Band(): VNode | null {
  const now = useSignal(state);
  const why = useSignal(trouble);
  const [words, setWords] = useState("");
  useEffect(() => {
    if (now === "open") {
      if (!words) return undefined;
      setWords("Back again.");
      const timer = setTimeout(() => setWords(""), GLAD);
      return () => clearTimeout(timer);
    }
    const sentence =
      now === "lost"
        ? "Connection lost. Trying again. Your last turn is safe."
        : now === "connecting"
          ? "Looking for the server."
          : `${why} Load the page again to come back.`;
    const timer = setTimeout(() => setWords(sentence), now === "ended" ? 0 : PATIENCE);
    return () => clearTimeout(timer);
  }, [now]);
  return words ? (
    <div class={now === "open" ? "band good" : "band"} role="alert">
      {words}
    </div>
  ) : null;
}
