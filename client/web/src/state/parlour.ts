// The visit to a server: one connection for all pages, who we are, and what is told to us wherever we are.
import { Connection, type GameCard, type Player, type Request, type AnswerTo, type State } from "../../sdk/index.ts";
import { recall, remember } from "./settings.ts";
import { Signal } from "./signal.ts";

const TOKEN = "parlour.token";
const NAME = "parlour.name";

export const state = new Signal<State>("connecting");
export const me = new Signal<Player | null>(null);
export const games = new Signal<readonly GameCard[]>([]);
/** A sentence that concerns everything, or none. */
export const trouble = new Signal("");
/** The newest connection; another one after a change of name. */
export const connection = new Signal<Connection>(connect());

function address(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}

function connect(): Connection {
  const token = recall(TOKEN) as string | null;
  const made = new Connection([address()], { client: "parlour-web", token, name: recall(NAME) as string | null });
  made.watch((now) => {
    if (connection.value !== made) return;
    state.value = now;
    trouble.value = made.fault?.message ?? "";
  });
  made.listen((message) => {
    if (Array.isArray(message)) return;
    if (message.t === "welcome") {
      remember(TOKEN, message.token);
      me.value = message.you;
      games.value = message.games;
    }
  });
  return made;
}

export function call<R extends Request>(request: R, id?: number): Promise<AnswerTo<R["t"]>> {
  return connection.value.call(request, id);
}

/** The name of a game for people. */
export function nameOf(game: string): string {
  return games.value.find((card) => card.key === game)?.name ?? game;
}

/** Come in again: as whoever has the token, or as a new guest, with a name if the server lets us have it. */
export function enterAs(name: string, token: string | null = null): void {
  const old = connection.value;
  remember(TOKEN, token);
  remember(NAME, name || null);
  state.value = "connecting";
  connection.value = connect();
  old.close();
}

/** The same player under another name. */
export function become(you: Player, token: string): void {
  remember(TOKEN, token);
  me.value = you;
}

/** Come back at once when the machine wakes up, the network returns or the tab is looked at again. */
export function stayAwake(): void {
  const wake = (): void => connection.value.wake();
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) wake();
  });
}
