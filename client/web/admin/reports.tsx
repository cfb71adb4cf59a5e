// Players' reports, and how they were handled.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ActionForm, type Choice } from "./ActionForm.tsx";
import type { Report } from "./api.ts";
import { moment } from "./format.ts";
import { Card, Fault } from "./lists.tsx";
import { useLoaded } from "./useLoaded.ts";

const ON_REPORT: Choice[] = [
  {
    action: "handle",
    label: "Mark as handled",
    effect: "The reason is your note, for the audit log; no player reads it. Decide about the player on their page.",
  },
];

/** `report` is the id of the one to handle. */
export function ReportsView({ report }: { report: string }): VNode {
  const [all, setAll] = useState(false);
  const { value, error, reload } = useLoaded<Report[]>(`reports?handled=${all ? "yes" : "no"}`);
  return (
    <>
      <header>
        <h1>Reports</h1>
        <label>
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> Also those
          that are handled
        </label>
      </header>
      <div class="columns">
        <Card title="By players">
          <Fault text={error} />
          {value?.length === 0 && <p class="empty">No reports.</p>}
          <ul class="rows">
            {(value ?? []).map((each) => (
              <ReportItem report={each} key={each.id} />
            ))}
          </ul>
        </Card>
        {report && (
          <ActionForm title="Report" path={["reports", report]} choices={ON_REPORT} onDone={reload} key={report} />
        )}
      </div>
    </>
  );
}

function ReportItem({ report }: { report: Report }): VNode {
  const { id, at, author, player, reason, text, room, chat, handled } = report;
  return (
    <li>
      <span>
        <b>{reason}</b>: <a href={`#/players/${encodeURIComponent(player.id)}`}>{player.name}</a> {text}
      </span>
      {chat.map((line, n) => (
        <q key={n}>{line}</q>
      ))}
      <small>
        by <a href={`#/players/${encodeURIComponent(author.id)}`}>{author.name}</a> · {moment(at)}
        {room && (
          <>
            {" "}
            · <a href={`#/tables/${encodeURIComponent(room)}`}>game {room}</a>
          </>
        )}
        {handled ? (
          ` · handled by ${handled.operator}: ${handled.note}`
        ) : (
          <>
            {" "}
            · <a href={`#/reports/${encodeURIComponent(id)}`}>Handle</a>
          </>
        )}
      </small>
    </li>
  );
}
