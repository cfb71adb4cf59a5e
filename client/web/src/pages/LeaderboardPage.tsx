// The top players of each game, and a form to find any player.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { PageLayout } from "../components/PageLayout.tsx";
import { Leaderboard } from "../components/Leaderboard.tsx";
import { playerPath } from "../components/PlayerName.tsx";
import { SegmentedControl } from "../components/SegmentedControl.tsx";
import { games } from "../state/server.ts";
import { navigate } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";
import { changePreferences, preferences } from "../state/preferences.ts";

export function LeaderboardPage(): VNode {
  const cards = useSignal(games);
  const { game } = useSignal(preferences);
  const [name, setName] = useState("");
  const card = cards.find(({ key }) => key === game) ?? cards[0];
  const find = (event: Event): void => {
    event.preventDefault();
    if (name.trim()) navigate(playerPath(name.trim()));
  };
  return (
    <PageLayout title="Players">
      <h1>Players</h1>
      <form class="button-row" onSubmit={find}>
        <label class="field wide">
          <span>Player name</span>
          <input type="text" value={name} maxLength={40} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button at-end">
          Find
        </button>
      </form>
      {card && (
        <>
          <SegmentedControl
            legend="Top players in"
            name="leaderboard"
            value={card.key}
            onChange={(key) => changePreferences({ game: key })}
            choices={cards.map(({ key, name }) => ({ value: key, name }))}
          />
          <Leaderboard game={card.key} key={card.key} />
        </>
      )}
    </PageLayout>
  );
}
