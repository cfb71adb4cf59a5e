// A report to the operator: a reason from a short list, and a description.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ReportReason } from "../../sdk/index.ts";
import { announce } from "../state/announcements.ts";
import { connection } from "../state/server.ts";
import { Dialog } from "./Dialog.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";

const REASONS: [ReportReason, string][] = [
  ["abuse", "Insults or spam in the chat"],
  ["cheating", "Help from a program or another person"],
  ["stalling", "Stalls, or leaves games"],
  ["name", "An offensive name"],
  ["other", "Something else"],
];
const MAX_LENGTH = 500; // characters that the server accepts

interface Props {
  name: string;
  room?: string;
  onClose(): void;
}

export function ReportDialog({ name, room, onClose }: Props): VNode {
  const [reason, setReason] = useState<ReportReason>("abuse");
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await connection.value.call({ t: "report", name, reason, text, ...(room === undefined ? {} : { room }) });
      announce(`You have reported ${name}. Thank you.`);
      onClose();
    } catch (fault) {
      setError((fault as Error).message);
    }
  };
  return (
    <Dialog title={`Report ${name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>Reason</span>
          <select value={reason} onChange={(event) => setReason(event.currentTarget.value as ReportReason)}>
            {REASONS.map(([key, label]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>What happened? You can leave this empty.</span>
          <input
            type="text"
            maxLength={MAX_LENGTH}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <p class="muted">
          The operator reads this{room === undefined ? "" : ", with the game and what the player wrote in its chat"}.
          The player is not told who reported.
        </p>
        <button type="submit" class="button primary">
          Send the report
        </button>
        <ErrorMessage text={error} />
      </form>
    </Dialog>
  );
}
