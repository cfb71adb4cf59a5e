// The strongest players of each game, and the way to any player's page.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Frame } from "../parts/Frame.tsx";
import { Leaders } from "../parts/Leaders.tsx";
import { playerPath } from "../parts/PlayerName.tsx";
import { Segments } from "../parts/Segments.tsx";
import { games } from "../state/parlour.ts";
import { go } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";
import { choose, wish } from "../state/wish.ts";

export function LeadersPage(): VNode {
  const cards = useSignal(games);
  const { game } = useSignal(wish);
  const [name, setName] = useState("");
  const card = cards.find(({ key }) => key === game) ?? cards[0];
  const find = (event: Event): void => {
    event.preventDefault();
    if (name.trim()) go(playerPath(name.trim()));
  };
  return (
    <Frame title="Players">
      <h1>Players</h1>
      <form class="row-of" onSubmit={find}>
        <label class="field wide">
          <span>Name of a player</span>
          <input type="text" value={name} maxLength={40} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button at-end">
          Look up
        </button>
      </form>
      {card && (
        <>
          <Segments
            legend="Strongest in"
            name="leaders"
            value={card.key}
            onChange={(key) => choose({ game: key })}
            choices={cards.map(({ key, name }) => ({ value: key, name }))}
          />
          <Leaders game={card.key} key={card.key} />
        </>
      )}
    </Frame>
  );
}
