// The server: one connection for all pages, the player, and the games on offer.
import { type AnswerTo, Connection, type GameCard, type Player, type Request, type State } from "../../sdk/index.ts";
import { firstGames } from "./pageData.ts";
import { withPrefix } from "./prefix.ts";
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";
import { learnLevels } from "./botNames.ts";

const TOKEN = "parlour.token";
const NAME = "parlour.name";

export const connectionState = new Signal<State>("connecting");
/** Why the connection ended for good, or why the server refuses it at the moment, or an empty string. */
export const connectionError = new Signal("");
export const me = new Signal<Player | null>(null);
export const games = new Signal<readonly GameCard[]>(firstGames);
learnLevels(firstGames);
/** The current connection; a change of identity opens a new one. */
export const connection = new Signal<Connection>(connect());

/** The address of the server's socket. */
export function address(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${withPrefix("/ws")}`;
}

function connect(): Connection {
  const opened = new Connection([address()], {
    client: "parlour-web",
    token: loadStored(TOKEN) as string | null,
    name: loadStored(NAME) as string | null,
  });
  opened.watch((state) => {
    if (connection.value !== opened) return;
    connectionState.value = state;
    connectionError.value = opened.fault?.message ?? opened.problem;
  });
  opened.listen((message) => {
    if (Array.isArray(message) || message.t !== "welcome") return;
    saveStored(TOKEN, message.token);
    me.value = message.you;
    games.value = message.games;
    learnLevels(message.games);
  });
  return opened;
}

export function call<R extends Request>(request: R): Promise<AnswerTo<R["t"]>> {
  return connection.value.call(request);
}

/** The display name of a game. */
export function gameName(game: string): string {
  return games.value.find((card) => card.key === game)?.name ?? game;
}

/** Reconnect as the token's player, or without a token as a new guest, with the given name if it is free. */
export function reconnectAs(name: string, token: string | null = null): void {
  const old = connection.value;
  saveStored(TOKEN, token);
  saveStored(NAME, name || null);
  connectionState.value = "connecting";
  connection.value = connect();
  old.close();
}

/** The same player has a new name and token. */
export function updateIdentity(you: Player, token: string): void {
  saveStored(TOKEN, token);
  me.value = you;
}

/** Reconnect at once when the machine wakes up, the network returns or the tab is shown again. */
export function reconnectOnWake(): void {
  const wake = (): void => connection.value.wake();
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) wake();
  });
}
