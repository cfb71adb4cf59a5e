// A spectator: waits for a game, prints its moves as they are played, and then the result.
import { Connection } from "parlour-client";

const { PARLOUR_SERVER: server = "http://127.0.0.1:8765" } = process.env;

let watched; // the room
let shown; // how many of its moves

const connection = new Connection(server, { client: "spectator 1.0" });
connection.listen((message) => {
  if (!watched && message.live?.length) {
    watched = message.live[0].room;
    connection.call({ t: "join", room: watched });
  }
  const game = connection.rooms.get(watched); // as it is now
  if (!game) return;
  if (shown === undefined) console.log(game.players.map(({ player }) => player.name).join(" against "));
  for (const move of game.moves.slice(shown)) console.log(move);
  shown = game.moves.length;
  if (game.result) {
    console.log(`over: ${game.result.reason}`);
    connection.close();
  }
});
await connection.call({ t: "watch_lobby" });
