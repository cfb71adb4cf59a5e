// One table as it is open in this tab: the room, the half-made turn, the talk, and every position seen so far.
import {
  type Assessment,
  type Choices,
  type Connection,
  Mirror,
  patch,
  type Presence,
  RefusedError,
  type Said,
  type Scene,
  type ServerMessage,
  Turn,
} from "../../sdk/index.ts";
import { hear } from "../parts/sound.ts";
import { settings } from "./settings.ts";
import { Signal } from "./signal.ts";
import { turnFrom } from "./typed.ts";

const LAST_TURN = 3; // marks up to this kind tell of the last turn

/** What is drawn of a table. A new value for every change, so that nothing has to be compared. */
export interface View {
  mirror: Mirror;
  /** Goes up with every change. */
  version: number;
  turn: Turn | null;
  /** A whole turn that the server has not answered yet. */
  sent: Turn | null;
  presence: Presence | null;
  /** When `presence` came, and when the present turn began, in this browser's own time. */
  presenceAt: number;
  turnAt: number;
  said: readonly Said[];
  /** How many lines of talk nobody has looked at. */
  unread: number;
  /** Positions by ply, as far as they were seen here. */
  past: ReadonlyMap<number, Scene>;
  /** The ply that is looked at; null: the present. */
  back: number | null;
  /** What was refused last, in words. */
  refused: string;
  /** By seat after a rated game, once it was counted. */
  ratings: readonly number[];
  /** What the computer would play in this position, if it was asked. */
  hint: Assessment | null;
}

export class Table {
  readonly id: string;
  /** null until the room has come. */
  readonly view = new Signal<View | null>(null);
  /** Why there is no such table, if there is none. */
  readonly missing = new Signal("");
  #connection: Connection;
  #stop: () => void;

  constructor(id: string, connection: Connection) {
    this.id = id;
    this.#connection = connection;
    this.#stop = connection.listen((message) => this.#take(message));
    this.#join();
  }

  #join(): void {
    this.#connection.call({ t: "join", room: this.id }).catch((why: Error) => {
      this.missing.value = why.message;
    });
  }

  close(): void {
    this.#stop();
    if (this.view.value && !this.#connection.fault)
      this.#connection.call({ t: "leave", room: this.id }).catch(() => undefined);
  }

  // -- a turn

  pick(place: number): void {
    const view = this.view.value;
    if (!view?.turn || view.turn.complete || !view.turn.offered.some((pick) => pick.place === place)) return;
    const turn = view.turn.pick(place);
    this.#show({ turn, refused: "", back: null });
    if (turn.complete && !settings.value.confirm) this.play();
    else {
      hear("lift");
      if (turn.unexplored) void this.#explore(turn);
    }
  }

  /** Take the last pick back, or all after the first `count`. */
  step(count?: number): void {
    const turn = this.view.value?.turn;
    if (turn && !this.view.value?.sent) this.#show({ turn: turn.back(count), refused: "" });
  }

  /** Send the turn that is complete. */
  play(): void {
    const turn = this.view.value?.turn;
    if (!turn?.complete || this.view.value?.sent) return;
    this.#show({ sent: turn });
    hear("place");
    this.#connection.call({ t: "play", room: this.id, ply: turn.ply, picks: [...turn.picks] }).then(
      () => this.#show({ sent: null }),
      (why: Error) => {
        this.#show({ sent: null, turn: turn.back(0), refused: why.message });
        if (why instanceof RefusedError && why.code === "stale_ply") void this.#ask();
      },
    );
  }

  /** Play a whole turn that was typed. Fails with a sentence for people if it cannot be played. */
  async type(text: string): Promise<void> {
    const { turn, sent, mirror } = this.view.value ?? {};
    if (!turn || sent || !mirror) throw new Error("It is not your turn.");
    const made = turnFrom(turn.back(0), mirror.room.board, text);
    if (made) {
      this.#show({ turn: made, refused: "", back: null });
      this.play();
    } else await this.#connection.call({ t: "play", room: this.id, ply: turn.ply, move: text });
  }

  async #explore(turn: Turn): Promise<void> {
    try {
      const choices = await this.#connection.call({
        t: "explore",
        room: this.id,
        ply: turn.ply,
        picks: [...turn.picks],
      });
      const now = this.view.value?.turn;
      if (now) this.#show({ turn: now.explored(choices) });
    } catch (why) {
      this.#show({ turn: turn.back(), refused: (why as Error).message });
    }
  }

  /** What may be picked is not known: ask for it. */
  async #ask(): Promise<void> {
    const mirror = this.view.value?.mirror;
    if (!mirror || mirror.seat === null || mirror.scene[2] !== mirror.seat || mirror.status !== "playing") return;
    try {
      this.#choices(await this.#connection.call({ t: "explore", room: this.id, ply: mirror.moves.length, picks: [] }));
    } catch {
      // It was somebody else's turn by then, and the updates tell.
    }
  }

  #choices(choices: Choices): void {
    const view = this.view.value;
    if (!view || choices.ply !== view.mirror.moves.length || choices.picks?.length) return;
    // The same choices come again after a reconnect: what was picked meanwhile stays.
    if (view.turn?.ply === choices.ply && view.turn.picks.length) return;
    this.#show({ turn: Turn.begin(choices) });
  }

  // -- around the board

  say(text: string): Promise<unknown> {
    return this.#connection.call({ t: "say", room: this.id, text });
  }

  offer(what: "draw" | "takeback" | "rematch"): void {
    this.#try(this.#connection.call({ t: "offer", room: this.id, what }));
  }

  answer(what: "draw" | "takeback" | "rematch", yes: boolean): void {
    this.#try(this.#connection.call({ t: "answer", room: this.id, what, yes }));
  }

  end(how: "resign" | "abort" | "claim"): void {
    this.#try(this.#connection.call({ t: how, room: this.id }));
  }

  chooseFirst(own: boolean): void {
    this.#try(this.#connection.call({ t: "choose_first", room: this.id, me: own }));
  }

  /** Ask the computer what it would play. */
  async askHint(): Promise<void> {
    const mirror = this.view.value?.mirror;
    if (!mirror) return;
    try {
      const hint = await this.#connection.call({ t: "assess", room: this.id, ply: mirror.moves.length });
      if (hint.ply === this.view.value?.mirror.moves.length) this.#show({ hint, refused: "" });
    } catch (why) {
      this.#show({ refused: (why as Error).message });
    }
  }

  read(): void {
    if (this.view.value?.unread) this.#show({ unread: 0 });
  }

  /** Look at an earlier position; null, or the newest, follows the game. */
  lookAt(ply: number | null): void {
    const view = this.view.value;
    if (!view) return;
    const back = ply === null || ply >= view.mirror.moves.length ? null : Math.max(0, ply);
    if (back === null || view.past.has(back)) this.#show({ back });
    else void this.#recall().then(() => this.view.value?.past.has(back) && this.#show({ back }));
  }

  /** Positions from before this tab was here come from the record. */
  async #recall(): Promise<void> {
    try {
      const record = await this.#connection.call({ t: "ask_record", room: this.id });
      const past = new Map(this.view.value?.past);
      let scene = record.first;
      past.set(0, scene);
      record.moves.forEach(([, , change], ply) => {
        if (change) past.set(ply + 1, (scene = patch(scene, change)));
      });
      this.#show({ past });
    } catch (why) {
      this.#show({ refused: (why as Error).message });
    }
  }

  #try(done: Promise<unknown>): void {
    done.then(
      () => this.#show({ refused: "" }),
      (why: Error) => this.#show({ refused: why.message }),
    );
  }

  // -- what the server tells

  #take(message: ServerMessage): void {
    const mirror = this.#connection.rooms.get(this.id);
    if (!mirror) {
      // The server knew us no more and took us for somebody new, who follows no room yet.
      if (this.view.value && !Array.isArray(message) && message.t === "welcome") this.#join();
      return;
    }
    if (Array.isArray(message)) {
      if (message[1] === this.id) this.#moved(mirror);
      return;
    }
    if (!("room" in message) || message.room !== this.id) return;
    switch (message.t) {
      case "room":
        this.#entered(mirror, message.watchers ?? 0);
        break;
      case "happened": {
        const fresh = message.clocks || message.what === "taken_back" || message.what === "started";
        if (message.what === "ended") hear("end");
        if (message.what === "offered" && message.seat !== mirror.seat) hear("chat");
        this.#show({
          ...this.#seen(mirror),
          ...(fresh ? { turnAt: Date.now() } : {}),
          ...(message.what === "taken_back" ? { turn: null } : {}),
        });
        break;
      }
      case "choices":
        if (message.id == null) this.#choices(message);
        break;
      case "presence":
        this.#show({ presence: message, presenceAt: Date.now() });
        break;
      case "rated":
        this.#show({ ratings: message.ratings });
        break;
      case "said": {
        const view = this.view.value;
        if (!view) break;
        const own = message.seat != null && message.seat === view.mirror.seat;
        if (!own) hear("chat");
        this.#show({ said: [...view.said.slice(-199), message], unread: view.unread + (own ? 0 : 1) });
        break;
      }
    }
  }

  #entered(mirror: Mirror, watchers: number): void {
    const old = this.view.value;
    const ply = mirror.moves.length;
    const turn = old?.turn?.ply === ply && mirror.true ? old.turn : null;
    const presence: Presence = {
      t: "presence",
      room: this.id,
      online: mirror.chairs.map((chair) => chair.online ?? false),
      watchers,
    };
    this.view.value = {
      mirror,
      version: (old?.version ?? 0) + 1,
      turn,
      sent: old?.sent ?? null,
      presence: old?.presence ?? presence,
      presenceAt: old?.presenceAt ?? Date.now(),
      turnAt: Date.now() - (mirror.room.terms.clock?.kind === "delay" ? (mirror.room.lasted ?? 0) : 0),
      said: old?.said ?? [],
      unread: old?.unread ?? 0,
      past: new Map([...(old?.past ?? []), [ply, mirror.scene]]),
      back: null,
      refused: old?.refused ?? "",
      ratings: old?.ratings ?? [],
      hint: null,
    };
  }

  #moved(mirror: Mirror): void {
    const own = mirror.scene[2] === mirror.seat && mirror.seat !== null;
    const turned = mirror.scene[3].some(([kind, ...places]) => kind === 2 && places.length > 0);
    const sent = this.view.value?.sent;
    if (!sent || sent.ply !== mirror.moves.length - 1) hear(turned ? "flip" : own ? "turn" : "place");
    this.#show({ ...this.#seen(mirror), turn: null, turnAt: Date.now(), refused: "", hint: null });
  }

  /** The room as it is now, remembered under its ply. */
  #seen(mirror: Mirror): Partial<View> {
    const past = new Map(this.view.value?.past);
    for (const ply of past.keys()) if (ply > mirror.moves.length) past.delete(ply);
    past.set(mirror.moves.length, mirror.scene);
    return { mirror, past };
  }

  #show(changed: Partial<View>): void {
    const view = this.view.value;
    if (view) this.view.value = { ...view, ...changed, version: view.version + 1 };
  }
}

/** The half-made turn of one who may pick now; null: nobody may here. */
export function turnOf({ mirror, turn, sent, back }: View): Turn | null {
  const own = mirror.seat !== null && mirror.scene[2] === mirror.seat && mirror.status === "playing";
  return own && mirror.true && !sent && back === null ? turn : null;
}

/** The position to draw: the past that is looked at, or the present with the half-made turn carried out. */
export function sceneOf({ mirror, turn, sent, back, past }: View): Scene {
  if (back !== null) return past.get(back) ?? mirror.scene;
  const shown = turn ?? sent;
  const look = shown && shown.ply === mirror.moves.length ? shown.look : null;
  if (!look) return mirror.scene;
  const scene = patch(mirror.scene, look);
  if (scene[3].some(([kind]) => kind! <= LAST_TURN)) return scene;
  const last = mirror.scene[3].filter(([kind]) => kind! <= LAST_TURN);
  return [scene[0], scene[1], scene[2], [...last, ...scene[3]], scene[4]];
}
