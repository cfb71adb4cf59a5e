// Plays one game of random turns with the SDK and exits, as `parlour conform client` expects.
import { type Choices, Connection, RefusedError, retryAfter, Turn } from "../../../client/web/sdk/index.ts";

const { PARLOUR_URL = "", PARLOUR_GAME = "replica", PARLOUR_FORM = "msgpack" } = process.env;
const connection = new Connection(PARLOUR_URL.split(","), {
  client: "sdk player",
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
    if (!(why instanceof RefusedError && retryAfter(why) === "changed")) throw why;
    playing = -1;
    const ply = connection.rooms.get(room)!.moves.length;
    const fresh = await connection.call({ t: "explore", room, ply, picks: [] });
    await play({ ...fresh, id: null });
  }
}

/** The result may arrive before the answer to the last turn; then the connection is already closed. */
function unlessOver(why: Error): void {
  if (!connection.fault) throw why;
}

connection.listen((message) => {
  if (Array.isArray(message)) return;
  if (message.t === "paired") void connection.call({ t: "join", room: message.room });
  if (message.t === "choices") play(message).catch(unlessOver);
  if ((message.t === "room" || message.t === "event") && message.result) connection.close();
});
await connection.call({ t: "queue", terms: { game: PARLOUR_GAME } }).catch(() => undefined);
