// A player wherever one is named: with rating, and always with a sign if it is a program.
import type { VNode } from "preact";
import type { Player } from "../../sdk/index.ts";
import { Icon } from "./Icon.tsx";

/** The address of a player's page. A slash at the end, since servers take a dot in the last part for a file. */
export function playerPath(name: string): string {
  return `/players/${encodeURIComponent(name)}/`;
}

export function ratingWords({ rating, sure }: Player): string {
  return rating == null ? "" : `${rating}${sure === false ? "?" : ""}`;
}

/** `plain`: not a link, where the whole line is one already. */
export function PlayerName({ player, plain }: { player: Player | null | undefined; plain?: boolean }): VNode {
  if (!player) return <span class="muted">nobody</span>;
  const { name, bot, guest } = player;
  const known = !plain && !(bot && name.startsWith("Computer"));
  return (
    <span class="person">
      {known ? (
        <a href={playerPath(name)} title={name}>
          {name}
        </a>
      ) : (
        <b title={name}>{name}</b>
      )}
      {bot && (
        <span class="bot">
          <Icon name="bot" size={14} />
          bot
        </span>
      )}
      <span class="muted num">{ratingWords(player) || (guest ? "guest" : "")}</span>
    </span>
  );
}
