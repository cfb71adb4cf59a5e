// An analysis board: a tree of moves from one first position, the current position, and the computer's assessment of
// it.
import {
  type Choices,
  type OptionValue,
  type PositionAssessment,
  type Studied,
  type Terms,
  Turn,
} from "../../sdk/index.ts";
import { lacksEnds } from "../board/placing.ts";
import { call } from "./server.ts";
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";
import { type Branch, isPrefix, variationsOf, withLine, withoutLine } from "./variations.ts";

const KEY = "parlour.study.";
const SAVE_AFTER = 1000; // ms after the last change before the variations are stored
const ASK_AFTER = 250; // ms on a position before the computer is asked, so that stepping through a game asks little

/** Where a study begins. Its game is over, or it belongs to no game. */
export interface Origin {
  game: string;
  options: { readonly [key: string]: OptionValue };
  position: string | null;
  /** The game whose moves are the main line; empty: none. */
  room: string;
  /** The moves of that game. */
  moves: readonly string[];
}

/** Of a study that belongs to no game. */
export const NO_GAME = { position: null, room: "", moves: [] } as const;

export interface StudyView {
  /** The moves that lead to the position that is shown. */
  line: readonly string[];
  /** null until the server has answered. */
  position: Studied | null;
  /** The turn that is being entered; null while there is none. */
  turn: Turn | null;
  /** The first moves, with all that follow. */
  tree: readonly Branch[];
  /** Of the position that is shown, if the computer has been asked. */
  assessment: PositionAssessment | null;
  isAsking: boolean;
  /** Whether the server stores the variations with the game; otherwise this browser does. */
  isStored: boolean;
  error: string;
}

export class Study {
  readonly origin: Origin;
  readonly view: Signal<StudyView>;
  #key: string;
  #assessments = new Map<string, PositionAssessment>();
  #others: readonly (readonly string[])[] = []; // the lines that the opponent has stored with the game
  #saving: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(origin: Origin, line: readonly string[]) {
    this.origin = origin;
    this.#key = KEY + (origin.room || JSON.stringify([origin.game, origin.options, origin.position]));
    const stored = (loadStored(this.#key) as readonly Branch[] | null) ?? [];
    const tree = withLine(withLine(stored, origin.moves, true), line);
    this.view = new Signal<StudyView>({
      line: [],
      position: null,
      turn: null,
      tree,
      assessment: null,
      isAsking: loadStored("parlour.study") !== false,
      isStored: false,
      error: "",
    });
    void this.go(line);
    if (origin.room) void this.#loadAnalysis(stored.length > 0);
  }

  close(): void {
    clearTimeout(this.#timer);
    if (this.#saving !== undefined) void this.#store();
  }

  // -- the stored analysis of the game

  /** Add the stored analysis: the computer's assessments, and the players' variations. */
  async #loadAnalysis(isKeptHere: boolean): Promise<void> {
    const { room, moves } = this.origin;
    try {
      const { assessments = [], variations = [], seat } = await call({ t: "get_analysis", room });
      for (const each of assessments) this.#assessments.set(String(moves.slice(0, each.ply)), each);
      const lines = variations.map((of) => of.map((each) => [...moves.slice(0, each.ply), ...each.moves]));
      this.#others = lines.filter((_, of) => of !== seat).flat();
      let { tree } = this.view.value;
      for (const line of lines.flat()) tree = withLine(tree, line);
      this.#update({ tree, isStored: seat != null });
      if (seat == null) return;
      saveStored(this.#key, null);
      if (isKeptHere) this.#save(tree);
    } catch {
      // The variations stay in this browser.
    }
  }

  /** Keep the tree: soon on the server, if this is one of the players, otherwise in this browser. */
  #save(tree: readonly Branch[]): void {
    if (!this.view.value.isStored) {
      saveStored(this.#key, tree);
      return;
    }
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => void this.#store(), SAVE_AFTER);
  }

  async #store(): Promise<void> {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const { room, moves } = this.origin;
    const variations = variationsOf(this.view.value.tree, moves, this.#others);
    try {
      await call({ t: "save_variations", room, variations });
    } catch (reason) {
      this.#update({ error: (reason as Error).message });
    }
  }

  get #terms(): Terms {
    return { game: this.origin.game, options: this.origin.options };
  }

  get #start(): { terms: Terms; position?: string } {
    return { terms: this.#terms, ...(this.origin.position === null ? {} : { position: this.origin.position }) };
  }

  /** Show the position after some moves. */
  async go(line: readonly string[]): Promise<void> {
    clearTimeout(this.#timer);
    this.#update({ line, turn: null, error: "", assessment: this.#assessments.get(String(line)) ?? null });
    await this.#load(line, []);
  }

  async #load(line: readonly string[], picks: readonly number[]): Promise<void> {
    try {
      this.#show(line, await call({ t: "study", ...this.#start, moves: [...line], picks: [...picks] }));
    } catch (reason) {
      if (String(this.view.value.line) === String(line)) this.#update({ error: (reason as Error).message, turn: null });
    }
  }

  /** Show an answer of the server, unless the player has gone elsewhere meanwhile. */
  #show(asked: readonly string[], position: Studied): void {
    const { line, turn, tree } = this.view.value;
    if (String(line) !== String(asked)) return;
    const { step, prompts = [], picks = [], moves } = position;
    const choices: Choices | null = step
      ? { t: "choices", room: "", ply: moves.length, step, prompts: [...prompts], picks: [...picks] }
      : null;
    if (picks.length) {
      if (turn && choices) this.#update({ turn: turn.explored(choices) });
      return;
    }
    const played = withLine(tree, moves);
    this.#update({
      line: moves,
      position,
      tree: played,
      turn: choices ? Turn.begin(choices) : null,
      assessment: this.#assessments.get(String(moves)) ?? null,
    });
    if (played !== tree) this.#save(played);
    this.#askSoon();
  }

  // -- turns

  pick(place: number): void {
    const { turn, line, position } = this.view.value;
    if (!position || !turn?.offered.some((pick) => pick.place === place)) return;
    const next = turn.pick(place);
    this.#update({ turn: next, error: "" });
    if (next.complete || next.unexplored || lacksEnds(position.board, position.scene, next))
      void this.#load(line, next.picks);
  }

  /** Undo the last pick, or all but the first `count`. */
  undoPick(count?: number): void {
    const { turn } = this.view.value;
    if (turn) this.#update({ turn: turn.back(count) });
  }

  /** Remove the move that is shown, with all that follows it, and go to the position before. */
  remove(): void {
    const { line, tree } = this.view.value;
    if (!line.length || isPrefix(line, this.origin.moves)) return;
    const left = withoutLine(tree, line);
    this.#update({ tree: left });
    this.#save(left);
    void this.go(line.slice(0, -1));
  }

  // -- the computer

  toggleAsking(): void {
    const isAsking = !this.view.value.isAsking;
    saveStored("parlour.study", isAsking ? null : false);
    this.#update({ isAsking, error: "" });
    this.#askSoon();
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    const { isAsking, turn, line } = this.view.value;
    if (isAsking && turn && !this.#assessments.has(String(line)))
      this.#timer = setTimeout(() => void this.#ask(line), ASK_AFTER);
  }

  async #ask(line: readonly string[]): Promise<void> {
    const { room, moves } = this.origin;
    try {
      // The server keeps what the computer found about the moves of a game.
      const assessment = await (room && isPrefix(line, moves)
        ? call({ t: "assess", room, ply: line.length })
        : call({ t: "assess_position", ...this.#start, moves: [...line] }));
      this.#assessments.set(String(line), assessment);
      if (String(this.view.value.line) === String(line)) this.#update({ assessment });
    } catch (reason) {
      if (String(this.view.value.line) === String(line)) this.#update({ error: (reason as Error).message });
    }
  }

  #update(changed: Partial<StudyView>): void {
    this.view.value = { ...this.view.value, ...changed };
  }
}

/** The address of a position in a study. */
export function studyPath({ game, options, position, room, moves }: Origin, line: readonly string[]): string {
  let ply = 0;
  while (room && ply < moves.length && moves[ply] === line[ply]) ply++;
  const start = room
    ? ["game", room, String(ply)]
    : ["position", game, Object.keys(options).length ? JSON.stringify(options) : "-", position ?? "-"];
  return `/study/${[...start, ...line.slice(ply)].map(encodeURIComponent).join("/")}`;
}

/** The beginning and the line in the segments of an address after /study/position. Options that are no JSON are left out. */
export function parsePositionPath([game = "", options = "-", position = "-", ...line]: readonly string[]): {
  origin: Origin;
  line: string[];
} {
  let parsed: Origin["options"] = {};
  try {
    if (options !== "-") parsed = JSON.parse(options) as Origin["options"];
  } catch {
    // The first position of the usual board is shown.
  }
  return {
    origin: { ...NO_GAME, game, options: parsed, position: position === "-" ? null : position },
    line: [...line],
  };
}
