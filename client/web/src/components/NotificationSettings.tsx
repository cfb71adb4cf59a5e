// The notifications that this browser shows to a player who is away.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { NotificationKind } from "../../sdk/index.ts";
import { chooseNotifications, obstacle, wantedKinds } from "../state/notifications.ts";
import { useSignal } from "../state/signal.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";

const KINDS: readonly { kind: NotificationKind; name: string }[] = [
  { kind: "your_turn", name: "It is your turn" },
  { kind: "challenge", name: "A player invites you" },
  { kind: "tournament", name: "A tournament that you have entered begins" },
];

export function NotificationSettings(): VNode {
  const wanted = useSignal(wantedKinds);
  const [error, setError] = useState("");
  const [pending, setPending] = useState<readonly NotificationKind[] | null>(null); // while the browser asks
  const problem = obstacle();
  const choose = async (kind: NotificationKind, on: boolean): Promise<void> => {
    const others = wanted.filter((each) => each !== kind);
    const kinds = on ? [...others, kind] : others;
    setPending(kinds);
    setError("");
    await chooseNotifications(kinds).catch((reason: Error) => setError(reason.message));
    setPending(null);
  };
  return (
    <section class="card settings" aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      <p class="muted">{problem || "This browser can notify you, even while this page is closed:"}</p>
      {!problem &&
        KINDS.map(({ kind, name }) => (
          <label class="switch" key={kind}>
            <input
              type="checkbox"
              checked={(pending ?? wanted).includes(kind)}
              disabled={pending !== null}
              onChange={(event) => void choose(kind, event.currentTarget.checked)}
            />
            <span class="track" aria-hidden="true" />
            {name}
          </label>
        ))}
      <ErrorMessage text={error} />
    </section>
  );
}
