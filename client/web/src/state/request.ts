// A request to the server as a hook.
import { useEffect, useState } from "preact/hooks";
import type { AnswerTo, Request } from "../../sdk/index.ts";
import { firstAnswer } from "./pageData.ts";
import { connection } from "./server.ts";
import { useSignal } from "./signal.ts";

interface Outcome<A> {
  /** The newest answer; after a change of the request, the previous one until the next arrives. */
  answer: A | null;
  error: string;
}

/** Send a request, and send it again whenever it changes. null sends nothing. */
export function useRequest<R extends Request>(request: R | null): Outcome<AnswerTo<R["t"]>> {
  const [outcome, setOutcome] = useState<Outcome<AnswerTo<R["t"]>>>(() => ({
    answer: firstAnswer(request),
    error: "",
  }));
  const current = useSignal(connection);
  const key = JSON.stringify(request); // callers build an equal request on every render
  useEffect(() => {
    if (!request) return undefined;
    const known = firstAnswer(request);
    if (known) {
      setOutcome({ answer: known, error: "" });
      return undefined;
    }
    let active = true;
    current.call(request).then(
      (answer) => active && setOutcome({ answer, error: "" }),
      (reason: Error) => active && setOutcome({ answer: null, error: reason.message }),
    );
    return () => {
      active = false;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for the request
  }, [key, current]);
  return outcome;
}
