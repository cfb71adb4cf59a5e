// One player's side of the conversation, across all connections, without sockets: messages go in, messages come out.
// What a client must do to stay in step is all here; whoever drives a session only moves frames. Times are milliseconds.
import { Mirror, named, type Update } from "./mirror.ts";
import {
  type ClientMessage,
  type Ok,
  type Refused,
  type ServerMessage,
  type Standing,
  type Welcome,
} from "./protocol.ts";

export const PING_EVERY = 10_000;
export const SILENCE_MEANS_DEAD = 25_000;
export const SEND_AGAIN_AFTER = 1_000;
const MOST_STANDINGS = 64; // rooms in one hello

/** Refusals after which the same is sent again by itself. Those that ask people to wait are told to them instead. */
export const SEND_AGAIN = new Set(["try_again", "too_fast", "computer_busy"]);

/** Whatever has an id and gets exactly one answer. */
export type Command = Extract<ClientMessage, { id: number }>;

type WithoutId<C> = C extends Command ? Omit<C, "id"> : never;

/** A command as it is given to `send`, which chooses the id. */
export type Request = WithoutId<Command>;

export class Session {
  token: string | null;
  readonly rooms = new Map<string, Mirror>();
  /** Whether the present connection is past its welcome. */
  welcomed = false;
  #client: string;
  #name: string | null;
  #nextId: number;
  #connection = 0; // counts connections, to tell late messages of an old one
  #unanswered = new Map<number, Command>(); // in the order of sending
  #queued = new Map<string, Command>(); // seek -> the queue command that was answered with it, until it is paired
  #syncing = new Map<string, number>(); // room -> id of the sync under way
  #postponed = new Map<number, number>(); // command id -> when to send it again
  #outgoing: ClientMessage[] = [];
  #heardAt = 0;
  #pingedAt = 0;

  /** `firstId`: command ids count up from here; must not repeat those of earlier sessions of this player. */
  constructor(client: string, firstId: number, token: string | null = null, name: string | null = null) {
    this.#client = client;
    this.#nextId = firstId;
    this.token = token;
    this.#name = name;
  }

  // -- the connection

  /** A new connection is open. Gives its number, which goes with everything that arrives on it. */
  connected(now: number): number {
    this.#heardAt = this.#pingedAt = now;
    this.#forgetConnection();
    // Games that go on come first, if there are more than one hello can hold.
    const mirrors = [...this.rooms.values()].sort((a, b) => Number(a.result !== null) - Number(b.result !== null));
    this.#outgoing = [this.#hello(mirrors.slice(0, MOST_STANDINGS).map((mirror) => mirror.standing))];
    return ++this.#connection;
  }

  /** The connection is lost; what was not answered will be sent again on the next one. */
  disconnected(): void {
    this.#connection++;
    this.#forgetConnection();
    this.#outgoing = [];
  }

  /**
   * Call this every second or so: pings when it is time, and sends again what the server could not take before. False
   * when the connection is as good as dead.
   */
  tick(now: number): boolean {
    if (this.welcomed && now - this.#pingedAt >= PING_EVERY) this.ping(now);
    for (const [id, due] of this.#postponed) {
      if (due > now) continue;
      this.#postponed.delete(id);
      const command = this.#unanswered.get(id);
      if (this.welcomed && command) this.#outgoing.push(command);
    }
    return now - this.#heardAt < SILENCE_MEANS_DEAD;
  }

  /** Ask whether the server is there, and whether something was lost. */
  ping(now: number): void {
    if (!this.welcomed) return;
    this.#pingedAt = now;
    this.#outgoing.push({ t: "ping" });
  }

  /** How long nothing has come. */
  silence(now: number): number {
    return now - this.#heardAt;
  }

  /** What is to be sent now, in order. */
  outgoing(): ClientMessage[] {
    const messages = this.#outgoing;
    this.#outgoing = [];
    return messages;
  }

  // -- commands

  /** An id that no command has had. */
  newId(): number {
    return this.#nextId++;
  }

  /** Have a command carried out, now or when the connection is back. Gives its id. */
  send(request: Request, id = this.newId()): number {
    const command = { ...request, id } as Command;
    if (command.t === "cancel") this.#queued.delete(command.seek);
    this.#unanswered.set(id, command);
    if (this.welcomed) this.#outgoing.push(command);
    return id;
  }

  /** Commands whose answer is still to come. */
  get unanswered(): Command[] {
    return [...this.#unanswered.values()];
  }

  // -- what arrives

  /** Take in a message. False if it changes nothing: late, repeated, or out of step and being repaired. */
  receive(connection: number, message: ServerMessage, now: number): boolean {
    if (connection !== this.#connection) return false;
    this.#heardAt = now;
    if (Array.isArray(message)) return message[0] === 0 && this.#takeUpdate(named(message));
    switch (message.t) {
      case "welcome":
        return this.#takeWelcome(message);
      case "pong":
        for (const standing of message.rooms ?? []) this.#compare(standing);
        return true;
      case "happened":
        return this.#takeUpdate(message);
      case "room": {
        const mirror = new Mirror(message);
        const asked = this.#syncing.has(message.room);
        this.rooms.set(message.room, mirror);
        this.#answered(message.id ?? null);
        this.#syncing.delete(message.room);
        // A server that answers with a wrong room again is asked again with the next pong, not at once.
        if (!mirror.true && !asked) this.#ask(mirror, true);
        return true;
      }
      case "refused":
        return this.#takeRefusal(message, now);
      case "ok":
        return this.#takeOk(message);
      case "paired":
        if (message.seek != null) this.#queued.delete(message.seek);
        return true;
      default:
        return this.#answered((message as { id?: number }).id ?? null);
    }
  }

  #hello(rooms: Standing[]): ClientMessage {
    return { t: "hello", client: this.#client, token: this.token, rooms, name: this.token ? null : this.#name };
  }

  #forgetConnection(): void {
    this.welcomed = false;
    this.#postponed.clear(); // everything unanswered is sent again anyway
    for (const id of this.#syncing.values()) this.#unanswered.delete(id); // hello asks for the same
    this.#syncing.clear();
  }

  #takeWelcome(welcome: Welcome): boolean {
    if (this.welcomed) return false;
    this.token = welcome.token;
    this.welcomed = true;
    // A place in a queue is gone with the connection, and the same command gives it back.
    this.#outgoing.push(...this.#queued.values(), ...this.#unanswered.values());
    return true;
  }

  #takeRefusal(refused: Refused, now: number): boolean {
    if (refused.id != null) {
      if (this.#unanswered.has(refused.id) && SEND_AGAIN.has(refused.code)) {
        this.#postponed.set(refused.id, now + SEND_AGAIN_AFTER);
        return false;
      }
      // A place in a queue that is not given back is news, though the command was answered before.
      const lost = [...this.#queued].find(([, command]) => command.id === refused.id);
      if (lost) this.#queued.delete(lost[0]);
      return this.#answered(refused.id) || lost !== undefined;
    }
    if (refused.code === "token_unknown" && !this.welcomed) {
      // The server does not know us any more: go on as a new guest, without what belonged to the old one.
      this.token = null;
      this.rooms.clear();
      this.#queued.clear();
      this.#outgoing = [this.#hello([])];
    }
    return true;
  }

  #takeOk(ok: Ok): boolean {
    const command = this.#unanswered.get(ok.id);
    if (command?.t === "leave") this.rooms.delete(command.room);
    if (command?.t === "queue" && ok.seek) this.#queued.set(ok.seek, command);
    const synced = [...this.#syncing].filter(([, id]) => id === ok.id).map(([room]) => room);
    const fresh = this.#answered(ok.id);
    for (const room of synced) {
      // The missed updates have come. If the copy broke over one of them, only the whole room helps.
      const mirror = this.rooms.get(room);
      if (mirror && !mirror.true) this.#ask(mirror, true);
    }
    return fresh;
  }

  /** Whether this is news: no answer at all, or the first one to a command of ours. */
  #answered(id: number | null): boolean {
    if (id === null) return true;
    for (const [room, sync] of this.#syncing) if (sync === id) this.#syncing.delete(room);
    return this.#unanswered.delete(id);
  }

  #takeUpdate(update: Update): boolean {
    const mirror = this.rooms.get(update.room);
    if (!mirror) return false;
    const verdict = mirror.take(update);
    if (verdict === "gap" || verdict === "broken") this.#ask(mirror, verdict === "broken");
    return verdict === "applied";
  }

  /** Something was lost on the way if the server is further than we are. */
  #compare([room, epoch, seq]: Standing): void {
    const mirror = this.rooms.get(room);
    if (!mirror) return;
    const whole = !mirror.true || epoch > mirror.epoch;
    if (whole || (epoch === mirror.epoch && seq > mirror.seq)) this.#ask(mirror, whole);
  }

  #ask(mirror: Mirror, whole: boolean): void {
    if (whole) mirror.true = false;
    const [room, epoch, seq] = mirror.standing;
    if (!this.#syncing.has(room)) this.#syncing.set(room, this.send({ t: "sync", room, epoch, seq }));
  }
}
