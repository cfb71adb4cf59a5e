// The view of each entry of the side list.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ActionForm, type Choice } from "./ActionForm.tsx";
import { plural } from "../src/format/plural.ts";
import type { AuditEntry, Overview, Part, PlayerFile, PlayerRow, RoomRow } from "./api.ts";
import { moment, restrictions } from "./format.ts";
import { AuditList, Card, Fault, NodeList, RoomList } from "./lists.tsx";
import { useLoaded } from "./useLoaded.ts";

const ANNOUNCE: Choice[] = [
  { action: "announce", label: "Announce", effect: "All connected players see the text.", field: "text" },
];
const ON_PLAYER: Choice[] = [
  { action: "warn", label: "Warn", effect: "The player sees the reason, now or at the next visit." },
  { action: "mute", label: "Mute", effect: "The player cannot chat.", field: "until", hurts: true },
  { action: "unmute", label: "Unmute", effect: "The player can chat again." },
  {
    action: "suspend",
    label: "Suspend",
    effect: "Running games are cancelled, and opponents keep their rating. You can undo this.",
    field: "until",
    hurts: true,
  },
  { action: "ban", label: "Ban", effect: "Like a suspension without an end. You can undo this.", hurts: true },
  { action: "unban", label: "End the suspension or ban", effect: "The player can come back." },
  { action: "rename", label: "Rename", effect: "The player is told the new name and the reason.", field: "name" },
  { action: "reset-password", label: "Reset the password", effect: "All devices are signed out." },
  {
    action: "remove-rating",
    label: "Remove a rating",
    effect: "The next rated game begins a new rating.",
    field: "game",
    hurts: true,
  },
  {
    action: "delete",
    label: "Delete for good",
    effect: "The name is erased from all games. This cannot be undone.",
    hurts: true,
  },
];
const ON_ROOM: Choice[] = [
  { action: "adjudicate", label: "Adjudicate", effect: "The game ends and counts.", field: "winner", hurts: true },
  { action: "abort", label: "Abort", effect: "The game ends without a result.", hurts: true },
  { action: "close", label: "Close the room", effect: "The room accepts no more commands.", hurts: true },
];
const ON_NODE: Choice[] = [
  { action: "drain", label: "Drain", effect: "The players go to other nodes, where their games go on.", hurts: true },
  { action: "resume", label: "Serve again", effect: "The node accepts players again." },
];

export function OverviewView(): VNode {
  const { value, error, reload } = useLoaded<Overview>("overview");
  const audit = useLoaded<AuditEntry[]>("audit");
  if (!value) return <Fault text={error} />;
  return (
    <>
      <header>
        <h1>Overview</h1>
        <p>
          {moment(value.time)} · {plural(value.nodes.length, "node")} · answered by {value.node}
        </p>
        <button type="button" class="button" onClick={reload}>
          Refresh
        </button>
      </header>
      <div class="tiles">
        <Tile label="Connections" value={value.connections} />
        <Tile label="Open rooms" value={value.rooms} />
        <Tile label="Waiting in queues" value={value.waiting} />
        <Tile label="Jobs for the computer" value={value.jobs} />
        <Tile label="Open reports" value={value.reports} />
      </div>
      <div class="columns">
        <Card title="Nodes">
          <NodeList nodes={value.nodes} now={value.time} />
        </Card>
        <Card title="Infrastructure">
          <ul class="rows">
            <PartRow name="Store" part={value.store} />
            <PartRow name="Archive" part={value.archive} />
            {value.outages.map(({ since, until, node }) => (
              <li key={`${since} ${node}`}>
                Outage of {node || "all nodes"}
                <small>
                  {moment(since)}, {Math.round((until - since) / 1000)} s
                </small>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      <div class="columns">
        <Card title="Audit log">
          <AuditList entries={audit.value ?? []} />
        </Card>
        <ActionForm title="Announce" path={[]} choices={ANNOUNCE} onDone={audit.reload} />
      </div>
    </>
  );
}

function Tile({ label, value }: { label: string; value: number }): VNode {
  return (
    <div class="card tile">
      <small>{label}</small>
      <b>{value}</b>
    </div>
  );
}

function PartRow({ name, part }: { name: string; part: Part }): VNode {
  return (
    <li>
      <b>{name}</b>
      <span class={part.up ? "chip" : "chip warn"}>{part.up ? "works" : "down"}</span>
      <small>{part.up ? `${part.errors} errors since the node started` : part.problem}</small>
    </li>
  );
}

export function PlayersView(): VNode {
  const { value, error } = useLoaded<PlayerRow[]>("players");
  const [who, setWho] = useState("");
  return (
    <>
      <header>
        <h1>Players</h1>
      </header>
      <form
        class="card"
        aria-label="Find a player"
        onSubmit={(event) => {
          event.preventDefault();
          location.hash = `#/players/${encodeURIComponent(who)}`;
        }}
      >
        <label class="field">
          <span>Name or id</span>
          <input type="text" required value={who} onInput={(event) => setWho(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button">
          Find
        </button>
      </form>
      <Card title="Online now">
        <Fault text={error} />
        <ul class="rows">
          {(value ?? []).map((player) => (
            <li key={player.id}>
              <a href={`#/players/${encodeURIComponent(player.id)}`}>
                <b>{player.name}</b>
              </a>
              <small>
                {player.kind} {restrictions(player)}
              </small>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

export function PlayerView({ who }: { who: string }): VNode {
  const { value, error, reload } = useLoaded<PlayerFile>(`players/${encodeURIComponent(who)}`);
  const id = value?.player.id;
  useEffect(() => {
    // The id stays when the name changes.
    if (id !== undefined && id !== who) location.replace(`#/players/${encodeURIComponent(id)}`);
  }, [id, who]);
  if (!value) return <Fault text={error} />;
  const { player } = value;
  return (
    <>
      <header>
        <h1>{player.name}</h1>
        <p>
          {player.kind} · since {moment(value.created)} · {value.online ? "online" : "offline"} · {value.devices}{" "}
          devices signed in
        </p>
        {restrictions(player) && <span class="chip warn">{restrictions(player)}</span>}
      </header>
      <div class="columns">
        <div>
          <Card title="Games">
            <RoomList rooms={value.rooms} />
          </Card>
          <Card title="Account">
            <ul class="rows">
              {value.ratings.map(({ game, rating, deviation, games }) => (
                <li key={game}>
                  {game} {rating} ± {deviation}
                  <small>{plural(games, "rated game")}</small>
                </li>
              ))}
              {value.owner && <li>Bot of {value.owner.name}</li>}
              {value.bots.map((bot) => (
                <li key={bot.id}>Bot: {bot.name}</li>
              ))}
            </ul>
          </Card>
          <Card title="History">
            <AuditList entries={value.history} />
          </Card>
        </div>
        <ActionForm title="Decide" path={["players", player.id]} choices={ON_PLAYER} onDone={reload} />
      </div>
    </>
  );
}

export function TablesView({ room }: { room: string }): VNode {
  const { value, error, reload } = useLoaded<RoomRow[]>("rooms");
  const [id, setId] = useState(room);
  return (
    <>
      <header>
        <h1>Tables</h1>
        <p>The games that the lobby lists. A player's page shows private ones as well.</p>
      </header>
      <div class="columns">
        <Card title="Games in progress">
          <Fault text={error} />
          <RoomList rooms={value ?? []} />
        </Card>
        <div>
          <label class="field card">
            <span>Room</span>
            <input type="text" value={id} onInput={(event) => setId(event.currentTarget.value)} />
          </label>
          {id && <ActionForm title="Decide" path={["rooms", id]} choices={ON_ROOM} onDone={reload} />}
        </div>
      </div>
    </>
  );
}

export function NodesView({ node }: { node: string }): VNode {
  const { value, error, reload } = useLoaded<Overview>("overview");
  if (!value) return <Fault text={error} />;
  return (
    <>
      <header>
        <h1>Nodes</h1>
      </header>
      <div class="columns">
        <Card title="Alive">
          <NodeList nodes={value.nodes} now={value.time} />
        </Card>
        {node && <ActionForm title={node} path={["nodes", node]} choices={ON_NODE} onDone={reload} />}
      </div>
    </>
  );
}

export function AuditView(): VNode {
  const [before, setBefore] = useState("");
  const { value, error } = useLoaded<AuditEntry[]>(`audit?before=${before}`);
  const last = value?.at(-1);
  return (
    <>
      <header>
        <h1>Audit log</h1>
      </header>
      <Card title={before ? "Older entries" : "Newest entries"}>
        <Fault text={error} />
        <AuditList entries={value ?? []} />
      </Card>
      {last && (
        <button type="button" class="button" onClick={() => setBefore(last.id)}>
          Older
        </button>
      )}
    </>
  );
}
