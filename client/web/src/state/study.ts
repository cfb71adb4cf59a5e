// An analysis board: a tree of moves from one beginning, the position that is shown, and what the computer thinks of it.
import { type Assessment, type Choices, type OptionValue, type Studied, type Terms, Turn } from "../../sdk/index.ts";
import { call } from "./server.ts";
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";

const KEY = "parlour.study.";
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

/** A move and what may follow it, the main continuation first. */
export interface Branch {
  move: string;
  next: readonly Branch[];
}

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
  assessment: Assessment | null;
  isAsking: boolean;
  error: string;
}

export class Study {
  readonly origin: Origin;
  readonly view: Signal<StudyView>;
  #key: string;
  #assessments = new Map<string, Assessment>();
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
      error: "",
    });
    void this.go(line);
  }

  close(): void {
    clearTimeout(this.#timer);
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
    if (played !== tree) saveStored(this.#key, played);
    this.#update({
      line: moves,
      position,
      tree: played,
      turn: choices ? Turn.begin(choices) : null,
      assessment: this.#assessments.get(String(moves)) ?? null,
    });
    this.#askSoon();
  }

  // -- turns

  pick(place: number): void {
    const { turn, line } = this.view.value;
    if (!turn?.offered.some((pick) => pick.place === place)) return;
    const next = turn.pick(place);
    this.#update({ turn: next, error: "" });
    if (next.complete || next.unexplored) void this.#load(line, next.picks);
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
    saveStored(this.#key, left);
    this.#update({ tree: left });
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

const isPrefix = (line: readonly string[], of: readonly string[]): boolean =>
  line.length <= of.length && line.every((move, n) => move === of[n]);

/** Return the tree with a line, which becomes the main one if asked; the same tree if nothing changes. */
export function withLine(tree: readonly Branch[], line: readonly string[], main = false): readonly Branch[] {
  const [move, ...rest] = line;
  if (move === undefined) return tree;
  const known = tree.find((branch) => branch.move === move);
  const next = withLine(known?.next ?? [], rest, main);
  if (known && next === known.next && (!main || tree[0] === known)) return tree;
  const branch = { move, next };
  const others = tree.filter((each) => each !== known);
  if (main) return [branch, ...others];
  return known ? tree.map((each) => (each === known ? branch : each)) : [...tree, branch];
}

/** Return the tree without the last move of a line and what follows it. */
export function withoutLine(tree: readonly Branch[], line: readonly string[]): readonly Branch[] {
  const [move, ...rest] = line;
  if (!rest.length) return tree.filter((branch) => branch.move !== move);
  return tree.map((branch) => (branch.move === move ? { ...branch, next: withoutLine(branch.next, rest) } : branch));
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
