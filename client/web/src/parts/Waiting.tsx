// Somebody is looked for.
import type { VNode } from "preact";
import type { Terms } from "../../sdk/index.ts";
import { nameOf } from "../state/parlour.ts";
import { quick } from "../state/quick.ts";
import { countdown, pace, useTicks } from "./time.ts";

export function Waiting({ terms, since }: { terms: Terms; since: number }): VNode {
  useTicks(1000);
  return (
    <div class="begin card waiting" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>
        Looking for {nameOf(terms.game)}, {pace(terms.clock)}, {terms.rated ? "rated" : "casual"}.{" "}
        <span class="num" aria-hidden="true">
          {countdown(Date.now() - since)}
        </span>
      </p>
      <button type="button" class="button big" onClick={() => void quick.stop()}>
        Stop looking
      </button>
    </div>
  );
}
