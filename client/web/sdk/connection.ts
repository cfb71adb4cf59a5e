// A player's connection to a server, which reconnects by itself, to another address if necessary.
// `Session` decides what to send and when to give up. This file only moves its frames.
import { socketAddress } from "./address.ts";
import { decode, encode } from "./msgpack.ts";
import type { RoomReplica } from "./replica.ts";
import {
  type AccountData,
  type Analysis,
  type Assessment,
  type BlockList,
  type Choices,
  CLOSE,
  type Described,
  type Email,
  type Games,
  JSON_TEXT,
  type Leaderboard,
  type Lesson,
  type LessonChoices,
  MSGPACK,
  type Notifications,
  type Ok,
  type Players,
  type PositionEdited,
  type Previewed,
  type Profile,
  type Record as GameRecord,
  type RecoveryCodes,
  type Refused,
  RETRIED,
  type Room,
  type Rules,
  type ServerMessage,
  type SignedIn,
  type Standings,
  type Studied,
  TIMING,
  type Tournament,
  type TournamentLog,
  type TournamentRound,
  type Tournaments,
  type Tried,
  type Welcome,
} from "./protocol.ts";
import { RefusedError } from "./refusal.ts";
import { type Request, Session } from "./session.ts";
import { addressesToTry, openTimeout, reconnectDelay } from "./timing.ts";
import type { Turn } from "./turn.ts";

const TICK = 250; // milliseconds between calls of the session's `tick`

/** `connecting` for the first time, `open`, `lost` and trying again, or `ended` for good. */
export type State = "connecting" | "open" | "lost" | "ended";

/** The answers to these commands. Every other command is answered by `ok`. */
export interface Answers {
  join: Room;
  sync: Room | Ok;
  explore: Choices;
  assess: Assessment;
  assess_position: Assessment;
  study: Studied;
  edit_position: PositionEdited;
  get_analysis: Analysis;
  preview: Previewed;
  register: SignedIn;
  sign_in: SignedIn;
  create_recovery_codes: RecoveryCodes;
  get_recovery_codes: RecoveryCodes;
  recover_account: SignedIn;
  get_email: Email;
  create_bot: SignedIn;
  create_token: SignedIn;
  export_account: AccountData;
  describe: Described;
  get_rules: Rules;
  get_lesson: Lesson;
  explore_lesson: LessonChoices;
  try_move: Tried;
  get_record: GameRecord;
  read_record: GameRecord;
  list_games: Games;
  get_profile: Profile;
  get_block_list: BlockList;
  get_notifications: Notifications;
  get_leaderboard: Leaderboard;
  list_players: Players;
  list_tournaments: Tournaments;
  follow_tournament: Tournament;
  get_standings: Standings;
  get_round: TournamentRound;
  get_tournament_log: TournamentLog;
}

/** The answer to the command with this tag. */
export type AnswerTo<T extends Request["t"]> = T extends keyof Answers ? Answers[T] : Ok;

/** Who connects, and how. */
export interface Options {
  /** The program and its version, for the server's log. */
  client?: string;
  /** The preferred name of a new guest. */
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

/**
 * A player's connection to a server. It opens at once, reconnects by itself, and repeats unanswered commands.
 */
export class Connection {
  /** The player's side of the protocol; `session.token` is the player's token. */
  readonly session: Session;
  /** Tried in turn; the server may add to them. */
  addresses: readonly string[];
  /** The server's last welcome: who the player is, and which games there are. */
  welcome: Welcome | null = null;
  /** Whether there is a connection at the moment. */
  state: State = "connecting";
  /** Why the connection has ended for good. */
  fault: Error | null = null;
  /** Why the server does not serve this client at the moment, in the server's words, or an empty string. */
  problem = "";
  /** How many connections have been opened. */
  connects = 0;
  #given: readonly string[];
  #form: "msgpack" | "json";
  #answers = new Map<number, Waiting>();
  #listeners = new Set<Listener>();
  #stateListeners = new Set<(state: State) => void>();
  #socket: WebSocket | null = null;
  /** Being opened. The first one that opens becomes `#socket`. */
  #attempts = new Set<WebSocket>();
  #remaining = 0; // attempts that follow, at other addresses
  #next: ReturnType<typeof setTimeout> | undefined;
  #number = 0;
  #attempted = 0;
  #failures = 0; // attempts in a row that did not reach welcome
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setInterval>;

  /** Connect to a server, or to the first of several nodes that answers: addresses of web pages or of sockets. */
  constructor(addresses: string | readonly string[], options: Options = {}) {
    if (typeof WebSocket === "undefined")
      throw new Error("There is no WebSocket here: use Node 22 or newer, or a browser.");
    this.addresses = this.#given = [addresses].flat().map(socketAddress);
    this.#form = options.form ?? "msgpack";
    this.session = new Session(options.client ?? "parlour-sdk", options.token ?? null, options.name ?? null);
    this.#ticking = setInterval(() => this.#tick(), TICK);
    this.#open();
  }

  /** The rooms that this client has joined, as they are now. */
  get rooms(): ReadonlyMap<string, RoomReplica> {
    return this.session.rooms;
  }

  /** Call the listener with every message that is news, answers included. Returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call the listener whenever `state` or `problem` changes. Returns a function that stops it. */
  watch(listener: (state: State) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /**
   * Send a command, now or after the next reconnect. The promise resolves to its answer. It fails with `RefusedError` if
   * the server refuses the command, and with another error if the connection ends for good.
   */
  call<R extends Request>(request: R): Promise<AnswerTo<R["t"]>> {
    if (this.fault) return Promise.reject(this.fault);
    return new Promise((resolve, reject) => {
      this.#answers.set(this.session.send(request), { resolve, reject });
      this.#flush();
    });
  }

  /** Return the turn with its next picks filled in. The server is only asked if they are not known yet. */
  async explore(turn: Turn): Promise<Turn> {
    if (!turn.unexplored) return turn;
    const { room, ply, picks } = turn;
    return turn.explored(await this.call({ t: "explore", room, ply, picks: [...picks] }));
  }

  /** Play a complete turn. */
  play({ room, ply, picks }: Turn): Promise<Ok> {
    return this.call({ t: "play", room, ply, picks: [...picks] });
  }

  /** Check the connection at once, because the machine may have slept or the network may be back. */
  wake(): void {
    if (this.state === "ended") return;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.session.ping(Date.now());
      this.#tick();
    } else if (this.#retry !== undefined) this.#open();
  }

  /** End the connection for good. Unanswered commands fail. */
  close(): void {
    this.#end(new Error("The connection was closed."));
  }

  // -- the connection

  /** Open a socket. A player whose server was silent does not wait long before trying more addresses. */
  #open(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#remaining = addressesToTry(this.addresses.length, this.session.isHurried);
    this.#tryNext(openTimeout(this.#failures, this.#remaining));
  }

  #tryNext(timeout: number): void {
    clearTimeout(this.#next);
    if (--this.#remaining > 0) this.#next = setTimeout(() => this.#tryNext(timeout), TIMING.NEXT_ADDRESS_DELAY);
    const address = this.addresses[this.#attempted++ % this.addresses.length]!;
    const socket = new WebSocket(address, this.#form === "json" ? JSON_TEXT : MSGPACK);
    socket.binaryType = "arraybuffer";
    this.#attempts.add(socket);
    const late = setTimeout(() => this.#lost(socket, 0, ""), timeout);
    socket.onopen = () => {
      clearTimeout(late);
      if (!this.#attempts.delete(socket)) return;
      this.#abandonAttempts();
      this.#socket = socket;
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

  #lost(socket: WebSocket, code: number, reason: string, problem = ""): void {
    if (this.#attempts.delete(socket)) {
      socket.close();
      if (this.#remaining > 0) this.#tryNext(openTimeout(this.#failures, this.#remaining));
      if (this.#attempts.size > 0) return; // one of them may still open
    } else if (socket !== this.#socket) return;
    const wasWelcomed = this.session.welcomed;
    this.#drop();
    if (code === CLOSE.TAKEN_OVER || code === CLOSE.SIGNED_OUT) {
      this.#end(new Error(reason || "The server ended the session."));
      return;
    }
    this.#failures = wasWelcomed ? 0 : this.#failures + 1;
    this.#retry = setTimeout(() => this.#open(), reconnectDelay(this.#failures, Math.random(), this.session.urgency));
    this.#become(this.state === "open" ? "lost" : this.state, problem);
  }

  /** Abandon the socket without waiting for it: a dead one may take minutes to close. */
  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#abandonAttempts();
    this.session.disconnected();
    socket?.close();
  }

  #abandonAttempts(): void {
    clearTimeout(this.#next);
    this.#remaining = 0;
    const abandoned = [...this.#attempts];
    this.#attempts.clear();
    for (const socket of abandoned) socket.close();
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
      console.warn("Unreadable message from the server.");
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
    this.#noteProblem(message, fresh);
    if (fresh) this.#tell(message);
  }

  /** Commands are retried in silence while the server has no store, so the player must be told in another way. */
  #noteProblem(message: ServerMessage, fresh: boolean): void {
    if (Array.isArray(message)) return;
    if (message.t === "refused" && message.code === "try_again") this.#become(this.state, message.text);
    else if (fresh && (message as { id?: number | null }).id != null) this.#become(this.state);
  }

  #welcomed(welcome: Welcome): void {
    this.welcome = welcome;
    this.#learn(welcome.nodes);
    this.#become("open");
  }

  #refusedHello(refused: Refused): void {
    if (!RETRIED.has(refused.code)) this.#end(new RefusedError(refused));
    else if (this.#socket) this.#lost(this.#socket, 0, "", refused.text); // and reconnect after a delay
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

  #become(state: State, problem = ""): void {
    if (state === this.state && problem === this.problem) return;
    this.state = state;
    this.problem = problem;
    for (const listener of [...this.#stateListeners]) listener(state);
  }

  /** Add the addresses that the server announced to those that were given. */
  #learn(nodes: string[] | undefined): void {
    if (nodes?.length) this.addresses = [...new Set([...this.#given, ...nodes])];
  }
}
