// A player's side of the protocol, across all connections, without sockets: messages go in, messages come out.
// All that a client must do to stay in step is here, so the code that drives a session only moves frames.
// The same as ClientSession in protocol/parlour/protocol/session.py. Times are in milliseconds.
import { RoomReplica, named, type Update } from "./replica.ts";
import {
  type ClientMessage,
  type Cursor,
  GAME_COMMANDS,
  type Ok,
  type Refused,
  RETRIED,
  type Room,
  type ServerMessage,
  TIMING,
  type Welcome,
} from "./protocol.ts";
import { Liveness, type Urgency } from "./timing.ts";

const MAX_CURSORS = 64; // rooms in one hello
const MAX_LEAVES = 6; // how many nodes a client leaves on account of one room whose rules they do not support

/** A message with an id, which gets exactly one answer. */
export type Command = Extract<ClientMessage, { id: number }>;

type WithoutId<C> = C extends Command ? Omit<C, "id"> : never;

/** A command as it is passed to `send`, which chooses the id. */
export type Request = WithoutId<Command>;

/**
 * Open a connection and call `connected`. Then send what `outgoing` returns, pass every message that arrives to
 * `receive`, and call `tick` several times a second. Call `disconnected` when the connection is lost, and start again.
 */
export class Session {
  /** The player's token, from the last welcome: keep it to be the same player next time. */
  token: string | null;
  /** The rooms that this client has joined, as they are now. */
  readonly rooms = new Map<string, RoomReplica>();
  /** Whether the server has answered hello on this connection. */
  welcomed = false;
  #client: string;
  #name: string | null;
  #sessionId: string | null = null; // from the last welcome; never stored, so that no two clients share it
  #nextId = 1;
  #connection = 0; // increases with every change of connection, to recognise late messages
  #hasOtherNodes = false; // according to the last welcome
  #wasGivenUp = false; // whether the last connection was, and there has been no welcome since
  #liveness = new Liveness();
  #unanswered = new Map<number, Command>(); // in the order of sending
  #retries = new Map<number, number>(); // command id -> when to send it again
  #syncing = new Map<string, number>(); // room -> id of the sync that is under way
  // After the ok of a play the position is not known until its update arrives: other plays are held until then.
  #awaited = new Map<string, { epoch: number; seq: number }>(); // room -> that update
  #held: Command[] = [];
  // Seeks and places in the queue end with their connection, so their commands are kept until a game is made.
  #places = new Map<string, Command>(); // seek -> command
  #leaves = new Map<string, number>(); // room -> how many nodes were left because they do not support its rules
  #leaveAt: number | null = null; // when to leave this node for that reason
  #outgoing: ClientMessage[] = [];

  /** Begin without a connection. `client` is the program and its version; `name` is for a new guest. */
  constructor(client: string, token: string | null = null, name: string | null = null) {
    this.#client = client;
    this.token = token;
    this.#name = name;
  }

  // -- the connection

  /** Start a new connection. Returns its number, which `receive` wants with every message that arrives on it. */
  connected(now: number): number {
    this.disconnected();
    this.#liveness.connected(now);
    // Running games come first, in case there are more rooms than one hello can list.
    const replicas = [...this.rooms.values()].sort((a, b) => Number(a.result !== null) - Number(b.result !== null));
    this.#outgoing = [this.#hello(replicas.slice(0, MAX_CURSORS).map((replica) => replica.cursor))];
    return this.#connection;
  }

  /** Forget the connection. Unanswered commands are sent again on the next one. */
  disconnected(): void {
    this.#connection++;
    this.welcomed = false;
    this.#outgoing = [];
    this.#leaveAt = null;
    this.#held = [];
    this.#retries.clear(); // every unanswered command is sent again after welcome
    for (const id of this.#syncing.values()) this.#unanswered.delete(id); // the next hello asks for the same updates
    this.#syncing.clear();
  }

  /**
   * Ping and retry what is due. Returns false if the server has been silent for too long, or cannot serve a room: then
   * connect to another node.
   */
  tick(now: number): boolean {
    this.#wasGivenUp = !this.#goesOn(now);
    return !this.#wasGivenUp;
  }

  #goesOn(now: number): boolean {
    for (const [id, due] of this.#retries) {
      if (due > now) continue;
      this.#retries.delete(id);
      const command = this.#unanswered.get(id);
      if (command) this.#queue(command);
    }
    const isUrgent = this.#hasOtherNodes && this.isPlaying;
    if (!this.welcomed && this.#liveness.isHelloOverdue(now, isUrgent)) return false;
    const oldest = this.#oldestUnanswered();
    const action = this.#liveness.tick(now, oldest?.id, this.#isUrgent(oldest));
    if (action === "ping" && this.welcomed) this.#outgoing.push({ t: "ping" });
    return action !== "give up" && (this.#leaveAt === null || now < this.#leaveAt);
  }

  /** Whether this player has a seat in a game that goes on. */
  get isPlaying(): boolean {
    return [...this.rooms.values()].some((replica) => replica.seat !== null && replica.result === null);
  }

  /** Whether to try several addresses at once: this player's server was silent. */
  get isHurried(): boolean {
    return this.#wasGivenUp && this.isPlaying;
  }

  /** How soon to reconnect. */
  get urgency(): Urgency {
    if ([...this.#unanswered.values()].some((command) => GAME_COMMANDS.has(command.t))) return "command";
    return this.isPlaying ? "game" : "none";
  }

  /**
   * The oldest command that the server has to answer, one of a running game if there is one. A command that is sent
   * again later is not due.
   */
  #oldestUnanswered(): Command | undefined {
    if (!this.welcomed) return undefined;
    const due = [...this.#unanswered.values()].filter((command) => !this.#retries.has(command.id));
    return due.find((command) => GAME_COMMANDS.has(command.t)) ?? due[0];
  }

  /** Whether another node should be tried soon if a command stays unanswered. */
  #isUrgent(command: Command | undefined): boolean {
    return this.#hasOtherNodes && command !== undefined && GAME_COMMANDS.has(command.t);
  }

  /** Ping at once, because the machine may have slept or the network may be back. */
  ping(now: number): void {
    if (!this.welcomed) return;
    this.#liveness.pinged(now);
    this.#outgoing.push({ t: "ping" });
  }

  /** The messages to send now, in order; they are forgotten here. */
  outgoing(): ClientMessage[] {
    const messages = this.#outgoing;
    this.#outgoing = [];
    return messages;
  }

  // -- commands

  /** Send a command, now or after the next welcome. Returns the id that it was given. */
  send(request: Request): number {
    const id = this.#nextId++;
    const command = { ...request, id } as Command;
    this.#unanswered.set(id, command);
    if (this.welcomed) this.#queue(command);
    return id;
  }

  #queue(command: Command): void {
    if (command.t === "play" && this.#awaited.has(command.room)) this.#held.push(command);
    else this.#outgoing.push(command);
  }

  /** The commands that the server has not answered yet. */
  get unanswered(): Command[] {
    return [...this.#unanswered.values()];
  }

  // -- messages from the server

  /** Process a message. Returns false if it is not news: late, repeated, or out of step and being repaired. */
  receive(connection: number, message: ServerMessage, now: number): boolean {
    if (connection !== this.#connection) return false;
    this.#liveness.received(now);
    if (Array.isArray(message)) return message[0] === 0 && this.#receiveUpdate(named(message));
    if ("id" in message && message.id != null && this.#unanswered.has(message.id))
      this.#liveness.answered(now, message.id);
    switch (message.t) {
      case "welcome":
        return this.#receiveWelcome(message);
      case "pong":
        for (const cursor of message.rooms ?? []) this.#compare(cursor);
        return true;
      case "event":
        return this.#receiveUpdate(message);
      case "room":
        return this.#receiveRoom(message);
      case "refused":
        return this.#receiveRefusal(message, now);
      case "ok":
        return this.#receiveOk(message);
      case "paired":
        this.#places.delete(message.seek ?? "");
        return true;
      default:
        return this.#settle((message as { id?: number }).id ?? null);
    }
  }

  #hello(rooms: Cursor[]): ClientMessage {
    const name = this.token ? null : this.#name;
    return { t: "hello", client: this.#client, token: this.token, rooms, name, session: this.#sessionId };
  }

  #receiveWelcome(welcome: Welcome): boolean {
    if (this.welcomed) return false;
    this.token = welcome.token;
    this.#hasOtherNodes = Boolean(welcome.nodes?.length);
    this.#sessionId = welcome.session;
    this.welcomed = true;
    this.#wasGivenUp = false;
    const places = [...this.#places.values()].map((command) => [command.id, command] as const);
    this.#unanswered = new Map([...places, ...this.#unanswered]);
    for (const command of this.#unanswered.values()) this.#queue(command);
    return true;
  }

  #receiveRefusal(refused: Refused, now: number): boolean {
    if (refused.code === "rules_unsupported" && this.#leavesNode(refused, now)) return false;
    if (refused.id == null) {
      if (refused.code === "token_unknown" && !this.welcomed) this.#becomeNewGuest();
      return true;
    }
    if (this.#unanswered.has(refused.id) && RETRIED.has(refused.code)) {
      this.#retries.set(refused.id, now + Math.max(TIMING.RETRY_DELAY, refused.retry_after ?? 0));
      return false;
    }
    for (const [seek, command] of this.#places) if (command.id === refused.id) this.#places.delete(seek);
    return this.#settle(refused.id);
  }

  /** Leave for another node, which may support the rules of a room. Returns false if enough nodes were tried. */
  #leavesNode(refused: Refused, now: number): boolean {
    const command = refused.id == null ? undefined : this.#unanswered.get(refused.id);
    const room = command && "room" in command ? command.room : refused.room;
    if (room == null || !(command?.t === "join" || this.rooms.has(room))) return false;
    if (this.#leaveAt === null) {
      const leaves = this.#leaves.get(room) ?? 0;
      if (leaves >= MAX_LEAVES) return false;
      this.#leaves.set(room, leaves + 1);
      this.#leaveAt = now + TIMING.RETRY_DELAY;
    }
    return true;
  }

  /** Say hello again without the token, and without the rooms and seeks of its player. */
  #becomeNewGuest(): void {
    this.token = null;
    this.#sessionId = null;
    this.rooms.clear();
    this.#awaited.clear();
    this.#places.clear();
    this.#outgoing = [this.#hello([])];
  }

  #receiveOk(ok: Ok): boolean {
    const command = this.#unanswered.get(ok.id);
    let isKnownPlace = false;
    if (command?.t === "leave") {
      this.rooms.delete(command.room);
      this.#release(command.room);
    } else if (command?.t === "play" && this.rooms.has(command.room) && ok.epoch != null && ok.seq != null) {
      this.#awaited.set(command.room, { epoch: ok.epoch, seq: ok.seq });
      this.#releaseIfReached(this.rooms.get(command.room)!);
    } else if (command?.t === "cancel") this.#places.delete(command.seek);
    else if ((command?.t === "queue" || command?.t === "seek") && ok.seek != null) {
      isKnownPlace = this.#places.has(ok.seek);
      this.#places.set(ok.seek, command);
    }
    const synced = [...this.#syncing].filter(([, id]) => id === ok.id).map(([room]) => room);
    const isNews = this.#settle(ok.id);
    for (const room of synced) {
      // All missed updates have arrived. If the replica is still wrong, only the whole room helps.
      const replica = this.rooms.get(room);
      if (replica && !replica.inSync) this.#sync(replica, true);
    }
    return isNews && !isKnownPlace;
  }

  /** Record that a command has been answered. Returns false if it was answered before. */
  #settle(id: number | null): boolean {
    if (id === null) return true;
    for (const [room, sync] of this.#syncing) if (sync === id) this.#syncing.delete(room);
    return this.#unanswered.delete(id);
  }

  // -- rooms

  #receiveRoom(room: Room): boolean {
    const replica = new RoomReplica(room);
    this.rooms.set(room.room, replica);
    const wasSyncing = this.#syncing.delete(room.room);
    this.#settle(room.id ?? null);
    this.#release(room.room);
    // A server that sends a wrong room twice is asked again after the next pong, not in a loop.
    if (!replica.inSync && !wasSyncing) this.#sync(replica, true);
    return true;
  }

  #receiveUpdate(update: Update): boolean {
    const replica = this.rooms.get(update.room);
    if (!replica) return false;
    const result = replica.apply(update);
    if (result === "gap" || result === "diverged") this.#sync(replica, result === "diverged");
    this.#releaseIfReached(replica);
    return result === "applied";
  }

  /** Send the held plays of a room whose replica has reached the update that they wait for. */
  #releaseIfReached({ room: { room }, epoch, seq }: RoomReplica): void {
    const awaited = this.#awaited.get(room);
    if (!awaited) return;
    if (epoch > awaited.epoch || (epoch === awaited.epoch && seq >= awaited.seq)) this.#release(room);
  }

  /** Send the held plays of a room. */
  #release(room: string): void {
    this.#awaited.delete(room);
    const held = this.#held;
    this.#held = [];
    for (const play of held) this.#queue(play);
  }

  /** Ask for lost updates if the server has sent more than has arrived. */
  #compare([room, epoch, seq]: Cursor): void {
    const replica = this.rooms.get(room);
    if (!replica) return;
    const whole = !replica.inSync || epoch > replica.epoch;
    if (whole || (epoch === replica.epoch && seq > replica.seq)) this.#sync(replica, whole);
  }

  /** Ask for the missing updates or for the whole room, unless a sync is under way already. */
  #sync(replica: RoomReplica, whole: boolean): void {
    if (whole) replica.inSync = false;
    const [room, epoch, seq] = replica.cursor;
    if (!this.#syncing.has(room)) this.#syncing.set(room, this.send({ t: "sync", room, epoch, seq }));
  }
}
