// The players who are online, followed players first, each with one action; and a field to find a player by name.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OnlinePlayer } from "../../sdk/index.ts";
import { following } from "../state/following.ts";
import { navigate } from "../state/router.ts";
import { call, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { PlayerName, playerPath } from "./PlayerName.tsx";

const SHOWN = 6;
const REFRESH_EVERY = 20_000; // milliseconds

interface Props {
  /** The number of players online: the list is read again when it changes. */
  online: number;
  onChallenge(name: string): void;
}

export function OnlinePlayers({ online, onChallenge }: Props): VNode {
  const self = useSignal(me)?.name;
  const followed = useSignal(following);
  const [rows, setRows] = useState<readonly OnlinePlayer[] | null>(null);
  const [name, setName] = useState("");
  useEffect(() => {
    let active = true;
    const load = (): void => {
      call({ t: "list_players" }).then(
        (found) => active && setRows(found.rows),
        () => undefined, // the next time
      );
    };
    load();
    const timer = setInterval(load, REFRESH_EVERY);
    return () => {
      active = false;
      clearInterval(timer);
    };
  }, [online, self]);
  const others = (rows ?? []).filter(({ player }) => player.name !== self);
  const rank = ({ player }: OnlinePlayer): number => (followed.includes(player.name) ? 0 : player.guest ? 2 : 1);
  others.sort((a, b) => rank(a) - rank(b));
  const find = (event: Event): void => {
    event.preventDefault();
    if (name.trim()) navigate(playerPath(name.trim()));
  };
  return (
    <>
      {others.length ? (
        <ul class="card rows online-players">
          {others.slice(0, SHOWN).map(({ player, playing = [] }) => (
            <li key={player.name}>
              <span class="what">
                <PlayerName player={player} />
                <small>
                  {playing.length ? "playing" : "in the lobby"}
                  {followed.includes(player.name) ? " · followed" : ""}
                </small>
              </span>
              {playing.length ? (
                <a class="link" href={`/table/${playing[0]}`} aria-label={`Watch ${player.name}`}>
                  Watch
                </a>
              ) : (
                <button
                  type="button"
                  class="link"
                  aria-label={`Challenge ${player.name}`}
                  onClick={() => onChallenge(player.name)}
                >
                  Challenge
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p class="card empty-note">{rows ? "You are the only one here right now. Invite a friend." : "Loading…"}</p>
      )}
      <form class="find-player" onSubmit={find}>
        <input
          type="search"
          aria-label="Find a player by name"
          placeholder="Find a player"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          Find
        </button>
      </form>
    </>
  );
}
