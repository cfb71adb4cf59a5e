// A question to the server as a hook: its answer, or why there is none.
import { useEffect, useState } from "preact/hooks";
import type { AnswerTo, Request } from "../../sdk/index.ts";
import { connection } from "./parlour.ts";
import { useSignal } from "./signal.ts";

interface Asked<A> {
  /** The newest answer; that of an earlier question until the next one comes. */
  answer: A | null;
  refused: string;
}

/** Ask now, and again when the question has changed. null: nothing to ask. */
export function useAnswer<R extends Request>(request: R | null): Asked<AnswerTo<R["t"]>> {
  const [asked, setAsked] = useState<Asked<AnswerTo<R["t"]>>>({ answer: null, refused: "" });
  const line = useSignal(connection);
  useEffect(() => {
    if (!request) return undefined;
    let wanted = true;
    line.call(request).then(
      (answer) => wanted && setAsked({ answer, refused: "" }),
      (why: Error) => wanted && setAsked({ answer: null, refused: why.message }),
    );
    return () => {
      wanted = false;
    };
  }, [JSON.stringify(request), line]);
  return asked;
}
