// The first position of a study: of any game, set up by hand or as text.
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { PositionSetup } from "../state/positionSetup.ts";
import { navigate } from "../state/router.ts";
import { games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { NO_GAME, studyPath } from "../state/study.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { PageLayout } from "./PageLayout.tsx";
import { SetupBoard } from "./SetupBoard.tsx";
import { SetupPalette, SetupTools } from "./SetupTools.tsx";

/** A form that begins with the first position of a game. */
export function PositionForm(): VNode {
  const cards = useSignal(games);
  const [chosen, setChosen] = useState("");
  const [item, setItem] = useState(0);
  const game = chosen || cards[0]?.key || "";
  const setup = useMemo(() => new PositionSetup(game), [game]);
  const { text, shown, isFirst, isStale, error } = useSignal(setup.view);
  const hasPalette = Boolean(shown?.palette?.length);
  const refusal = shown?.refusal ?? "";
  const position = isFirst ? null : text.trim();
  return (
    <PageLayout title="Study" kind="editor set-up">
      <div class="head">
        <h1>Study</h1>
        <label class="field">
          <span>Game</span>
          <select
            value={game}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
              setItem(0);
            }}
          >
            {cards.map(({ key, name }) => (
              <option value={key} key={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="stage">
        {shown && (
          <SetupBoard game={game} shown={shown} item={item} onChange={(change) => setup.change(change)} key={game} />
        )}
      </div>
      <div class="column">
        {shown && hasPalette && <SetupPalette shown={shown} item={item} onItem={setItem} />}
        <ErrorMessage text={error} />
        <p class={refusal ? "error" : "muted"} role="status">
          {isStale ? "" : refusal || "This position can be studied."}
        </p>
        <button
          type="button"
          class="button primary big"
          disabled={!shown || isStale || Boolean(refusal)}
          onClick={() => navigate(studyPath({ ...NO_GAME, game, options: {}, position }, []))}
        >
          Study this position
        </button>
        {shown && hasPalette && (
          <>
            <div class="button-row">
              <button type="button" class="button" onClick={() => setup.change({ clear: true })}>
                Clear
              </button>
              <button type="button" class="button" onClick={() => setup.reset()}>
                First position
              </button>
            </div>
            <SetupTools shown={shown} onChange={(change) => setup.change(change)} />
          </>
        )}
        <label class="field">
          <span>Position, in the game’s notation</span>
          <textarea
            rows={5}
            value={text}
            spellcheck={false}
            onInput={(event) => setup.write(event.currentTarget.value)}
          />
          <small class="muted">Change it, or paste another one. The board follows.</small>
        </label>
      </div>
    </PageLayout>
  );
}
