// When a client pings, gives up on a silent server, and reconnects. Pure: time is an argument, in milliseconds.
// The same as protocol/parlour/protocol/timing.py; protocol/vectors/sessions.json proves that both agree.
import { ADDRESSES_AT_ONCE, PROBE_ROUND_TRIPS, TIMING } from "./protocol.ts";

/** The next action on the connection; `give up`: close it and open another one. */
export type Action = "nothing" | "ping" | "give up";

/** No command is unanswered; one is; one is, and a ping asks whether the server is still there. */
type Phase = "idle" | "waiting" | "probing";

/** Judges whether the server still responds. One instance serves all connections of a session, in turn. */
export class Liveness {
  // Survives the connection: on a slow network the next one gets more time.
  #probeTimeout: number = TIMING.PROBE_TIMEOUT;
  #connectedAt = 0;
  #receivedAt = 0;
  #pingedAt = 0;
  #tickedAt = 0;
  #phase: Phase = "idle";
  #since = 0;
  #oldest: number | undefined; // the oldest unanswered command
  #oldestSince = 0;
  #unansweredConnections = 0; // given up in a row because hello or a command was not answered

  /** Start over with a new connection. */
  connected(now: number): void {
    this.#connectedAt = this.#receivedAt = this.#pingedAt = this.#tickedAt = now;
    this.#enter("idle", now);
    this.#oldest = undefined;
    this.#oldestSince = now;
  }

  /** Record that the server has sent something. */
  received(now: number): void {
    this.#receivedAt = now;
    if (this.#phase === "probing")
      this.#probeTimeout = Math.max(TIMING.PROBE_TIMEOUT, PROBE_ROUND_TRIPS * (now - this.#since));
    if (this.#phase !== "idle") this.#enter("waiting", now);
  }

  /**
   * Record that a command was answered: the time this took tells how slow the network is at present. An answer that comes
   * before the next tick counts as quick.
   */
  answered(now: number, id: number): void {
    this.#unansweredConnections = 0;
    if (id !== this.#oldest && this.#oldest !== undefined) return;
    const took = id === this.#oldest ? now - this.#oldestSince : 0;
    this.#probeTimeout = Math.max(TIMING.PROBE_TIMEOUT, PROBE_ROUND_TRIPS * took);
  }

  /** Record that a ping was sent out of turn. */
  pinged(now: number): void {
    this.#pingedAt = now;
  }

  /**
   * Return the next action. Call this several times a second. `oldest`: the id of the oldest command that the server has to
   * answer; `isUrgent`: whether it is one of a running game, and other nodes could answer it.
   */
  tick(now: number, oldest: number | undefined, isUrgent: boolean): Action {
    const wasSuspended = now - this.#tickedAt > TIMING.SUSPENSION;
    const waited = now - this.#since;
    this.#tickedAt = now;
    if (oldest !== this.#oldest || wasSuspended) {
      this.#oldest = oldest;
      this.#oldestSince = now;
    }
    if (now - this.#receivedAt >= TIMING.SILENCE_LIMIT) return "give up";
    if (oldest === undefined) this.#enter("idle", now);
    else if (this.#phase === "idle" || wasSuspended)
      this.#enter("waiting", now); // what arrived during a suspension has not been read yet
    else if (this.#phase === "waiting" && waited >= TIMING.PROBE_DELAY) {
      this.#enter("probing", now);
      return this.#ping(now);
    } else if (this.#phase === "probing" && waited >= this.#probeTimeout) {
      this.#probeTimeout = Math.min(2 * this.#probeTimeout, TIMING.SILENCE_LIMIT);
      return "give up";
    } else if (
      now - this.#oldestSince >=
      Math.max(
        isUrgent ? this.#grown(TIMING.GAME_COMMAND_TIMEOUT) : TIMING.COMMAND_TIMEOUT,
        TIMING.PROBE_DELAY + this.#probeTimeout,
      )
    ) {
      this.#unansweredConnections++;
      return "give up";
    }
    return now - this.#pingedAt >= TIMING.PING_INTERVAL ? this.#ping(now) : "nothing";
  }

  /** Whether to give up waiting for welcome. `isUrgent`: a player has a running game, and there are other nodes. */
  isHelloOverdue(now: number, isUrgent: boolean): boolean {
    if (now - this.#connectedAt < (isUrgent ? this.#grown(TIMING.PLAYER_HELLO_TIMEOUT) : TIMING.HELLO_TIMEOUT))
      return false;
    this.#unansweredConnections++;
    return true;
  }

  /** A timeout that grows with each connection given up in a row, since all nodes may lack the store. */
  #grown(timeout: number): number {
    return Math.min(timeout * 2 ** Math.min(this.#unansweredConnections, 16), TIMING.COMMAND_TIMEOUT);
  }

  #enter(phase: Phase, now: number): void {
    this.#phase = phase;
    this.#since = now;
  }

  #ping(now: number): Action {
    this.#pingedAt = now;
    return "ping";
  }
}

/** How urgently a client needs a connection: for an unanswered command of a running game, for a running game, or not. */
export type Urgency = "command" | "game" | "none";

const FIRST_DELAYS: Record<Urgency, number> = {
  command: TIMING.FIRST_COMMAND_DELAY,
  game: TIMING.FIRST_PLAYER_DELAY,
  none: TIMING.FIRST_SPECTATOR_DELAY,
};

/** At how many of the known addresses a client tries to connect at once. */
export function addressesToTry(known: number, isHurried: boolean): number {
  return isHurried ? Math.min(known, ADDRESSES_AT_ONCE) : 1;
}

/** How long an attempt to open a WebSocket may take, after this many failures in a row, if that many are made at once. */
export function openTimeout(failures: number, atOnce: number): number {
  return Math.min(TIMING.FIRST_OPEN_TIMEOUT * 2 ** Math.min(failures + atOnce - 1, 16), TIMING.MAX_OPEN_TIMEOUT);
}

/**
 * How long to wait before the next attempt to connect. `failures` counts the attempts in a row that did not reach
 * `welcome`; `chance`, a random number from 0 to 1, spreads the clients of a server that was lost.
 */
export function reconnectDelay(failures: number, chance: number, urgency: Urgency): number {
  const delay = Math.min(FIRST_DELAYS[urgency] * 2 ** Math.min(failures, 16), TIMING.MAX_RECONNECT_DELAY);
  return delay * (0.75 + chance / 2);
}
