// One open table: the room, the chat, and every position seen so far.
import {
  type Connection,
  MARK,
  marksOf,
  patch,
  type Presence,
  type RoomEvent,
  type RoomReplica,
  seatToMove,
  type ServerMessage,
} from "../../sdk/index.ts";
import { agree } from "./deviceGames.ts";
import { lapsedNotice, offerNotice } from "../format/offers.ts";
import { Signal } from "./signal.ts";
import { playSound } from "./sound.ts";
import { noAim, type View } from "./tableView.ts";
import { TurnEntry } from "./turnEntry.ts";

const CHAT_LIMIT = 200; // lines
const LARGE_AUDIENCE = 50; // spectators

export type OfferKind = "draw" | "takeback" | "rematch";

export {
  ghostOf,
  isOwnTurn,
  mayBerserk,
  openPlacing,
  openTurn,
  readerOf,
  type View,
  visibleScene,
} from "./tableView.ts";

export class Table {
  readonly id: string;
  /** null until the room arrives. */
  readonly view = new Signal<View | null>(null);
  /** Why the table cannot be opened, or an empty string. */
  readonly missing = new Signal("");
  #connection: Connection;
  #second: Connection | null;
  #joined: Promise<unknown> | undefined; // when the second player has joined
  #unsubscribe: () => void;
  /** The turn that the player enters. */
  readonly entry: TurnEntry;
  #offers: ReadonlySet<string> = new Set(); // those that were open at the last message

  /** `second` is the connection of a second player on this device, if there is one. */
  constructor(id: string, connection: Connection, second: Connection | null = null) {
    this.id = id;
    this.#connection = connection;
    this.#second = second;
    this.entry = new TurnEntry(
      id,
      this.view,
      (changed) => this.#update(changed),
      (request) => this.#mover.call(request),
    );
    this.#unsubscribe = connection.listen((message) => this.#onMessage(message));
    this.#join();
  }

  #join(): void {
    this.#connection.call({ t: "join", room: this.id }).catch((reason: Error) => {
      this.missing.value = reason.message;
    });
    this.#joined = this.#second?.call({ t: "join", room: this.id }).catch(() => undefined); // the first one's error is shown
  }

  close(): void {
    this.#unsubscribe();
    if (!this.view.value) return;
    for (const each of [this.#connection, this.#second])
      if (each && !each.fault) each.call({ t: "leave", room: this.id }).catch(() => undefined);
  }

  /** The connection of a seat that is played on this page. */
  #of(seat: number | null): Connection {
    return this.#second && seat !== this.view.value?.replica.seat ? this.#second : this.#connection;
  }

  /** The connection of the player to move. */
  get #mover(): Connection {
    const { replica } = this.view.value ?? {};
    return replica ? this.#of(seatToMove(replica.scene) ?? replica.seat) : this.#connection;
  }

  say(text: string): Promise<unknown> {
    return this.#connection.call({ t: "say", room: this.id, text });
  }

  offer(kind: OfferKind): void {
    const request = { t: "offer", room: this.id, kind } as const;
    const [mover, second] = [this.#mover, this.#second];
    if (!second) this.#attempt(this.#connection.call(request));
    else this.#attempt(agree(request, mover, mover === second ? this.#connection : second));
  }

  answerOffer(kind: OfferKind, accept: boolean): void {
    this.#attempt(this.#connection.call({ t: "answer_offer", room: this.id, kind, accept }));
  }

  end(how: "resign" | "abort" | "claim"): void {
    this.#attempt(this.#mover.call({ t: how, room: this.id }));
  }

  /** Halve the player's own clock, in an arena. */
  berserk(): void {
    this.#attempt(this.#connection.call({ t: "berserk", room: this.id }));
  }

  chooseFirst(own: boolean): void {
    const chooser = this.view.value?.replica.chooser ?? null;
    this.#attempt(this.#of(chooser).call({ t: "choose_first", room: this.id, go_first: own }));
  }

  /** Ask the computer for a move. */
  async requestHint(): Promise<void> {
    const replica = this.view.value?.replica;
    if (!replica) return;
    try {
      const hint = await this.#connection.call({ t: "assess", room: this.id, ply: replica.moves.length });
      if (hint.ply === this.view.value?.replica.moves.length) this.#update({ hint, error: "" });
    } catch (reason) {
      this.#update({ error: (reason as Error).message });
    }
  }

  markChatRead(): void {
    if (this.view.value?.unread) this.#update({ unread: 0 });
  }

  /** Show an earlier position; null, or the newest ply, returns to the game. */
  viewPly(ply: number | null): void {
    const view = this.view.value;
    if (!view) return;
    const viewedPly = ply === null || ply >= view.replica.moves.length ? null : Math.max(0, ply);
    if (viewedPly === null || view.history.has(viewedPly)) this.#update({ viewedPly });
    else void this.#loadHistory().then(() => this.view.value?.history.has(viewedPly) && this.#update({ viewedPly }));
  }

  /** Load the positions from before this tab opened the table. */
  async #loadHistory(): Promise<void> {
    try {
      const record = await this.#connection.call({ t: "get_record", room: this.id });
      const history = new Map(this.view.value?.history);
      let scene = record.initial_scene;
      if (!scene) return;
      history.set(0, scene);
      record.moves.forEach(([, , diff], ply) => {
        if (diff && scene) history.set(ply + 1, (scene = patch(scene, diff)));
      });
      this.#update({ history });
    } catch (reason) {
      this.#update({ error: (reason as Error).message });
    }
  }

  #attempt(done: Promise<unknown>): void {
    done.then(
      () => this.#update({ error: "" }),
      (reason: Error) => this.#update({ error: reason.message }),
    );
  }

  /** Ask for the choices of whichever of two players on this device is to move. */
  async #requestChoices(): Promise<void> {
    await this.#joined;
    await this.entry.requestChoices();
  }

  // -- messages from the server

  #onMessage(message: ServerMessage): void {
    const replica = this.#connection.rooms.get(this.id);
    if (!replica) {
      // The server no longer knew this player and assigned a new identity, which has joined no room yet.
      if (this.view.value && !Array.isArray(message) && message.t === "welcome") this.#join();
      return;
    }
    if (Array.isArray(message)) {
      if (message[1] === this.id) this.#onMove(replica);
    } else if ("room" in message && message.room === this.id) this.#onRoomMessage(message, replica);
    this.#offers = replica.offers;
  }

  #onRoomMessage(message: Exclude<ServerMessage, unknown[]>, replica: RoomReplica): void {
    switch (message.t) {
      case "room":
        this.#onRoom(replica, message.spectators ?? 0);
        break;
      case "event": {
        const newTurn = message.clocks || message.kind === "taken_back" || message.kind === "started";
        if (message.kind === "ended") playSound("end");
        if (message.kind === "offered" && message.seat !== replica.seat) playSound("chat");
        this.#update({
          ...this.#withHistory(replica),
          ...(newTurn ? { turnStartedAt: Date.now() } : {}),
          ...(message.kind === "taken_back" ? { turn: null, told: null } : {}),
          notice: this.#noticeOf(message, replica),
        });
        if (message.kind === "taken_back") void this.#describeLastMove();
        if (this.#second && newTurn) void this.#requestChoices();
        break;
      }
      case "refused":
        // After a reconnect this room could not be continued.
        this.missing.value = message.text;
        this.view.value = null;
        break;
      case "choices":
        if (message.id == null && !this.#second) this.entry.start(message);
        break;
      case "presence":
        this.#update({ presence: message, presenceReceivedAt: Date.now() });
        break;
      case "rated":
        this.#update({ ratings: message.ratings });
        break;
      case "said": {
        const view = this.view.value;
        if (!view) break;
        const own = message.seat != null && message.seat === view.replica.seat;
        if (!own) playSound("chat");
        this.#update({ chat: [...view.chat.slice(1 - CHAT_LIMIT), message], unread: view.unread + (own ? 0 : 1) });
        break;
      }
    }
  }

  /** The outcome of an offer after an event. An event that concerns none leaves the last notice; the end makes it void. */
  #noticeOf(event: RoomEvent, replica: RoomReplica): string {
    if (event.kind === "ended") return "";
    if (this.#second && event.kind !== "taken_back") return "";
    if (event.offer || event.kind === "taken_back") return offerNotice(replica, event);
    return lapsedNotice(replica, this.#offers) || (this.view.value?.notice ?? "");
  }

  #onRoom(replica: RoomReplica, spectators: number): void {
    const old = this.view.value;
    const ply = replica.moves.length;
    const turn = old?.turn?.ply === ply && replica.inSync ? old.turn : null;
    const presence: Presence = {
      t: "presence",
      room: this.id,
      online: replica.players.map((seated) => seated.online ?? false),
      spectators,
    };
    this.view.value = {
      replica,
      seats: replica.seat === null ? [] : this.#second ? [0, 1] : [replica.seat],
      version: (old?.version ?? 0) + 1,
      turn,
      sent: old?.sent ?? null,
      presence: old?.presence ?? presence,
      presenceReceivedAt: old?.presenceReceivedAt ?? Date.now(),
      turnStartedAt: Date.now() - (replica.room.terms.clock?.kind === "delay" ? (replica.room.turn_elapsed ?? 0) : 0),
      chat: old?.chat ?? [],
      unread: old?.unread ?? 0,
      history: new Map([...(old?.history ?? []), [ply, replica.scene]]),
      viewedPly: null,
      error: old?.error ?? "",
      ratings: old?.ratings ?? [],
      hint: null,
      told: old?.told ?? null,
      notice: lapsedNotice(replica, this.#offers) || (old?.notice ?? ""),
      preview: null,
      premove: old?.premove ?? [],
      aim: noAim(old),
      refusedPick: null,
    };
    void this.#describeLastMove();
    if (this.#second) void this.#requestChoices();
  }

  #onMove(replica: RoomReplica): void {
    const own = replica.seat !== null && seatToMove(replica.scene) === replica.seat;
    const flipped = marksOf(replica.scene).some(([kind, ...places]) => kind === MARK.TURNED && places.length > 0);
    const sent = this.view.value?.sent;
    if (!sent || sent.ply !== replica.moves.length - 1) playSound(flipped ? "flip" : own ? "turn" : "place");
    this.#update({
      ...this.#withHistory(replica),
      turn: null,
      turnStartedAt: Date.now(),
      error: "",
      hint: null,
      notice: lapsedNotice(replica, this.#offers),
      preview: null,
      refusedPick: null,
    });
    void this.#describeLastMove();
    if (this.#second) void this.#requestChoices();
  }

  /** Ask for the last move in words. A large audience does without them, to spare the server. */
  async #describeLastMove(): Promise<void> {
    const view = this.view.value;
    const ply = view?.replica.moves.length ?? 0;
    if (!view || !ply || view.told?.ply === ply) return;
    if (view.replica.seat === null && (view.presence?.spectators ?? 0) > LARGE_AUDIENCE) return;
    try {
      const { text } = await this.#mover.call({ t: "describe", room: this.id, ply });
      if (this.view.value?.replica.moves.length === ply) this.#update({ told: { ply, text } });
    } catch {
      // The game has moved on, and the next move is described instead.
    }
  }

  /** The current room, with its position added to the history. */
  #withHistory(replica: RoomReplica): Partial<View> {
    const history = new Map(this.view.value?.history);
    for (const ply of history.keys()) if (ply > replica.moves.length) history.delete(ply);
    history.set(replica.moves.length, replica.scene);
    return { replica, history };
  }

  #update(changed: Partial<View>): void {
    const view = this.view.value;
    if (view) this.view.value = { ...view, ...changed, version: view.version + 1 };
  }
}
