// A client of every profile that uses nothing but the SDK, as `parlour conform client` starts it.
import {
  type Choices,
  Connection,
  type OpenSeek,
  RefusedError,
  retryAfter,
  Turn,
} from "../../../client/web/sdk/index.ts";

const { PARLOUR_URL = "", PARLOUR_GAME = "replica", PARLOUR_FORM = "msgpack" } = process.env;
const { PARLOUR_PROFILE = "player", PARLOUR_ROOM = "", PARLOUR_TOKEN = null } = process.env;
const connection = new Connection(PARLOUR_URL.split(","), {
  client: "sdk player",
  token: PARLOUR_TOKEN,
  form: PARLOUR_FORM === "json" ? "json" : "msgpack",
});
let playing = -1; // the ply of the turn in progress

async function play(choices: Choices): Promise<void> {
  if (choices.id != null || choices.ply === playing) return;
  playing = choices.ply;
  const { room, ply } = choices;
  let turn = Turn.begin(choices);
  try {
    while (!turn.complete) {
      if (turn.unexplored) {
        turn = turn.explored(
          await connection.call({
            t: "explore",
            room,
            ply,
            picks: [...turn.picks],
          }),
        );
      }
      const picks = turn.offered;
      turn = turn.pick(picks[Math.floor(Math.random() * picks.length)]!.place);
    }
    await connection.call({ t: "play", room, ply, picks: [...turn.picks] });
  } catch (why) {
    if (!isOutdated(why)) throw why;
    playing = -1;
    await playAgain(room);
  }
}

/** Choose another turn, unless it is no longer this player's. */
async function playAgain(room: string): Promise<void> {
  const ply = connection.rooms.get(room)!.moves.length;
  try {
    const fresh = await connection.call({ t: "explore", room, ply, picks: [] });
    await play({ ...fresh, id: null });
  } catch (why) {
    if (!isOutdated(why)) throw why;
  }
}

/** Whether the position changed while a turn was on its way. */
function isOutdated(why: unknown): boolean {
  return why instanceof RefusedError && (retryAfter(why) === "changed" || why.code === "game_over");
}

/** The result may arrive before the answer to the last turn; then the connection is already closed. */
function unlessOver(why: Error): void {
  if (!connection.fault) throw why;
}

// -- the lobby and challenges

let number = -1; // of the newest version of the lobby
let open = new Map<string, OpenSeek>();
let accepting = false;

function acceptNext(): void {
  const seek = [...open.values()].find(({ terms }) => terms.game === PARLOUR_GAME);
  if (seek && !accepting) accept(seek.seek);
}

function accept(seek: string): void {
  accepting = true;
  open.delete(seek);
  connection.call({ t: "accept", seek }).catch((why) => {
    if (!(why instanceof RefusedError)) return unlessOver(why);
    accepting = false;
    acceptNext();
  });
}

function watchLobby(): void {
  number = -1;
  connection.call({ t: "watch_lobby" }).catch(unlessOver);
}

connection.listen((message) => {
  if (Array.isArray(message)) return;
  if (message.t === "paired" && !connection.rooms.has(message.room)) {
    connection.call({ t: "join", room: message.room }).catch(unlessOver);
  }
  if (message.t === "event" && message.kind === "taken_back") playing = -1;
  if (message.t === "choices") play(message).catch(unlessOver);
  if (message.t === "challenged" && !accepting) accept(message.seek);
  if (message.t === "lobby") {
    number = message.n;
    open = new Map(message.seeks.map((seek) => [seek.seek, seek]));
    acceptNext();
  } else if (message.t === "lobby_changed" && number >= 0) {
    if (message.n !== ++number) return watchLobby();
    for (const seek of message.seeks_removed ?? []) open.delete(seek);
    for (const seek of message.seeks ?? []) open.set(seek.seek, seek);
    acceptNext();
  }
  if ((message.t === "room" || message.t === "event") && message.result) connection.close();
});
connection.watch((state) => {
  if (state === "lost") number = -1;
  else if (state === "open" && PARLOUR_PROFILE === "lobby" && number < 0 && !accepting) watchLobby();
});
if (PARLOUR_PROFILE === "player") {
  await connection.call({ t: "queue", terms: { game: PARLOUR_GAME } }).catch(() => undefined);
} else if (PARLOUR_PROFILE === "spectator") {
  await connection.call({ t: "join", room: PARLOUR_ROOM }).catch(() => undefined);
}
