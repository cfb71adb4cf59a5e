// Lessons: the player's progress, and the current step. The server judges every move; nothing here knows a rule.
import {
  type Choices,
  type Lesson,
  type LessonStep,
  patch,
  placeName,
  type Scene,
  type Tried,
  Turn,
} from "../../sdk/index.ts";
import { lacksEnds } from "../board/placing.ts";
import { call } from "./server.ts";
import { Signal } from "./signal.ts";
import { loadStored, saveStored } from "./storage.ts";

const KEY = "parlour.lessons";
const REPLY_AFTER = 900; // milliseconds, so that learners first see their own move
const AGAIN_AFTER = 2600; // milliseconds until a wrong move is undone

type Progress = Readonly<Record<string, readonly string[]>>;

/** The keys of the solved steps, by game. */
export const progress = new Signal<Progress>((loadStored(KEY) as Progress | null) ?? {});

export function markSolved(game: string, step: string): void {
  const solved = new Set(progress.value[game]);
  progress.value = { ...progress.value, [game]: [...solved.add(step)] };
  saveStored(KEY, progress.value);
}

export interface Attempt {
  scene: Scene;
  turn: Turn | null; // null while the choices are loaded and after a whole turn
  /** The outcome of the last move; null before it and while it is judged. */
  tried: Tried | null;
  hint: 0 | 1 | 2; // nothing, words, and the next place on the board
  misses: number;
  error: string;
}

/** One step of a lesson. It can be tried as often as the learner likes. */
export class StepAttempt {
  readonly lesson: Lesson;
  readonly step: LessonStep;
  readonly view: Signal<Attempt>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(lesson: Lesson, step: LessonStep) {
    this.lesson = lesson;
    this.step = step;
    this.view = new Signal<Attempt>({ scene: step.scene, turn: null, tried: null, hint: 0, misses: 0, error: "" });
    void this.#explore([]);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** The place that the hint would pick next; null if the picks so far are others. */
  get nextHint(): number | null {
    const { turn, hint } = this.view.value;
    const picks = this.step.hint_picks;
    if (hint < 2 || !turn || turn.picks.some((place, n) => place !== picks[n])) return null;
    return picks[turn.picks.length] ?? null;
  }

  nameOf(place: number): string {
    return placeName(this.lesson.board, place);
  }

  showHint(): void {
    const { hint } = this.view.value;
    this.#change({ hint: hint === 0 ? 1 : 2 });
  }

  pick(place: number): void {
    const turn = this.view.value.turn?.pick(place);
    if (!turn) return;
    this.#change({ turn, error: "" });
    if (turn.complete) void this.#try(turn);
    else if (turn.unexplored || lacksEnds(this.lesson.board, this.step.scene, turn))
      void this.#explore([...turn.picks]);
  }

  back(count?: number): void {
    const { turn } = this.view.value;
    if (turn) this.#change({ turn: turn.back(count) });
  }

  /** Put the position back after a wrong move. */
  again(): void {
    clearTimeout(this.#timer);
    this.#change({ scene: this.step.scene, tried: null, turn: null });
    void this.#explore([]);
  }

  async #explore(picks: number[]): Promise<void> {
    try {
      const answer = await call({ t: "explore_lesson", game: this.lesson.game, step: this.step.key, picks });
      const choices: Choices = { t: "choices", room: "", ply: 0, step: answer.step, prompts: answer.prompts, picks };
      const { turn } = this.view.value;
      this.#change({ turn: picks.length ? (turn?.explored(choices) ?? null) : Turn.begin(choices) });
    } catch (reason) {
      this.#change({ error: (reason as Error).message });
    }
  }

  async #try(turn: Turn): Promise<void> {
    const { game } = this.lesson;
    try {
      const tried = await call({ t: "try_move", game, step: this.step.key, picks: [...turn.picks] });
      const scene = patch(this.step.scene, tried.change);
      const { misses } = this.view.value;
      this.#change({ tried, scene, turn: null, misses: tried.solved ? misses : misses + 1 });
      if (tried.solved) markSolved(game, this.step.key);
      const { reply } = tried;
      if (reply) this.#later(REPLY_AFTER, () => this.#change({ scene: patch(scene, reply.change) }));
      if (!tried.solved) this.#later(AGAIN_AFTER + 25 * tried.text.length, () => this.again());
    } catch (reason) {
      this.#change({ error: (reason as Error).message, turn: turn.back(0) });
    }
  }

  #later(delay: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, delay);
  }

  #change(change: Partial<Attempt>): void {
    if (!this.#closed) this.view.value = { ...this.view.value, ...change };
  }
}
