// The turn that a player enters, from the first pick until it is sent: by picks, as text, or in advance.
import { type AnswerTo, type Choices, RefusedError, type Request, Turn } from "../../sdk/index.ts";
import { lacksEnds } from "../board/placing.ts";
import { PickPreviews } from "./pickPreviews.ts";
import { played, pressed } from "./premove.ts";
import { savedPicks, saveTurn } from "./savedTurn.ts";
import { settings } from "./settings.ts";
import type { Signal } from "./signal.ts";
import { playSound } from "./sound.ts";
import { ghostOf, isOwnTurn, noAim, openTurn, type View } from "./tableView.ts";
import { parseTurn } from "./typedTurn.ts";

const REFUSAL_SHOWN = 6000; // ms

export class TurnEntry {
  readonly previews: PickPreviews;
  #room: string;
  #view: Signal<View | null>;
  #update: (changed: Partial<View>) => void;
  #call: <R extends Request>(request: R) => Promise<AnswerTo<R["t"]>>;
  #turnLength = 0; // picks of the player's last turn; 0 before the first one

  /** `call` sends a request of the player to move. */
  constructor(
    room: string,
    view: Signal<View | null>,
    update: (changed: Partial<View>) => void,
    call: <R extends Request>(request: R) => Promise<AnswerTo<R["t"]>>,
  ) {
    this.#room = room;
    this.#view = view;
    this.#update = update;
    this.#call = call;
    this.previews = new PickPreviews(view, update, (ply, picks) =>
      call({ t: "describe", room, ply, picks: [...picks] }),
    );
  }

  pick(place: number): void {
    const view = this.#view.value;
    if (!view?.turn || view.turn.complete || !view.turn.offered.some((pick) => pick.place === place)) return;
    const turn = view.turn.pick(place);
    this.#update({ turn, error: "", viewedPly: null, preview: null, refusedPick: null, aim: noAim(view) });
    saveTurn(this.#room, turn);
    if (turn.complete && !settings.value.confirm) this.play();
    else {
      playSound("lift");
      this.#exploreIfNeeded(turn);
    }
  }

  #exploreIfNeeded(turn: Turn): void {
    const { replica } = this.#view.value ?? {};
    if (turn.unexplored || (replica && lacksEnds(replica.room.board, replica.scene, turn))) void this.#explore(turn);
  }

  // -- placing a piece that covers several cells

  /** Place the piece where it is shown, if it fits there. */
  placePiece(): void {
    const view = this.#view.value;
    const [turn, ghost] = view ? [openTurn(view), ghostOf(view)] : [null, null];
    if (!turn || !ghost?.ends) return;
    this.previews.stop();
    for (const end of ghost.ends) this.pick(end);
  }

  /** Undo the last pick, or all but the first `count`. */
  undoPick(count?: number): void {
    const view = this.#view.value;
    const turn = view?.turn;
    if (!turn || view.sent) return;
    this.#update({ turn: turn.back(count), error: "", preview: null, refusedPick: null, aim: noAim(view) });
    saveTurn(this.#room, turn.back(count));
  }

  /** A place was pressed that is not on offer: begin the turn with it if that is possible, otherwise say why not. */
  async pickOther(place: number): Promise<void> {
    const view = this.#view.value;
    const turn = view && openTurn(view);
    if (!turn || turn.unexplored || turn.complete) return;
    if (turn.picks.length && turn.back(0).offered.some((offered) => offered.place === place)) {
      this.undoPick(0);
      this.pick(place);
      return;
    }
    const picks = [...turn.picks, place];
    try {
      await this.#call({ t: "describe", room: this.#room, ply: turn.ply, picks });
    } catch (reason) {
      const now = this.#view.value?.turn;
      if (!(reason instanceof RefusedError) || String(now?.picks) !== String(turn.picks)) return;
      const refusedPick = { place, text: reason.message };
      this.#update({ refusedPick });
      setTimeout(() => {
        if (this.#view.value?.refusedPick === refusedPick) this.#update({ refusedPick: null });
      }, REFUSAL_SHOWN);
    }
  }

  /** Choose a cell for the next turn while the opponent thinks. A second press lets go of it, null of all. */
  premove(cell: number | null): void {
    const view = this.#view.value;
    if (!view || !this.#turnLength || view.seats.length !== 1 || isOwnTurn(view)) return;
    if (view.replica.status === "playing" && view.viewedPly === null)
      this.#update({ premove: cell === null ? [] : pressed(view.premove, cell, this.#turnLength), notice: "" });
  }

  /** Send the complete turn. */
  play(): void {
    const turn = this.#view.value?.turn;
    if (!turn?.complete || this.#view.value?.sent) return;
    this.#update({ sent: turn });
    this.#turnLength = turn.picks.length;
    playSound("place");
    this.#call({ t: "play", room: this.#room, ply: turn.ply, picks: [...turn.picks] }).then(
      () => this.#update({ sent: null }),
      (reason: Error) => {
        this.#update({ sent: null, turn: turn.back(0), error: reason.message });
        if (reason instanceof RefusedError && reason.code === "stale_ply") void this.requestChoices();
      },
    );
  }

  /** Play a whole turn given as text. Rejects with a message for the player if the turn is not possible. */
  async playText(text: string): Promise<void> {
    const { turn, sent, replica } = this.#view.value ?? {};
    if (!turn || sent || !replica) throw new Error("It is not your turn.");
    const parsed = parseTurn(turn.back(0), replica.room.board, text);
    if (parsed) {
      this.#update({ turn: parsed, error: "", viewedPly: null });
      this.play();
    } else await this.#call({ t: "play", room: this.#room, ply: turn.ply, move: text });
  }

  async #explore(turn: Turn): Promise<void> {
    try {
      const choices = await this.#call({
        t: "explore",
        room: this.#room,
        ply: turn.ply,
        picks: [...turn.picks],
      });
      const current = this.#view.value?.turn;
      if (current) this.#update({ turn: current.explored(choices) });
    } catch (reason) {
      this.#update({ turn: turn.back(), error: (reason as Error).message });
    }
  }

  /** Ask for the legal picks, if it is the turn of a player on this page. */
  async requestChoices(): Promise<void> {
    const view = this.#view.value;
    if (!view || !isOwnTurn(view)) return;
    try {
      const ply = view.replica.moves.length;
      this.start(await this.#call({ t: "explore", room: this.#room, ply, picks: [] }));
    } catch {
      // The turn has passed to the opponent; the updates say so.
    }
  }

  /** Begin a turn with the choices of the server, the picks from before a reload, or the premove. */
  start(choices: Choices): void {
    const view = this.#view.value;
    if (!view || choices.ply !== view.replica.moves.length || choices.picks?.length) return;
    // After a reconnect the same choices arrive again: keep the picks made in the meantime.
    if (view.turn?.ply === choices.ply && view.turn.picks.length) return;
    let turn = Turn.begin(choices);
    if (view.premove.length) {
      const planned = played(turn, view.premove);
      this.#update({ premove: [], turn: planned ?? turn, notice: planned ? "" : "Your premove is not possible now." });
      if (planned && !settings.value.confirm) this.play();
      return;
    }
    for (const place of savedPicks(this.#room, choices.ply)) {
      if (turn.complete || !turn.offered.some((pick) => pick.place === place)) break;
      turn = turn.pick(place);
    }
    if (turn.complete) turn = turn.back();
    this.#update({ turn });
    this.#exploreIfNeeded(turn);
  }
}
