// Finished games in a list, each a link to its replay.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AskGames, GameLine } from "../../sdk/index.ts";
import { call, games, nameOf } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import { Absent } from "./Frame.tsx";
import { Icon, SeatSign } from "./Icon.tsx";
import { reasonOf } from "./outcome.ts";
import { PlayerName } from "./PlayerName.tsx";
import { Refused } from "./Refused.tsx";
import { ago, exact } from "./when.ts";

interface Props {
  of: Omit<AskGames, "t" | "id" | "before">;
  /** How many at most; without it, a button asks for more. */
  most?: number;
  empty: string;
}

export function GameRows({ of, most, empty }: Props): VNode {
  const [lines, setLines] = useState<readonly GameLine[] | null>(null);
  const [more, setMore] = useState("");
  const [refused, setRefused] = useState("");
  const question = JSON.stringify(of);
  const ask = async (before: string): Promise<void> => {
    try {
      const found = await call({ t: "ask_games", ...of, ...(before ? { before } : {}) });
      setLines(before ? [...(lines ?? []), ...found.rows] : found.rows);
      setMore(found.more ?? "");
    } catch (why) {
      setRefused((why as Error).message);
    }
  };
  useEffect(() => void ask(""), [question]);
  if (!lines) return <Absent refused={refused} />;
  if (!lines.length) return <p class="card nothing">{empty}</p>;
  return (
    <>
      <ul class="card rows results">
        {lines.slice(0, most).map((line) => (
          <Row line={line} key={line.room} />
        ))}
      </ul>
      {most === undefined && more && (
        <button type="button" class="button" onClick={() => void ask(more)}>
          Older games
        </button>
      )}
      <Refused why={refused} />
    </>
  );
}

function Row({ line }: { line: GameLine }): VNode {
  const card = useSignal(games).find(({ key }) => key === line.game);
  const { winner, scores = [] } = line.result;
  return (
    <li>
      <a class="result-line" href={`/game/${line.room}`}>
        <span class="what">
          <b>{nameOf(line.game)}</b>
          <small>
            {line.plies} moves{line.rated ? " · rated" : ""}
          </small>
        </span>
        <span class="pair">
          {line.players.map((player, seat) => (
            <span class={seat === winner ? "line-of won" : "line-of"}>
              <SeatSign tone={card?.seats[seat]?.tone === "dark" ? "dark" : "light"} size={13} />
              <PlayerName player={player} plain />
              {seat === winner && <Icon name="check" size={16} />}
            </span>
          ))}
        </span>
        <span class="how">
          <span>
            {winner === null ? "A draw" : `${line.players[winner]?.name ?? ""} won`}
            {scores.length ? `, ${scores.join(" : ")}` : ""}
          </span>
          <small>{reasonOf(card, line.result.reason)}</small>
        </span>
        <time class="muted" dateTime={new Date(line.ended).toISOString()} title={exact(line.ended)}>
          {ago(line.ended)}
        </time>
      </a>
    </li>
  );
}
