// The benchmark game on the plainest server for Node.js: `ws`, MessagePack, and one send for each member of a room.
// With the socket of a Redis it is durable: a move is in the event log before any client hears of it.
//   node ws.mjs PORT [REDIS_SOCKET]

import { Packr } from "msgpackr";
import { WebSocketServer } from "ws";
import { EventLog } from "./event_log.mjs";
import { Placement } from "./placement.mjs";

const [port, redisSocket] = process.argv.slice(2);
const eventLog = redisSocket ? new EventLog(redisSocket) : null;
const packr = new Packr({ useRecords: false });
const rooms = new Map();

function findOrCreateRoom(name) {
  if (!rooms.has(name)) rooms.set(name, { name, game: new Placement(), members: new Set(), committing: false });
  return rooms.get(name);
}

function move(room, seat, cell) {
  if (room.committing || !room.game.isLegal(seat, cell)) return false;
  if (eventLog) commit(room, seat, cell);
  else broadcast(room, room.game.play(seat, cell));
  return true;
}

async function commit(room, seat, cell) {
  room.committing = true;
  await eventLog.append(room.name, room.game.moves + 1, seat, cell);
  room.committing = false;
  broadcast(room, room.game.play(seat, cell));
}

function broadcast(room, update) {
  const bytes = packr.pack(update);
  for (const member of room.members) if (member.readyState === member.OPEN) member.send(bytes);
}

const server = new WebSocketServer({ host: "127.0.0.1", port: Number(port), backlog: 4096 });

server.on("connection", (socket) => {
  let room = null;
  let seat = -1;
  socket.on("message", (data) => {
    const message = packr.unpack(data);
    if (message.t === "move" && room) {
      if (!move(room, seat, message.cell)) socket.send(packr.pack({ t: "refused" }));
    } else if (message.t === "join") {
      room = findOrCreateRoom(message.room);
      seat = message.seat;
      room.members.add(socket);
      socket.send(packr.pack(room.game.state()));
    }
  });
  socket.on("close", () => room?.members.delete(socket));
  socket.on("error", () => {});
});
