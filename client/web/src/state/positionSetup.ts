// A position that is set up by hand or as text. The server changes it, since only the game knows its notation.
import type { EditPosition, PositionEdited } from "../../sdk/index.ts";
import { call } from "./server.ts";
import { Signal } from "./signal.ts";

/** A change, in the form of the message. */
export type Change = Partial<Pick<EditPosition, "clear" | "item" | "places" | "number" | "value" | "turn">>;

export interface SetupView {
  /** As it was typed, or as the game writes it. */
  text: string;
  /** The latest text that is a position, possible or not; null until the server has answered. */
  shown: PositionEdited | null;
  /** Whether this is the first position of the game. */
  isFirst: boolean;
  /** Whether the board shows another position than the text, which may be none. */
  isStale: boolean;
  /** Why the text is not a position, or why the latest change was refused. */
  error: string;
}

export class PositionSetup {
  readonly view = new Signal<SetupView>({ text: "", shown: null, isFirst: true, isStale: true, error: "" });
  #game: string;
  #latest = Promise.resolve(); // one request after the other: each change is made to what the one before it left
  #typed: string | null = null; // the text that waits for an answer

  constructor(game: string) {
    this.#game = game;
    if (game) this.reset();
  }

  /** Begin again with the first position. */
  reset(): void {
    this.#typed = null;
    this.#next(() => this.#ask({}, null));
  }

  /** Follow a text that is being typed. */
  write(text: string): void {
    this.#typed = text;
    this.#update({ text, isFirst: false, isStale: true });
    this.#next(async () => {
      if (this.#typed === text) await this.#ask({}, text.trim(), text);
    });
  }

  /** Change the position that is shown. */
  change(change: Change): void {
    this.#typed = null;
    this.#next(() => this.#ask(change, this.view.value.shown?.position ?? null));
  }

  #next(ask: () => Promise<void>): void {
    this.#latest = this.#latest.then(ask);
  }

  /** `typed`: the text to keep as it is. */
  async #ask(change: Change, position: string | null, typed: string | null = null): Promise<void> {
    const start = position === null ? {} : { position };
    try {
      const shown = await call({ t: "edit_position", terms: { game: this.#game }, ...start, ...change });
      if (this.#typed !== typed) return;
      const isFirst = position === null;
      this.#update({ shown, text: typed ?? shown.position, isFirst, isStale: false, error: "" });
    } catch (reason) {
      if (this.#typed === typed) this.#update({ error: (reason as Error).message });
    }
  }

  #update(changed: Partial<SetupView>): void {
    this.view.value = { ...this.view.value, ...changed };
  }
}
