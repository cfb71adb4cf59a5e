// The stand-in game as a Colyseus room. A patch goes out after every move, not on a timer: the lowest latency it has.
//   node colyseus.mjs PORT

import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { CELLS, CLOCK, IN_A_ROUND } from "./stones.mjs";

// The load generator reads patches by the places of these fields.
const Position = schema({
  cells: t.array("uint8"),
  turn: t.uint8().default(0),
  n: t.uint32().default(0), // moves since the beginning
  first: t.uint32().default(CLOCK),
  second: t.uint32().default(CLOCK),
});

class StonesRoom extends Room {
  onCreate() {
    this.maxClients = Infinity;
    this.seatReservationTimeout = 60;
    this.patchRate = null;
    this.state = new Position();
    this.state.cells.push(...new Array(CELLS).fill(0));
    this.stones = 0;
    this.since = performance.now();
    this.onMessage("move", (client, message) => this.move(client.userData, message.cell));
  }

  onJoin(client, wish) {
    client.userData = wish.seat;
  }

  move(seat, cell) {
    const state = this.state;
    if (seat !== state.turn || !Number.isInteger(cell) || cell < 0 || cell >= CELLS || state.cells[cell]) return;
    const now = performance.now();
    state[seat === 0 ? "first" : "second"] -= Math.trunc(now - this.since);
    this.since = now;
    state.cells[cell] = seat + 1;
    state.turn = 1 - seat;
    state.n++;
    if (++this.stones === IN_A_ROUND) this.clear();
    this.broadcastPatch();
  }

  clear() {
    const state = this.state;
    this.stones = 0;
    for (let cell = 0; cell < CELLS; cell++) if (state.cells[cell]) state.cells[cell] = 0;
    state.turn = 0;
    state.first = state.second = CLOCK;
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ pingInterval: 10_000 }) });
server.define("stones", StonesRoom).filterBy(["room"]);
await server.listen(Number(process.argv[2]), "127.0.0.1", 4096);
