// The event log of the durable peers: a Redis stream for each room, with one entry per move.

import Redis from "ioredis";
import { Packr } from "msgpackr";

export class EventLog {
  /** Connects to the Redis that listens on a Unix socket. */
  constructor(socket) {
    // Auto-pipelining sends all commands of one event loop iteration in a single write.
    this.redis = new Redis({ path: socket, enableAutoPipelining: true });
    this.packr = new Packr({ useRecords: false });
  }

  /**
   * Appends a move and resolves when Redis has confirmed it. Redis rejects a number that is already taken, as it does
   * for Parlour. A peer that cannot write its log is of no use to the benchmark, so any failure ends the process.
   */
  append(room, number, seat, cell) {
    const entry = this.packr.pack([seat, cell, Date.now()]);
    return this.redis.xadd(`room:${room}`, `${number}-0`, "e", entry).catch((error) => {
      console.error(error);
      process.exit(1);
    });
  }
}
