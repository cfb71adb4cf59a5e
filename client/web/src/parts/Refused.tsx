// Why something was not done, where it was asked for. Nothing as long as nothing was refused.
import type { VNode } from "preact";

export function Refused({ why }: { why: string }): VNode | null {
  return why ? (
    <p class="refused" role="alert">
      {why}
    </p>
  ) : null;
}
