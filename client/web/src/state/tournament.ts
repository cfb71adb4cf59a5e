// A tournament that a page follows, and the player's own part in it.
import { useEffect, useMemo } from "preact/hooks";
import type { Connection, ServerMessage, Tournament, TournamentSaid, YourTournament } from "../../sdk/index.ts";
import { firstAnswer } from "./pageData.ts";
import { applyChange } from "./tournamentChange.ts";
import { connection } from "./server.ts";
import { Signal, useSignal } from "./signal.ts";

const CHAT_LIMIT = 100; // lines

export interface TournamentView {
  tournament: Tournament;
  /** null while the player does not take part. */
  own: YourTournament | null;
  /** A room that was paired while this page was open, so it may be opened unasked; an empty string for none. */
  fresh: string;
  chat: readonly TournamentSaid[];
}

class Following {
  readonly view: Signal<TournamentView | null>;
  readonly error = new Signal("");
  readonly #id: string;
  readonly #connection: Connection;
  readonly #unsubscribe: () => void;
  #isFollowing = false; // the games that ran before are announced earlier

  constructor(id: string, current: Connection) {
    this.#id = id;
    const known = firstAnswer({ t: "follow_tournament", tournament: id });
    this.view = new Signal(known && { tournament: known, own: null, fresh: "", chat: [] });
    this.#connection = current;
    this.#unsubscribe = current.listen((message) => this.#onMessage(message));
    this.#follow();
  }

  #follow(): void {
    this.#connection.call({ t: "follow_tournament", tournament: this.#id }).catch((reason: Error) => {
      this.error.value = reason.message;
    });
  }

  close(): void {
    this.#unsubscribe();
    if (!this.view.value || this.#connection.fault) return;
    this.#connection.call({ t: "follow_tournament", tournament: this.#id, on: false }).catch(() => undefined);
  }

  #onMessage(message: ServerMessage): void {
    if (Array.isArray(message)) return;
    const view = this.view.value;
    if (message.t === "welcome") {
      this.#isFollowing = false; // following has ended with the previous connection
      if (view) this.#follow();
    }
    if (message.t === "tournament" && message.summary.tournament === this.#id) {
      this.error.value = "";
      this.#isFollowing = true;
      // The chat follows the answer to each command, but not a tournament that is sent unasked.
      const chat = message.id == null ? (view?.chat ?? []) : [];
      this.view.value = { own: view?.own ?? null, fresh: view?.fresh ?? "", chat, tournament: message };
    }
    if (!view || !("tournament" in message) || message.tournament !== this.#id) return;
    switch (message.t) {
      case "tournament_changed":
        this.view.value = { ...view, tournament: applyChange(view.tournament, message) };
        break;
      case "your_tournament":
        this.view.value = { ...view, own: message };
        break;
      case "paired":
        if (this.#isFollowing) this.view.value = { ...view, fresh: message.room };
        break;
      case "tournament_said":
        this.view.value = { ...view, chat: [...view.chat.slice(1 - CHAT_LIMIT), message] };
        break;
    }
  }
}

/** Follow a tournament while a component is shown. The view is null until it arrives. */
export function useTournament(id: string): { view: TournamentView | null; error: string } {
  const current = useSignal(connection);
  const following = useMemo(() => new Following(id, current), [id, current]);
  useEffect(() => () => following.close(), [following]);
  return { view: useSignal(following.view), error: useSignal(following.error) };
}
