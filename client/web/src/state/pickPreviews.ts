// Previews of picks: on the board, and in words if the pick completes the turn.
import { type Described, patch } from "../../sdk/index.ts";
import { stands } from "../board/placing.ts";
import { announce } from "./announcements.ts";
import type { Signal } from "./signal.ts";
import { type Aim, ghostOf, openPlacing, openTurn, type View } from "./tableView.ts";

const DELAY = 80; // ms that the pointer rests before the server is asked

export class PickPreviews {
  #view: Signal<View | null>;
  #update: (changed: Partial<View>) => void;
  #describe: (ply: number, picks: readonly number[]) => Promise<Described>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The picks whose effect the pointer asks for, as text. */
  #wanted = "";

  /** `describe` asks the server what a whole turn would do. */
  constructor(
    view: Signal<View | null>,
    update: (changed: Partial<View>) => void,
    describe: (ply: number, picks: readonly number[]) => Promise<Described>,
  ) {
    this.#view = view;
    this.#update = update;
    this.#describe = describe;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#wanted = "";
  }

  /** Preview a pick; null ends the preview. The server computes the preview of a pick that completes the turn. */
  show(place: number | null): void {
    this.stop();
    const view = this.#view.value;
    const turn = view && openTurn(view);
    const pick = turn?.offered.find((offered) => offered.place === place);
    if (!view || !turn || !pick) {
      if (view?.preview) this.#update({ preview: null });
      return;
    }
    const picks = [...turn.picks, pick.place];
    if (String(view.preview?.picks) === String(picks)) return;
    const look = pick.then?.[2];
    if (pick.then || pick.more)
      this.#update({ preview: look ? { picks, scene: patch(view.replica.scene, look), text: "" } : null });
    else this.#askSoon(turn.ply, picks);
  }

  /** Show the chosen piece at a cell, or with null at none. Where a finger has left it, only a finger moves it. */
  aim(at: number | null, held = false): void {
    const aim = this.#view.value?.aim;
    if (!aim || (aim.held && !held) || (at === aim.at && held === aim.held)) return;
    this.#setAim({ ...aim, at, held: held && at !== null });
  }

  /** Turn the chosen piece from lying to standing or back. */
  turnPiece(): void {
    const view = this.#view.value;
    const placing = view && openPlacing(view);
    if (!placing) return;
    const upright = !stands(placing, view.aim.upright);
    if (placing.fits[upright ? 1 : 0].size) this.#setAim({ ...view.aim, upright });
    else announce("It fits only this way.");
  }

  #setAim(aim: Aim): void {
    this.stop();
    this.#update({ aim, preview: null });
    const view = this.#view.value!;
    const [turn, ghost] = [openTurn(view), ghostOf(view)];
    if (turn && ghost?.ends) this.#askSoon(turn.ply, [...turn.picks, ...ghost.ends]);
  }

  #askSoon(ply: number, picks: readonly number[]): void {
    this.#wanted = String(picks);
    this.#timer = setTimeout(() => void this.#ask(ply, picks), DELAY);
  }

  async #ask(ply: number, picks: readonly number[]): Promise<void> {
    try {
      const { text, change } = await this.#describe(ply, picks);
      const view = this.#view.value;
      const isWanted = view && openTurn(view)?.ply === ply && this.#wanted === String(picks);
      if (isWanted && change) this.#update({ preview: { picks, scene: patch(view.replica.scene, change), text } });
    } catch {
      // Without a preview the pick can still be made.
    }
  }
}
