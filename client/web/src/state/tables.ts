// Tables of one's own: those that wait for somebody, those where a game is on, and invitations from others.
import type { Challenged, Seek, Terms } from "../../sdk/index.ts";
import { onNews } from "./news.ts";
import { call, connection } from "./parlour.ts";
import { quick } from "./quick.ts";
import { go } from "./router.ts";
import { Signal } from "./signal.ts";

interface OwnSeek {
  id: number;
  seek: string;
  request: Omit<Seek, "id">;
}

/** Open tables that this tab has put up. */
export const waiting = new Signal<readonly OwnSeek[]>([]);
/** Games of this player that are on: room -> seat. */
export const playing = new Signal<ReadonlyMap<string, number>>(new Map());
export const invitations = new Signal<readonly Challenged[]>([]);

/** Put up a table that anybody can join. */
export async function putUp(terms: Terms, seat: "any" | "first" | "second"): Promise<void> {
  const id = connection.value.session.newId();
  const request = { t: "seek", terms, seat } as const;
  const { seek } = await call(request, id);
  if (seek) waiting.value = [...waiting.value, { id, seek, request }];
}

export async function takeDown(seek: string): Promise<void> {
  waiting.value = waiting.value.filter((own) => own.seek !== seek);
  await call({ t: "cancel", seek }).catch(() => undefined); // too late: `paired` tells
}

/** Take a seat at somebody's table. */
export async function sitDown(seek: string): Promise<void> {
  const { room } = await call({ t: "accept", seek });
  if (room) leaveFor(room);
}

export async function decline(seek: string): Promise<void> {
  forget(seek);
  await call({ t: "cancel", seek }).catch(() => undefined);
}

const forget = (seek: string): void => {
  invitations.value = invitations.value.filter((each) => each.seek !== seek);
};

/** Go to a game. Whoever plays does not wait for others any more. */
function leaveFor(room: string): void {
  for (const { seek } of waiting.value) void takeDown(seek);
  if (quick.state.value.kind === "waiting") void quick.stop();
  go(`/table/${room}`);
}

/** Listen from the beginning. */
export function keepTables(): void {
  onNews((message) => {
    switch (message.t) {
      case "welcome":
        playing.value = new Map(); // those that are on are told next
        invitations.value = [];
        for (const { id, request } of waiting.value) call(request, id).catch(() => undefined);
        break;
      case "paired": {
        playing.value = new Map([...playing.value, [message.room, message.seat]]);
        const own = waiting.value.find(({ seek }) => seek === message.seek);
        if (message.seek) forget(message.seek);
        if (!own) break;
        waiting.value = waiting.value.filter((each) => each !== own);
        leaveFor(message.room);
        break;
      }
      case "challenged":
        forget(message.seek);
        invitations.value = [...invitations.value, message];
        break;
      case "invite_gone":
        forget(message.seek);
        break;
    }
  });
  // Another player has no seeks here.
  connection.watch(() => {
    waiting.value = [];
  });
}
