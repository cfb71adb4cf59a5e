// A bot that plays one rated game: node bot.mjs ACCOUNT BOT. The first time, it makes the account and its bot.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Connection, Turn } from "parlour-client";

const { PARLOUR_SERVER: server = "http://127.0.0.1:8765", PARLOUR_PASSWORD: password } = process.env;
const [account, bot] = process.argv.slice(2);

if (!existsSync(`${bot}.token`)) {
  const guest = new Connection(server);
  await guest.call({ t: "register", name: account, password });
  const { token } = await guest.call({ t: "create_bot", name: bot });
  writeFileSync(`${bot}.token`, token, { mode: 0o600 });
  guest.close();
}
const token = readFileSync(`${bot}.token`, "utf8");

const connection = new Connection(server, { client: "random bot 1.0", token });
connection.listen(async (message) => {
  if (message.t === "paired") await connection.call({ t: "join", room: message.room });
  if (message.result) {
    console.log(`over: ${message.result.reason}`);
    connection.close();
  }
  if (message.t !== "choices" || message.id != null) return;
  let turn = Turn.begin(message);
  while (!turn.complete) {
    turn = await connection.explore(turn);
    turn = turn.pick(turn.offered[Math.floor(Math.random() * turn.offered.length)].place);
  }
  await connection.play(turn).catch((error) => connection.fault || console.error(error.message));
});
const clock = { kind: "fischer", main: 300_000, step: 3_000 }; // five minutes, plus three seconds a move
await connection.call({ t: "queue", terms: { game: "mapello", rated: true, clock } });
console.log("waiting for an opponent");
