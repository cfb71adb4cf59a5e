// The bots of somebody, each with its page.
import type { VNode } from "preact";
import { Icon } from "./Icon.tsx";
import { playerPath } from "./PlayerName.tsx";

export function BotLinks({ bots }: { bots: readonly string[] }): VNode {
  return (
    <p class="row-of">
      {bots.map((bot) => (
        <a class="button" href={playerPath(bot)}>
          <Icon name="bot" size={18} />
          {bot}
        </a>
      ))}
    </p>
  );
}
