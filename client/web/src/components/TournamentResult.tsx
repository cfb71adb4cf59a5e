// The result of one match in a table: the player's side, the rank of the opponent, and the points.
import type { VNode } from "preact";
import type { GameCard, RoundResult } from "../../sdk/index.ts";
import { resultLabel, resultText } from "../format/tournament.ts";
import { SeatIcon } from "./Icon.tsx";

interface Props {
  result: RoundResult;
  card: GameCard | undefined;
  /** Whether to show the opponent's rank, which a cross table has in its head. */
  rank?: boolean;
}

export function TournamentResult({ result, card, rank = true }: Props): VNode {
  const { result: kind, opponent = 0, seat, room } = result;
  const side = seat == null ? undefined : card?.seats[seat];
  if (kind === "absent")
    return (
      <span class="muted" title={resultLabel(result, "")}>
        –<span class="visually-hidden"> {resultLabel(result, "")}</span>
      </span>
    );
  const content = (
    <>
      <span class="visually-hidden">{resultLabel(result, side?.name ?? "")}</span>
      <span class="parts" aria-hidden="true">
        {side && <SeatIcon tone={side.tone === "dark" ? "dark" : "light"} size={12} />}
        {rank && opponent > 0 && <span class="num">{opponent}</span>}
        <b class="num">{resultText(result)}</b>
      </span>
    </>
  );
  const kinds = `round-result ${kind}`;
  return room ? (
    <a class={kinds} href={kind === "playing" ? `/table/${room}` : `/game/${room}`}>
      {content}
    </a>
  ) : (
    <span class={kinds}>{content}</span>
  );
}
