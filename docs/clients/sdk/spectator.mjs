// A spectator: waits for a game, prints its moves as they are played, and then the result.
import { Connection } from "parlour-client";

const { PARLOUR_SERVER: server = "http://127.0.0.1:8765" } = process.env;

let watched; // the room

const connection = new Connection(server, { client: "spectator 1.0" });
connection.listen(async (message) => {
  if (!watched && message.live?.length) {
    watched = message.live[0].room;
    const { players } = await connection.call({ t: "join", room: watched });
    console.log(players.map(({ player }) => player.name).join(" against "));
  }
  if (Array.isArray(message)) console.log(message[5]); // a move; its text is the sixth field
  if (message.result) {
    console.log(`over: ${message.result.reason}`);
    connection.close();
  }
});
await connection.call({ t: "watch_lobby" });
