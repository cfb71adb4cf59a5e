// A player's name with rating, and a badge if the player is a bot.
import type { VNode } from "preact";
import type { Player } from "../../sdk/index.ts";
import { Icon } from "./Icon.tsx";
import { isServerBot, nameOf } from "../state/botNames.ts";

/** The path of a player's page. It ends in a slash because a dot in the last segment would look like a file. */
export function playerPath(name: string): string {
  return `/players/${encodeURIComponent(name)}/`;
}

export function formatRating({ rating, provisional }: Player): string {
  return rating == null ? "" : `${rating}${provisional ? "?" : ""}`;
}

/** `plain` names are no links, for places where the whole line is one. */
export function PlayerName({ player, plain }: { player: Player | null | undefined; plain?: boolean }): VNode {
  if (!player) return <span class="muted">unknown</span>;
  const { bot, guest } = player;
  const name = nameOf(player);
  const linked = !plain && !isServerBot(player);
  return (
    <span class="player-name">
      {linked ? (
        <a href={playerPath(player.name)} title={name}>
          {name}
        </a>
      ) : (
        <b title={name}>{name}</b>
      )}
      {bot && (
        <span class="tag">
          <Icon name="bot" size={14} />
          bot
        </span>
      )}
      <span class="muted num">{formatRating(player) || (guest ? "guest" : "")}</span>
    </span>
  );
}
