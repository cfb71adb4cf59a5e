// The open and running tournaments.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ActionForm, type Choice } from "./ActionForm.tsx";
import { plural } from "../src/format/plural.ts";
import type { TournamentRow } from "./api.ts";
import { moment } from "./format.ts";
import { Card, Fault } from "./lists.tsx";
import { useLoaded } from "./useLoaded.ts";

const ON_TOURNAMENT: Choice[] = [
  {
    action: "cancel",
    label: "Cancel tournament",
    effect: "The tournament ends without a result, and its running games are cancelled. You cannot undo this.",
    hurts: true,
  },
];

export function TournamentsView({ chosen }: { chosen: string }): VNode {
  const { value, error, reload } = useLoaded<TournamentRow[]>("tournaments");
  const [id, setId] = useState(chosen);
  return (
    <>
      <header>
        <h1>Tournaments</h1>
        <p>Players who are suspended or banned leave their tournaments by themselves.</p>
      </header>
      <div class="columns">
        <Card title="Open and running">
          <Fault text={error} />
          {value?.length === 0 && <p class="empty">None.</p>}
          <ul class="rows">
            {(value ?? []).map(({ tournament, settings, status, players, organiser, start }) => (
              <li key={tournament}>
                <a href={`#/tournaments/${encodeURIComponent(tournament)}`}>
                  <b>{settings.name}</b>
                </a>
                <small>
                  {settings.terms.game} · {plural(players, "player")} · {status}
                  {start !== undefined && ` · ${moment(start)}`}
                  {organiser && ` · by ${organiser}`} · {tournament}
                </small>
              </li>
            ))}
          </ul>
        </Card>
        <div>
          <label class="field card">
            <span>Tournament</span>
            <input type="text" value={id} onInput={(event) => setId(event.currentTarget.value)} />
          </label>
          {id && (
            <ActionForm title="Decide" path={["tournaments", id.trim()]} choices={ON_TOURNAMENT} onDone={reload} />
          )}
        </div>
      </div>
    </>
  );
}
