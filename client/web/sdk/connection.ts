// A player's connection that does not break: it reconnects by itself, to another address if it must, and goes on.
// Everything that has to be right about staying in step is in `Session`; this file only moves its frames.
import { decode, encode } from "./msgpack.ts";
import type { Mirror } from "./mirror.ts";
import {
  type Assessment,
  type Choices,
  CLOSE,
  type Games,
  JSON_TEXT,
  type Leaders,
  MSGPACK,
  type Ok,
  type Previewed,
  type Profile,
  type Record as GameRecord,
  type Refused,
  type Room,
  type Rules,
  type ServerMessage,
  type SignedIn,
  type Welcome,
} from "./protocol.ts";
import { RefusedError } from "./refusal.ts";
import { type Request, SEND_AGAIN, Session } from "./session.ts";

const FIRST_PAUSE = 250; // milliseconds between attempts to connect, a little more or less by chance
const LONGEST_PAUSE = 15_000;
const OPEN_WITHIN = 8_000;
const TICK = 1_000;

/** `connecting` for the first time, `open`, `lost` for now, or `ended`: there is nothing to come back to. */
export type State = "connecting" | "open" | "lost" | "ended";

/** What the answers to these commands are; every other command is answered by `ok`. */
export interface Answers {
  join: Room;
  sync: Room | Ok;
  explore: Choices;
  assess: Assessment;
  preview: Previewed;
  register: SignedIn;
  sign_in: SignedIn;
  make_bot: SignedIn;
  ask_rules: Rules;
  ask_record: GameRecord;
  read_record: GameRecord;
  ask_games: Games;
  ask_player: Profile;
  ask_leaders: Leaders;
}

export type AnswerTo<T extends Request["t"]> = T extends keyof Answers ? Answers[T] : Ok;

export interface Options {
  /** The program and its version, for the server's log. */
  client?: string;
  /** A wish for a new guest's name. */
  name?: string | null;
  /** From an earlier welcome. */
  token?: string | null;
  /** `json` is easier to read in a browser's network view. */
  form?: "msgpack" | "json";
}

type Listener = (message: ServerMessage) => void;

interface Waiting {
  resolve(answer: never): void;
  reject(why: Error): void;
}

export class Connection {
  readonly session: Session;
  /** Tried in turn; the server may add more. */
  addresses: readonly string[];
  welcome: Welcome | null = null;
  state: State = "connecting";
  /** Why there will be no connection any more. */
  fault: Error | null = null;
  /** How often a connection was made. */
  connects = 0;
  #given: readonly string[];
  #form: "msgpack" | "json";
  #answers = new Map<number, Waiting>();
  #listeners = new Set<Listener>();
  #watchers = new Set<(state: State) => void>();
  #socket: WebSocket | null = null;
  #number = 0;
  #attempt = 0;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setInterval>;

  constructor(addresses: readonly string[], options: Options = {}) {
    this.addresses = this.#given = [...addresses];
    this.#form = options.form ?? "msgpack";
    // Ids must not repeat those of another tab or an earlier visit of the same player, and stay below 2 ** 53.
    const firstId = Math.floor(Math.random() * 2 ** 50) + 1;
    this.session = new Session(options.client ?? "parlour-sdk", firstId, options.token ?? null, options.name ?? null);
    this.#ticking = setInterval(() => this.#tick(), TICK);
    this.#open();
  }

  /** The rooms that are followed, as they are now. */
  get rooms(): ReadonlyMap<string, Mirror> {
    return this.session.rooms;
  }

  /** Be told of every message that changes something, answers included. Gives what ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Be told when `state` changes. Gives what ends it. */
  watch(watcher: (state: State) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Have a command carried out, now or when the connection is back. The promise has its one answer; it fails with
   * `RefusedError` if the server refuses, and with another error if there will be no connection any more. A command that
   * may have to be given again later, such as `seek` after a reconnect, is given an `id` of `session.newId()`.
   */
  call<R extends Request>(request: R, id?: number): Promise<AnswerTo<R["t"]>> {
    if (this.fault) return Promise.reject(this.fault);
    return new Promise((resolve, reject) => {
      this.#answers.set(this.session.send(request, id), { resolve, reject });
      this.#flush();
    });
  }

  /** The machine may have slept, or the network may be back: look at once instead of waiting for the next tick. */
  wake(): void {
    if (this.state === "ended") return;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.session.ping(Date.now());
      this.#tick();
    } else if (this.#retry !== undefined) this.#open();
  }

  /** For good: whatever was not answered fails. */
  close(): void {
    this.#end(new Error("The connection was closed."));
  }

  // -- inside

  #open(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const address = this.addresses[this.#attempt++ % this.addresses.length]!;
    const socket = new WebSocket(address, this.#form === "json" ? JSON_TEXT : MSGPACK);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    const late = setTimeout(() => this.#lost(socket, 0, ""), OPEN_WITHIN);
    socket.onopen = () => {
      clearTimeout(late);
      if (socket !== this.#socket) return;
      this.connects++;
      this.#number = this.session.connected(Date.now());
      this.#flush();
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#take(data as ArrayBuffer | string);
    };
    socket.onclose = ({ code, reason }) => {
      clearTimeout(late);
      this.#lost(socket, code, reason);
    };
  }

  #lost(socket: WebSocket, code: number, reason: string): void {
    if (socket !== this.#socket) return;
    this.#drop();
    if (code === CLOSE.TAKEN_OVER || code === CLOSE.SIGNED_OUT) {
      this.#end(new Error(reason || "The server has ended the session."));
      return;
    }
    const pause = this.#failures === 0 ? 0 : Math.min(FIRST_PAUSE * 2 ** (this.#failures - 1), LONGEST_PAUSE);
    this.#failures++;
    this.#retry = setTimeout(() => this.#open(), pause * (0.75 + Math.random() / 2));
    if (this.state === "open") this.#become("lost");
  }

  /** Let go of the present socket without waiting for it: one that is dead may take minutes to close. */
  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.session.disconnected();
    socket?.close();
  }

  #end(fault: Error): void {
    if (this.fault) return;
    this.fault = fault;
    clearInterval(this.#ticking);
    clearTimeout(this.#retry);
    this.#drop();
    for (const waiting of this.#answers.values()) waiting.reject(fault);
    this.#answers.clear();
    this.#become("ended");
  }

  #tick(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (this.session.tick(Date.now())) this.#flush();
    else this.#lost(socket, 0, "");
  }

  #flush(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    for (const message of this.session.outgoing()) {
      this.#socket.send(this.#form === "json" ? JSON.stringify(message) : encode(message));
    }
  }

  #take(data: ArrayBuffer | string): void {
    let message: ServerMessage;
    try {
      message = (typeof data === "string" ? JSON.parse(data) : decode(data)) as ServerMessage;
    } catch {
      console.warn("A message of the server could not be read.");
      return;
    }
    const greeting = !this.session.welcomed;
    const fresh = this.session.receive(this.#number, message, Date.now());
    if (!Array.isArray(message)) {
      if (message.t === "welcome" && fresh) this.#welcomed(message);
      else if (message.t === "closing") this.#learn(message.nodes);
      else if (message.t === "refused" && greeting && message.code !== "token_unknown") {
        this.#refusedHello(message);
        return;
      }
    }
    this.#flush();
    if (fresh) this.#tell(message);
  }

  #welcomed(welcome: Welcome): void {
    this.welcome = welcome;
    this.#failures = 0;
    this.#learn(welcome.nodes);
    this.#become("open");
  }

  #refusedHello(refused: Refused): void {
    if (SEND_AGAIN.has(refused.code))
      this.#socket?.close(); // and try again after a pause
    else this.#end(new RefusedError(refused));
  }

  #tell(message: ServerMessage): void {
    const id = Array.isArray(message) ? null : (message as { id?: number | null }).id;
    const waiting = id == null ? undefined : this.#answers.get(id);
    for (const listener of [...this.#listeners]) listener(message);
    if (id == null || !waiting) return;
    this.#answers.delete(id);
    if (!Array.isArray(message) && message.t === "refused") waiting.reject(new RefusedError(message));
    else waiting.resolve(message as never);
  }

  #become(state: State): void {
    if (state === this.state) return;
    this.state = state;
    for (const watcher of [...this.#watchers]) watcher(state);
  }

  /** Addresses that a server told, if it told any, after those that were given. */
  #learn(nodes: string[] | undefined): void {
    if (nodes?.length) this.addresses = [...new Set([...this.#given, ...nodes])];
  }
}
