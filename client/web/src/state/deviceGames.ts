// Games of two players on this device. The second player is another guest, with a connection of their own.
import { Connection, type Offer, type Terms } from "../../sdk/index.ts";
import { navigate } from "./router.ts";
import { address, call } from "./server.ts";
import { loadStored, saveStored } from "./storage.ts";

const KEY = "parlour.second";
const REMEMBERED = 20; // games

interface SecondPlayer {
  /** The name that was asked for; the server may have given a similar one. */
  name: string;
  token: string | null;
  /** Their games with the player of this browser, newest last. */
  rooms: readonly string[];
}

let opened: Connection | null = null;

function load(): SecondPlayer {
  return { name: "", token: null, rooms: [], ...(loadStored(KEY) as Partial<SecondPlayer> | null) };
}

function save(changed: Partial<SecondPlayer>): void {
  saveStored(KEY, { ...load(), ...changed });
}

/** The name of the last second player, or an empty string. */
export const secondName = (): string => load().name;

function secondConnection(): Connection {
  if (opened && opened.state !== "ended") return opened;
  const { name, token } = load();
  opened = new Connection([address()], { client: "parlour-web", token, name: name || null });
  opened.listen((message) => {
    if (!Array.isArray(message) && message.t === "welcome") save({ token: message.token });
  });
  return opened;
}

/** The connection of the second player if both play this game on this device, otherwise null. */
export function connectionOfSecond(room: string): Connection | null {
  return load().rooms.includes(room) ? secondConnection() : null;
}

/** Remember that both players of a game use this device. */
export function rememberDeviceGame(room: string): void {
  save({ rooms: [...load().rooms.filter((each) => each !== room), room].slice(-REMEMBERED) });
}

/** Start a game of two players on this device and go to it. `seat` is the one of this browser's own player. */
export async function playHere(
  terms: Terms,
  name: string,
  seat: "any" | "first" | "second",
  start: { position?: string },
): Promise<void> {
  if (name !== load().name) {
    opened?.close();
    opened = null;
    save({ name, token: null });
  }
  const theirs = seat === "any" ? "any" : seat === "first" ? "second" : "first";
  const { seek } = await secondConnection().call({ t: "challenge", terms, seat: theirs, ...start });
  const { room } = await call({ t: "accept", seek: seek ?? "" });
  if (!room) return;
  rememberDeviceGame(room);
  navigate(`/table/${room}`);
}

/** Let one of two players on this device make an offer and the other accept it. */
export async function agree(request: Omit<Offer, "id">, mover: Connection, other: Connection): Promise<void> {
  // A turn is taken back by the player who made it: usually the one who is not to move.
  const agreeing = await other.call(request).then(
    () => mover,
    () => mover.call(request).then(() => other),
  );
  await agreeing.call({ t: "answer_offer", room: request.room, kind: request.kind, accept: true });
}
