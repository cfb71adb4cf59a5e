// The benchmark game as a Colyseus room. It sends a patch after every move instead of on a timer, for the lowest latency.
// With the socket of a Redis it is durable: a move is in the event log before any client hears of it.
//   node colyseus.mjs PORT [REDIS_SOCKET]

import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { EventLog } from "./event_log.mjs";
import { CELLS, CLOCK, MOVES_PER_ROUND } from "./placement.mjs";

const [port, redisSocket] = process.argv.slice(2);
const eventLog = redisSocket ? new EventLog(redisSocket) : null;

// The load generator identifies the fields of a patch by their order here.
const State = schema({
  cells: t.array("uint8"),
  turn: t.uint8().default(0),
  moves: t.uint32().default(0), // since the first round
  firstClock: t.uint32().default(CLOCK),
  secondClock: t.uint32().default(CLOCK),
});

class PlacementRoom extends Room {
  onCreate() {
    this.maxClients = Infinity;
    this.seatReservationTimeout = 60;
    this.patchRate = null;
    this.state = new State();
    this.state.cells.push(...new Array(CELLS).fill(0));
    this.placed = 0;
    this.committing = false;
    this.turnStarted = performance.now();
    this.onMessage("move", (client, message) => this.move(client.userData, message.cell));
  }

  onJoin(client, options) {
    client.userData = options.seat;
  }

  move(seat, cell) {
    if (this.committing || !this.isLegal(seat, cell)) return;
    if (eventLog) this.commit(seat, cell);
    else this.play(seat, cell);
  }

  isLegal(seat, cell) {
    const { cells, turn } = this.state;
    return seat === turn && Number.isInteger(cell) && cell >= 0 && cell < CELLS && cells[cell] === 0;
  }

  async commit(seat, cell) {
    this.committing = true;
    await eventLog.append(this.roomId, this.state.moves + 1, seat, cell);
    this.committing = false;
    this.play(seat, cell);
  }

  play(seat, cell) {
    const state = this.state;
    const now = performance.now();
    state[seat === 0 ? "firstClock" : "secondClock"] -= Math.trunc(now - this.turnStarted);
    this.turnStarted = now;
    state.cells[cell] = seat + 1;
    state.turn = 1 - seat;
    state.moves++;
    if (++this.placed === MOVES_PER_ROUND) this.startRound();
    this.broadcastPatch();
  }

  startRound() {
    const state = this.state;
    this.placed = 0;
    for (let cell = 0; cell < CELLS; cell++) if (state.cells[cell]) state.cells[cell] = 0;
    state.turn = 0;
    state.firstClock = state.secondClock = CLOCK;
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ pingInterval: 10_000 }) });
server.define("placement", PlacementRoom).filterBy(["room"]);
await server.listen(Number(port), "127.0.0.1", 4096);
