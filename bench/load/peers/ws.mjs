// The plainest server on node: `ws` and msgpackr, rooms in memory, one send for each member.
//   node ws.mjs PORT

import { Packr } from "msgpackr";
import { WebSocketServer } from "ws";
import { Stones } from "./stones.mjs";

const { pack, unpack } = ((packr) => ({
  pack: (message) => packr.pack(message),
  unpack: (bytes) => packr.unpack(bytes),
}))(new Packr({ useRecords: false }));

const rooms = new Map();

function roomNamed(name) {
  if (!rooms.has(name)) rooms.set(name, { game: new Stones(), members: new Set() });
  return rooms.get(name);
}

const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.argv[2]), backlog: 4096 });

server.on("connection", (socket) => {
  let room = null;
  let seat = -1;
  socket.on("message", (data) => {
    const message = unpack(data);
    if (message.t === "move" && room) {
      const diff = room.game.move(seat, message.cell);
      if (!diff) {
        socket.send(pack({ t: "refused" }));
        return;
      }
      const bytes = pack(diff);
      for (const member of room.members) if (member.readyState === member.OPEN) member.send(bytes);
    } else if (message.t === "join") {
      room = roomNamed(message.room);
      seat = message.seat;
      room.members.add(socket);
      socket.send(pack(room.game.state()));
    }
  });
  socket.on("close", () => room?.members.delete(socket));
  socket.on("error", () => {});
});
