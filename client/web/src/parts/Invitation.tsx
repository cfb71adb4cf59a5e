// A link to send to a friend, or an invitation to one player.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { quick } from "../state/quick.ts";
import { Icon } from "./Icon.tsx";

/** `to`: the player who was asked; no code: who has declined. */
export function Invitation({ code, to }: { code: string; to?: string }): VNode {
  const link = `${location.origin}/join/${code}`;
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      (document.getElementById("invitation") as HTMLInputElement | null)?.select();
    }
  };
  if (to) {
    return (
      <div class="begin card waiting" role="status">
        <p>{code ? `${to} is invited. The game starts when ${to} sits down.` : `${to} has declined.`}</p>
        <button type="button" class="button big" onClick={() => void quick.stop()}>
          {code ? "Withdraw" : "Very well"}
        </button>
      </div>
    );
  }
  return (
    <div class="begin card invitation">
      <p role="status">Send this link. The game starts when it is opened.</p>
      <div class="row-of">
        <input
          id="invitation"
          type="text"
          readOnly
          aria-label="Link"
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="button primary" onClick={() => void copy()}>
          <Icon name={copied ? "check" : "copy"} size={18} />
          {copied ? "Copied" : "Copy"}
        </button>
        <button type="button" class="button" onClick={() => void quick.stop()}>
          Withdraw
        </button>
      </div>
    </div>
  );
}
