// Choose a game, an opponent and a time control, and start with one press.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { BoardPicture } from "../board/BoardPicture.tsx";
import type { LiveGameView } from "../state/lobby.ts";
import { matchmaking, type Opponent, TIME_CONTROLS } from "../state/matchmaking.ts";
import { changePreferences, preferences } from "../state/preferences.ts";
import { usePreview } from "../state/previews.ts";
import { playBot } from "../state/ownTables.ts";
import { games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Icon } from "./Icon.tsx";
import { LevelField } from "./LevelField.tsx";
import { QueueStatus } from "./QueueStatus.tsx";
import { SegmentedControl } from "./SegmentedControl.tsx";
import { SentInvitation } from "./SentInvitation.tsx";

const SHOWN = ["5+3", "10+5", "none"]; // the rest is in the dialog

interface Props {
  live: readonly LiveGameView[];
  /** Open the dialog with all options. */
  onMore(): void;
}

export function QuickStart({ live, onMore }: Props): VNode {
  const cards = useSignal(games);
  const search = useSignal(matchmaking.state);
  const preferred = useSignal(preferences);
  const [error, setError] = useState("");
  const card = cards.find((game) => game.key === preferred.game) ?? cards[0];
  const levels = card?.levels ?? [];
  const level = levels.find(([key]) => key === preferred.level)?.[0] ?? levels[0]?.[0] ?? "";
  const opponent = preferred.opponent === "bot" && !levels.length ? "anyone" : preferred.opponent;
  const timeControl = opponent === "bot" ? "botTimeControl" : "timeControl";

  const start = async (): Promise<void> => {
    if (!card) return;
    setError("");
    const terms = {
      game: card.key,
      clock: TIME_CONTROLS[preferred[timeControl]]?.clock ?? {},
      ...(preferred.rated && opponent !== "bot" ? { rated: true } : {}),
    };
    try {
      if (opponent === "anyone") await matchmaking.queue(terms);
      else if (opponent === "friend") await matchmaking.invite(terms);
      else await playBot(terms, level, Math.random() < 0.5 ? 0 : 1, {});
    } catch (reason) {
      setError((reason as Error).message);
    }
  };

  return (
    <>
      <div class="games" role="radiogroup" aria-label="Game">
        {cards.map((game) => {
          const liveGames = live.filter((each) => each.game === game.key);
          return (
            <label class="game" key={game.key}>
              <input
                type="radio"
                name="game"
                value={game.key}
                checked={game.key === card?.key}
                onChange={() => changePreferences({ game: game.key })}
              />
              <GamePicture game={game.key} name={game.name} live={liveGames[0]} />
              <b>{game.name}</b>
              <small>{game.summary}</small>
              <small class="count">
                {liveGames.length > 0 && <i class="dot" aria-hidden="true" />}
                {liveGames.length ? `${2 * liveGames.length} playing` : ""}
              </small>
            </label>
          );
        })}
      </div>
      <p class="muted chosen-summary" aria-hidden="true">
        {card?.summary}
      </p>
      {search.kind === "queued" ? (
        <QueueStatus terms={search.terms} since={search.since} />
      ) : search.kind === "inviting" ? (
        <SentInvitation seek={search.seek} to={search.to} />
      ) : (
        <div class="quick-start card">
          <SegmentedControl
            legend="Opponent"
            name="opponent"
            value={opponent}
            onChange={(value) => changePreferences({ opponent: value as Opponent })}
            choices={[
              { value: "anyone", name: "Anyone", icon: "people" },
              { value: "friend", name: "A friend", icon: "link" },
              ...(levels.length ? [{ value: "bot", name: "A bot", icon: "bot" as const }] : []),
            ]}
          />
          <SegmentedControl
            legend="Time control"
            name="time-control"
            value={preferred[timeControl]}
            onChange={(value) => changePreferences({ [timeControl]: value })}
            choices={SHOWN.map((value) => ({ value, name: TIME_CONTROLS[value]!.name }))}
          />
          <button type="button" class="button more" onClick={onMore}>
            More
          </button>
          {opponent === "bot" ? (
            <LevelField levels={levels} value={level} onChange={(value) => changePreferences({ level: value })} />
          ) : (
            <label class="switch">
              <input
                type="checkbox"
                checked={preferred.rated}
                onChange={(event) => changePreferences({ rated: event.currentTarget.checked })}
              />
              <span class="track" aria-hidden="true" />
              Rated
            </label>
          )}
          {(card?.lesson_minutes ?? 0) > 0 && (
            <a class="button learn" href={`/learn/${card?.key}`}>
              <Icon name="bulb" size={18} />
              Learn {card?.name} · {card?.lesson_minutes} min
            </a>
          )}
          <button type="button" class="button primary big" disabled={!card} onClick={() => void start()}>
            <Icon name="play" size={18} />
            Play {card?.name ?? ""}
          </button>
          <ErrorMessage text={error} />
        </div>
      )}
    </>
  );
}

/** The board of a live game, or the starting position. */
function GamePicture({ game, name, live }: { game: string; name: string; live: LiveGameView | undefined }): VNode {
  const preview = usePreview(game);
  const { board, scene } = live ?? preview ?? {};
  return (
    <span class="picture">
      {board && scene && <BoardPicture board={board} scene={scene} label={`${name} board`} />}
    </span>
  );
}
