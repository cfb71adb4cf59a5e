// The lists that several views show: rooms, nodes and the audit log.
import type { ComponentChildren, VNode } from "preact";
import type { AuditEntry, NodeRow, RoomRow } from "./api.ts";
import { plural } from "../src/format/plural.ts";
import { age, moment } from "./format.ts";

export function Card({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Fault({ text }: { text: string }): VNode | null {
  return text ? (
    <p class="error" role="alert">
      {text}
    </p>
  ) : null;
}

export function RoomList({ rooms }: { rooms: RoomRow[] }): VNode {
  if (!rooms.length) return <p class="empty">No games.</p>;
  return (
    <ul class="rows">
      {rooms.map(({ room, game, players, ply, rated, status, private: isPrivate }) => (
        <li key={room}>
          <a href={`#/tables/${encodeURIComponent(room)}`}>
            <b>{players.map(({ name }) => name).join(" – ")}</b>
          </a>
          <small>
            {game} · {plural(ply, "move")} · {rated ? "rated" : "casual"}
            {isPrivate && " · private"} · {status ?? "playing"} · {room}
          </small>
        </li>
      ))}
    </ul>
  );
}

export function NodeList({ nodes, now }: { nodes: NodeRow[]; now: number }): VNode {
  return (
    <ul class="rows">
      {nodes.map((node) => (
        <li key={node.name}>
          <a href={`#/nodes/${encodeURIComponent(node.name)}`}>
            <b>{node.name}</b>
          </a>
          <span class={node.draining ? "chip warn" : "chip"}>{node.draining ? "draining" : "serving"}</span>
          <small>
            {node.rooms} rooms · {node.connections} connections · {node.waiting} waiting · up {age(node.started, now)} ·{" "}
            {node.version}
          </small>
        </li>
      ))}
    </ul>
  );
}

export function AuditList({ entries }: { entries: AuditEntry[] }): VNode {
  if (!entries.length) return <p class="empty">Nothing yet.</p>;
  return (
    <ul class="rows">
      {entries.map(({ id, operator, action, target, detail, reason, at }) => (
        <li key={id}>
          <span>
            <b>{operator}</b>: {action} <b>{target}</b> {detail}
          </span>
          <small>
            {reason} · {moment(at)}
          </small>
        </li>
      ))}
    </ul>
  );
}
