// The menu of another player: mute, block, report.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { announce } from "../state/announcements.ts";
import { connection } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { ReportDialog } from "./ReportDialog.tsx";

interface Props {
  name: string;
  room?: string; // the game that a report is about
}

export function PlayerMenu({ name, room }: Props): VNode {
  const server = useSignal(connection);
  const [blocked, setBlocked] = useState(false);
  const [muted, setMuted] = useState(false);
  const [reporting, setReporting] = useState(false);
  const [error, setError] = useState("");
  useEffect(() => {
    let active = true;
    server.call({ t: "get_profile", name }).then(
      (profile) => {
        if (!active) return;
        setBlocked(profile.blocked ?? false);
        setMuted(profile.muted ?? false);
      },
      (reason: Error) => active && setError(reason.message),
    );
    return () => {
      active = false;
    };
  }, [server, name]);

  const change = async (t: "block" | "mute", on: boolean): Promise<void> => {
    try {
      await server.call({ t, name, on });
      (t === "block" ? setBlocked : setMuted)(on);
      setError("");
      announce(`You have ${on ? "" : "un"}${t === "block" ? "blocked" : "muted"} ${name}.`);
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  return (
    <div class="player-menu button-row" role="group" aria-label={`About ${name}`}>
      <button type="button" class="button" aria-pressed={muted} onClick={() => void change("mute", !muted)}>
        {muted ? "Unmute" : "Mute"}
      </button>
      <button type="button" class="button" aria-pressed={blocked} onClick={() => void change("block", !blocked)}>
        {blocked ? "Unblock" : "Block"}
      </button>
      <button type="button" class="button" onClick={() => setReporting(true)}>
        Report
      </button>
      <ErrorMessage text={error} />
      {reporting && (
        <ReportDialog name={name} {...(room === undefined ? {} : { room })} onClose={() => setReporting(false)} />
      )}
    </div>
  );
}
