// A player: ratings with their curves, games, bots, and an invitation.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Standings } from "../../sdk/index.ts";
import { BotLinks } from "../parts/BotLinks.tsx";
import { Absent, Frame } from "../parts/Frame.tsx";
import { GameRows } from "../parts/GameRows.tsx";
import { Icon } from "../parts/Icon.tsx";
import { NewTable } from "../parts/NewTable.tsx";
import { playerPath } from "../parts/PlayerName.tsx";
import { RatingCurve } from "../parts/RatingCurve.tsx";
import { day } from "../parts/when.ts";
import { useAnswer } from "../state/answer.ts";
import { me, nameOf } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";

export function PlayerPage({ name }: { name: string }): VNode {
  const own = useSignal(me)?.name === name;
  const { answer, refused } = useAnswer({ t: "ask_player", name });
  const [inviting, setInviting] = useState(false);
  if (!answer)
    return (
      <Frame title={name}>
        <h1>{name}</h1>
        <Absent refused={refused} />
      </Frame>
    );
  const { player, since, online, ratings = [], owner, bots = [], playing = [] } = answer;
  return (
    <Frame title={player.name} kind="reading">
      <div class="profile">
        <span class="avatar" aria-hidden="true">
          {[...player.name][0]?.toUpperCase()}
        </span>
        <div>
          <h1>{player.name}</h1>
          <p class="muted row-of">
            {player.bot && (
              <span class="bot">
                <Icon name="bot" size={14} />
                bot
              </span>
            )}
            <span>
              {online ? "Here now" : "Not here now"} · {player.guest ? "guest" : "player"} since {day(since)}
            </span>
            {owner && (
              <span>
                · made by{" "}
                <a class="link" href={playerPath(owner)}>
                  {owner}
                </a>
              </span>
            )}
          </p>
        </div>
        {!own && online && (
          <button type="button" class="button primary" onClick={() => setInviting(true)}>
            Invite to a game
          </button>
        )}
      </div>
      {playing.length > 0 && (
        <p class="row-of">
          {playing.map((room) => (
            <a class="button" href={`/table/${room}`}>
              <Icon name="eye" size={18} />
              Watch the game
            </a>
          ))}
        </p>
      )}
      <section class="part" aria-label="Ratings">
        <h2>Ratings</h2>
        {ratings.length ? (
          <ul class="ratings">
            {ratings.map((each) => (
              <Rating standings={each} key={each.game} />
            ))}
          </ul>
        ) : (
          <p class="card nothing">No rated games yet.</p>
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
        <GameRows
          of={{ player: player.name }}
          empty={own ? "Your finished games will be here." : "No finished games yet."}
          key={player.name}
        />
      </section>
      {inviting && <NewTable to={player.name} onClose={() => setInviting(false)} />}
    </Frame>
  );
}

function Rating({ standings }: { standings: Standings }): VNode {
  const { game, rating, deviation, games = 0, won = 0, lost = 0, drawn = 0, place, history = [] } = standings;
  return (
    <li class="card">
      <div class="head">
        <h3>{nameOf(game)}</h3>
        {place != null && <span class="muted">number {place}</span>}
        <b class="figure num">{rating}</b>
      </div>
      <RatingCurve history={history} label={`Rating in ${nameOf(game)} over ${games} games`} />
      <p class="muted num">
        ± {2 * deviation} · {games === 1 ? "1 game" : `${games} games`}: {won} won, {drawn} drawn, {lost} lost
      </p>
    </li>
  );
}
