// A player's profile: ratings, games, bots, and a button to invite the player.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GameRating } from "../../sdk/index.ts";
import { BotLinks } from "../components/BotLinks.tsx";
import { Placeholder, PageLayout } from "../components/PageLayout.tsx";
import { GameList } from "../components/GameList.tsx";
import { Icon } from "../components/Icon.tsx";
import { NewTableDialog } from "../components/NewTableDialog.tsx";
import { PlayerMenu } from "../components/PlayerMenu.tsx";
import { playerPath } from "../components/PlayerName.tsx";
import { RatingChart } from "../components/RatingChart.tsx";
import { formatDay } from "../format/date.ts";
import { plural } from "../format/plural.ts";
import { following, setFollowing } from "../state/following.ts";
import { useRequest } from "../state/request.ts";
import { gameName, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

export function PlayerPage({ name }: { name: string }): VNode {
  const own = useSignal(me)?.name === name;
  const { answer, error } = useRequest({ t: "get_profile", name });
  const followedNames = useSignal(following);
  const [inviting, setInviting] = useState(false);
  if (!answer)
    return (
      <PageLayout title={name}>
        <h1>{name}</h1>
        <Placeholder error={error} />
      </PageLayout>
    );
  const followed = followedNames.includes(answer.player.name);
  const { player, created, online, ratings = [], owner, bots = [], playing = [] } = answer;
  return (
    <PageLayout title={player.name} kind="reading">
      <div class="profile">
        <span class="avatar" aria-hidden="true">
          {[...player.name][0]?.toUpperCase()}
        </span>
        <div>
          <h1>{player.name}</h1>
          <p class="muted button-row">
            {player.bot && (
              <span class="tag">
                <Icon name="bot" size={14} />
                bot
              </span>
            )}
            <span>
              {online ? "Online" : "Offline"} · {player.guest ? "guest" : "player"} since {formatDay(created)}
            </span>
            {owner && (
              <span>
                · created by{" "}
                <a class="link" href={playerPath(owner)}>
                  {owner}
                </a>
              </span>
            )}
          </p>
        </div>
        {!own && (
          <button
            type="button"
            class="button"
            aria-pressed={followed}
            onClick={() => setFollowing(player.name, !followed)}
          >
            <Icon name={followed ? "check" : "plus"} size={18} />
            {followed ? "Following" : "Follow"}
          </button>
        )}
        {!own && online && (
          <button type="button" class="button primary" onClick={() => setInviting(true)}>
            Invite to a game
          </button>
        )}
      </div>
      <div class="button-row">
        {playing.map((room) => (
          <a class="button" href={`/table/${room}`} key={room}>
            <Icon name="eye" size={18} />
            Watch the game
          </a>
        ))}
        {!own && <PlayerMenu name={player.name} key={player.name} />}
      </div>
      <section class="part" aria-label="Ratings">
        <h2>Ratings</h2>
        {ratings.length ? (
          <ul class="ratings">
            {ratings.map((each) => (
              <Rating gameRating={each} key={each.game} />
            ))}
          </ul>
        ) : (
          <p class="card empty-note">No rated games yet.</p>
        )}
      </section>
      {bots.length > 0 && (
        <section class="part" aria-label="Bots">
          <h2>Bots</h2>
          <BotLinks bots={bots} />
        </section>
      )}
      <section class="part" aria-label="Games">
        <h2>Games</h2>
        <GameList player={player.name} empty="No finished games yet." key={player.name} />
      </section>
      {inviting && <NewTableDialog to={player.name} onClose={() => setInviting(false)} />}
    </PageLayout>
  );
}

function Rating({ gameRating }: { gameRating: GameRating }): VNode {
  const { game, rating, deviation, games = 0, won = 0, lost = 0, drawn = 0, place, history = [] } = gameRating;
  return (
    <li class="card">
      <div class="head">
        <h3>{gameName(game)}</h3>
        {place != null && <span class="muted">rank {place}</span>}
        <b class="figure num">{rating}</b>
      </div>
      <RatingChart history={history} label={`Rating in ${gameName(game)} over ${plural(games, "game")}`} />
      <p class="muted num">
        ± {2 * deviation} · {plural(games, "game")}: {won} won, {drawn} drawn, {lost} lost
      </p>
    </li>
  );
}
