// An error message next to the action that failed; nothing while there is no error.
import type { VNode } from "preact";

export function ErrorMessage({ text }: { text: string }): VNode | null {
  return text ? (
    <p class="error" role="alert">
      {text}
    </p>
  ) : null;
}
