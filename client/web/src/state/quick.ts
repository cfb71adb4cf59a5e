// The quick ways to a game: wait for anyone, or send a link to a friend. Only the tab that asked goes to the table.
import type { Clock, Terms } from "../../sdk/index.ts";
import { call, connection } from "./parlour.ts";
import { go } from "./router.ts";
import { Signal } from "./signal.ts";

export type Against = "anyone" | "friend" | "bot";

export const PACES: { [key: string]: { name: string; clock: Clock } } = {
  "5+3": { name: "5 + 3", clock: { kind: "fischer", main: 300_000, step: 3_000 } },
  "10+5": { name: "10 + 5", clock: { kind: "fischer", main: 600_000, step: 5_000 } },
  "15+10": { name: "15 + 10", clock: { kind: "fischer", main: 900_000, step: 10_000 } },
  none: { name: "No clock", clock: {} },
};

type Quick =
  | { kind: "idle" }
  | { kind: "waiting"; terms: Terms; seek: string; since: number }
  | { kind: "inviting"; terms: Terms; code: string; to?: string };

/** What else can be said of an invitation. */
type How = { to?: string; seat?: "any" | "first" | "second"; position?: string };

class QuickMatch {
  readonly state = new Signal<Quick>({ kind: "idle" });

  /** Wait for anyone who wants the same. */
  async look(terms: Terms): Promise<void> {
    const made = await call({ t: "queue", terms });
    this.state.value = { kind: "waiting", terms, seek: made.seek ?? "", since: Date.now() };
  }

  /** Invite one player, or make a link for a friend. */
  async invite(terms: Terms, how: How = {}): Promise<void> {
    const made = await call({ t: "challenge", terms, ...how });
    this.state.value = { kind: "inviting", terms, code: made.seek ?? "", to: how.to ?? "" };
  }

  async stop(): Promise<void> {
    const now = this.state.value;
    this.state.value = { kind: "idle" };
    const seek = now.kind === "waiting" ? now.seek : now.kind === "inviting" ? now.code : "";
    if (seek) await call({ t: "cancel", seek }).catch(() => undefined); // too late: `paired` tells
  }

  /** A game was made. Whether it is the one that this tab has asked for. */
  found(room: string, seek: string | null | undefined): void {
    const now = this.state.value;
    const ours = (now.kind === "waiting" && now.seek === seek) || (now.kind === "inviting" && now.code === seek);
    if (!ours) return;
    this.state.value = { kind: "idle" };
    go(`/table/${room}`);
  }

  /** Somebody does not want to play. */
  declined(seek: string): void {
    const now = this.state.value;
    if (now.kind === "inviting" && now.code === seek) this.state.value = { ...now, code: "" };
  }
}

export const quick = new QuickMatch();

/** Listen on whatever connection there is. */
export function listen(): void {
  let stop = (): void => undefined;
  const paired: [string, string | null | undefined][] = [];
  const follow = (): void => {
    stop();
    stop = connection.value.listen((message) => {
      if (Array.isArray(message)) return;
      if (message.t === "invite_gone") quick.declined(message.seek);
      if (message.t !== "paired") return;
      paired.push([message.room, message.seek]);
      quick.found(message.room, message.seek);
    });
  };
  follow();
  connection.watch(follow);
  // `paired` may come before the `ok` that names the seek.
  quick.state.watch(() => {
    if (quick.state.value.kind !== "idle") for (const [room, seek] of paired) quick.found(room, seek);
  });
}
