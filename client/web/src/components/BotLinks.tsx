// Links to the bots of a player.
import type { VNode } from "preact";
import { Icon } from "./Icon.tsx";
import { playerPath } from "./PlayerName.tsx";

export function BotLinks({ bots }: { bots: readonly string[] }): VNode {
  return (
    <p class="button-row">
      {bots.map((bot) => (
        <a class="button" href={playerPath(bot)} key={bot}>
          <Icon name="bot" size={18} />
          {bot}
        </a>
      ))}
    </p>
  );
}
