// Quick ways to find an opponent: join the queue, or invite a friend. Only the tab that asked opens the table.
import type { Clock, Terms } from "../../sdk/index.ts";
import { onMessage } from "./messages.ts";
import { navigate } from "./router.ts";
import { call } from "./server.ts";
import { Signal } from "./signal.ts";

export type Opponent = "anyone" | "friend" | "bot";

export const TIME_CONTROLS: { [key: string]: { name: string; clock: Clock } } = {
  "5+3": { name: "5 + 3", clock: { kind: "fischer", main: 300_000, step: 3_000 } },
  "10+5": { name: "10 + 5", clock: { kind: "fischer", main: 600_000, step: 5_000 } },
  "15+10": { name: "15 + 10", clock: { kind: "fischer", main: 900_000, step: 10_000 } },
  none: { name: "No clock", clock: {} },
};

type State =
  | { kind: "idle" }
  | { kind: "queued"; terms: Terms; seek: string; since: number }
  /** An empty `seek` means that the invited player declined. */
  | { kind: "inviting"; terms: Terms; seek: string; to: string };

type InvitationDetails = { to?: string; seat?: "any" | "first" | "second"; position?: string };

class Matchmaking {
  readonly state = new Signal<State>({ kind: "idle" });

  /** Wait for any player who wants the same game. */
  async queue(terms: Terms): Promise<void> {
    const { seek } = await call({ t: "queue", terms });
    this.state.value = { kind: "queued", terms, seek: seek ?? "", since: Date.now() };
  }

  /** Invite one player, or create a link for a friend. */
  async invite(terms: Terms, details: InvitationDetails = {}): Promise<void> {
    const { seek } = await call({ t: "challenge", terms, ...details });
    this.state.value = { kind: "inviting", terms, seek: seek ?? "", to: details.to ?? "" };
  }

  async cancel(): Promise<void> {
    const { value } = this.state;
    this.state.value = { kind: "idle" };
    // If it is too late, `paired` follows.
    if (value.kind !== "idle" && value.seek) await call({ t: "cancel", seek: value.seek }).catch(() => undefined);
  }

  /** Open the game if this tab asked for it. */
  paired(room: string, seek: string | null | undefined): void {
    const { value } = this.state;
    if (value.kind === "idle" || value.seek !== seek) return;
    this.state.value = { kind: "idle" };
    navigate(`/table/${room}`);
  }

  declined(seek: string): void {
    const { value } = this.state;
    if (value.kind === "inviting" && value.seek === seek) this.state.value = { ...value, seek: "" };
  }
}

export const matchmaking = new Matchmaking();

/** Listen for pairings from the start, since one may arrive before the request is answered. */
export function startMatchmaking(): void {
  const pairings: [room: string, seek: string | null | undefined][] = [];
  onMessage((message) => {
    if (message.t === "challenge_closed") matchmaking.declined(message.seek);
    if (message.t !== "paired") return;
    pairings.push([message.room, message.seek]);
    matchmaking.paired(message.room, message.seek);
  });
  matchmaking.state.watch(() => {
    for (const [room, seek] of pairings) matchmaking.paired(room, seek);
  });
}
