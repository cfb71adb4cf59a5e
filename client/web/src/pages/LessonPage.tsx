// The lesson of a game: one puzzle after the other on the real board, and then a first game.
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Lesson } from "../../sdk/index.ts";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Header } from "../components/Header.tsx";
import { Icon } from "../components/Icon.tsx";
import { LessonBoard } from "../components/LessonBoard.tsx";
import { actionName, isAction } from "../components/PickActions.tsx";
import { PageLayout, Placeholder } from "../components/PageLayout.tsx";
import { progress, StepAttempt } from "../state/lessons.ts";
import { playBot } from "../state/ownTables.ts";
import { useRequest } from "../state/request.ts";
import { gameName } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

export function LessonPage({ game }: { game: string }): VNode {
  const { answer, error } = useRequest({ t: "get_lesson", game });
  const title = `Learn ${gameName(game)}`;
  if (answer?.game !== game) {
    return (
      <PageLayout title={title}>
        <h1>{title}</h1>
        <Placeholder error={error} />
      </PageLayout>
    );
  }
  return <OpenLesson lesson={answer} key={game} />;
}

function OpenLesson({ lesson }: { lesson: Lesson }): VNode {
  const solved = useSignal(progress)[lesson.game] ?? [];
  const first = lesson.steps.findIndex(({ key }) => !solved.includes(key));
  const [index, setIndex] = useState(Math.max(0, first));
  useEffect(() => {
    document.title = `${lesson.title} · Parlour`;
    return () => {
      document.title = "Parlour";
    };
  }, [lesson]);
  const step = lesson.steps[index];
  return (
    <>
      <Header title={lesson.title} />
      <main id="content" tabIndex={-1} class="lesson">
        <nav class="lesson-steps" aria-label="Steps of the lesson">
          <a class="leave" href="/" aria-label="Leave the lesson">
            <Icon name="back" />
          </a>
          <ol>
            {lesson.steps.map(({ key, title }, n) => (
              <li key={key}>
                <button
                  type="button"
                  class={solved.includes(key) ? "solved" : ""}
                  aria-current={n === index ? "step" : undefined}
                  aria-label={`Step ${n + 1}: ${title}${solved.includes(key) ? ", solved" : ""}`}
                  onClick={() => setIndex(n)}
                >
                  {solved.includes(key) ? <Icon name="check" size={14} /> : n + 1}
                </button>
              </li>
            ))}
          </ol>
        </nav>
        {step ? (
          <Step lesson={lesson} index={index} onNext={() => setIndex(index + 1)} key={step.key} />
        ) : (
          <Ready lesson={lesson} />
        )}
      </main>
    </>
  );
}

function Step({ lesson, index, onNext }: { lesson: Lesson; index: number; onNext(): void }): VNode {
  const step = lesson.steps[index]!;
  const attempt = useMemo(() => new StepAttempt(lesson, step), [lesson, step]);
  useEffect(() => () => attempt.close(), [attempt]);
  const view = useSignal(attempt.view);
  const heading = useRef<HTMLHeadingElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const said = useRef<HTMLDivElement>(null);
  const { tried, hint, error } = view;
  useEffect(() => heading.current?.focus(), []);
  // On a small screen, the hint and the verdict may be below the buttons.
  useEffect(() => {
    if (tried || hint) said.current?.scrollIntoView({ block: "nearest" });
  }, [tried, hint]);
  useEffect(() => {
    if (tried?.solved) next.current?.focus();
  }, [tried]);
  return (
    <>
      <LessonBoard attempt={attempt} view={view} />
      <section class={`card lesson-card${tried?.solved ? " solved" : tried ? " wrong" : ""}`} aria-label="Task">
        <div class="lesson-text">
          <h1 ref={heading} tabIndex={-1}>
            {step.title}
          </h1>
          <p>{step.prompt}</p>
          {!tried && (step.look?.length ?? 0) > 0 && (
            <ol class="look">
              {step.look?.map(({ text }, n) => (
                <li key={n}>{text}</li>
              ))}
            </ol>
          )}
          <div class="said" role="status" ref={said}>
            {!tried && hint > 0 && (
              <p class="hint-text">
                <Icon name="bulb" size={16} /> {step.hint}
              </p>
            )}
            {!tried && hint > 1 && <p class="hint-next">{hintText(attempt, step.hint_move)}</p>}
            {tried && (
              <>
                <p class="verdict">
                  <Icon name={tried.solved ? "check" : "undo"} size={18} /> {tried.text}
                </p>
                <p class="muted">{tried.words}</p>
                {tried.reply && <p class="muted">{tried.reply.text}</p>}
              </>
            )}
          </div>
          <ErrorMessage text={error} />
        </div>
        <div class="button-row">
          {tried && !tried.solved ? (
            <button type="button" class="button" onClick={() => attempt.again()}>
              <Icon name="undo" size={18} />
              Try again
            </button>
          ) : (
            <button
              type="button"
              class="button"
              disabled={tried !== null || hint > 1}
              onClick={() => attempt.showHint()}
            >
              <Icon name="bulb" size={18} />
              {hint === 0 ? "Hint" : "Show me"}
            </button>
          )}
          <button type="button" class={`button${tried?.solved ? " primary" : ""}`} ref={next} onClick={onNext}>
            {tried?.solved ? "Next" : "Skip"}
          </button>
        </div>
      </section>
    </>
  );
}

/** Say which place the hint picks next. */
function hintText(attempt: StepAttempt, move: string): string {
  const place = attempt.nextHint;
  if (place === null) return `The move is ${move}.`;
  const { turn } = attempt.view.value;
  const action = turn?.offered.find((pick) => pick.place === place && isAction(pick, turn.picks));
  return `Next: ${action ? actionName(attempt.lesson.board, action) : attempt.nameOf(place)}.`;
}

function Ready({ lesson }: { lesson: Lesson }): VNode {
  const { text, button, terms, level, seat } = lesson.ready;
  const [error, setError] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const play = (): void => {
    playBot(terms, level, seat as 0 | 1, {}).catch((reason: Error) => setError(reason.message));
  };
  return (
    <section class="card lesson-card lesson-ready" aria-label="Ready">
      <div class="lesson-text">
        <h1 ref={heading} tabIndex={-1}>
          You have finished the lesson
        </h1>
        <p>{text}</p>
        <ErrorMessage text={error} />
      </div>
      <div class="button-row">
        <a class="button" href="/">
          To the lobby
        </a>
        <button type="button" class="button primary" onClick={play}>
          <Icon name="play" size={18} />
          {button}
        </button>
      </div>
    </section>
  );
}
