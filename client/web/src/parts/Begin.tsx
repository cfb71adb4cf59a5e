// Choose a game, whom to play and how fast, and begin with one press.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Board } from "../board/Board.tsx";
import type { Live } from "../state/lobby.ts";
import { call, games } from "../state/parlour.ts";
import { usePreview } from "../state/previews.ts";
import { PACES, quick, type Against } from "../state/quick.ts";
import { go } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";
import { choose, wish as wished } from "../state/wish.ts";
import { Icon } from "./Icon.tsx";
import { Invitation } from "./Invitation.tsx";
import { Refused } from "./Refused.tsx";
import { Segments } from "./Segments.tsx";
import { Waiting } from "./Waiting.tsx";

const SHOWN = ["5+3", "10+5", "none"]; // all others are under “More”

/** A game's board: of a game that is on, or as it stands before the first move. */
function Picture({ game, name, live }: { game: string; name: string; live: Live | undefined }): VNode {
  const shown = usePreview(game);
  const { board, scene } = live ?? shown ?? {};
  return (
    <span class="picture">
      {board && scene && <Board board={board} scene={scene} small label={`${name} board`} key={live?.room ?? ""} />}
    </span>
  );
}

interface Props {
  live: readonly Live[];
  /** Somebody wants more choice than this. */
  onMore(): void;
}

export function Begin({ live, onMore }: Props): VNode {
  const cards = useSignal(games);
  const found = useSignal(quick.state);
  const wish = useSignal(wished);
  const [refused, setRefused] = useState("");
  const card = cards.find((game) => game.key === wish.game) ?? cards[0];
  const levels = card?.levels ?? [];
  const level = levels.find(([key]) => key === wish.level)?.[0] ?? levels[0]?.[0] ?? "";
  const against = wish.against === "bot" && !levels.length ? "anyone" : wish.against;

  const begin = async (): Promise<void> => {
    if (!card) return;
    setRefused("");
    const terms = {
      game: card.key,
      clock: PACES[wish.pace]?.clock ?? {},
      ...(wish.rated && against !== "bot" ? { rated: true } : {}),
    };
    try {
      if (against === "anyone") await quick.look(terms);
      else if (against === "friend") await quick.invite(terms);
      else {
        const made = await call({ t: "create", terms, levels: Math.random() < 0.5 ? [null, level] : [level, null] });
        go(`/table/${made.room}`);
      }
    } catch (why) {
      setRefused((why as Error).message);
    }
  };

  return (
    <>
      <div class="games" role="radiogroup" aria-label="Game">
        {cards.map((game) => {
          const on = live.filter((each) => each.game === game.key);
          return (
            <label class="game" key={game.key}>
              <input
                type="radio"
                name="game"
                value={game.key}
                checked={game.key === card?.key}
                onChange={() => choose({ game: game.key })}
              />
              <Picture game={game.key} name={game.name} live={on[0]} />
              <b>{game.name}</b>
              <small>{game.summary}</small>
              <small class="count">
                {on.length > 0 && <i class="dot" aria-hidden="true" />}
                {on.length ? `${2 * on.length} playing` : ""}
              </small>
            </label>
          );
        })}
      </div>
      {found.kind === "waiting" ? (
        <Waiting terms={found.terms} since={found.since} />
      ) : found.kind === "inviting" ? (
        <Invitation code={found.code} to={found.to} />
      ) : (
        <div class="begin card">
          <Segments
            legend="Against"
            name="against"
            value={against}
            onChange={(value) => choose({ against: value as Against })}
            choices={[
              { value: "anyone", name: "Anyone", icon: "people" },
              { value: "friend", name: "A friend", icon: "link" },
              ...(levels.length ? [{ value: "bot", name: "A bot", icon: "bot" as const }] : []),
            ]}
          />
          <Segments
            legend="Pace"
            name="pace"
            value={wish.pace}
            onChange={(pace) => choose({ pace })}
            choices={SHOWN.map((value) => ({ value, name: PACES[value]!.name }))}
          />
          <button type="button" class="button more" onClick={onMore}>
            More
          </button>
          {against === "bot" ? (
            <label class="field">
              <span>Level</span>
              <select value={level} onChange={(event) => choose({ level: event.currentTarget.value })}>
                {levels.map(([key, title, rating]) => (
                  <option value={key}>{rating === null ? title : `${title}, about ${rating}`}</option>
                ))}
              </select>
            </label>
          ) : (
            <label class="switch">
              <input
                type="checkbox"
                checked={wish.rated}
                onChange={(event) => choose({ rated: event.currentTarget.checked })}
              />
              <span class="track" aria-hidden="true" />
              Rated
            </label>
          )}
          <button type="button" class="button primary big" disabled={!card} onClick={() => void begin()}>
            <Icon name="play" size={18} />
            Play {card?.name ?? ""}
          </button>
          <Refused why={refused} />
        </div>
      )}
    </>
  );
}
