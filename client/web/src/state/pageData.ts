// The server's data about the requested page. It is part of the HTML, so the first paint needs no connection.
import type {
  AnswerTo,
  BoardSpec,
  GameCard,
  Lobby,
  Player,
  Request,
  Scene,
  Terms,
  Tournaments,
} from "../../sdk/index.ts";
import { withPrefix } from "./prefix.ts";

/** An invitation as its link shows it. */
export interface Invitation {
  player: Player;
  /** The name and the summary of the game. */
  name: string;
  summary: string;
  terms: Terms;
  board: BoardSpec;
  scene: Scene;
  /** The seat of the invited player; absent if it is decided when the game starts. */
  seat?: number;
}

interface PageData {
  games?: readonly GameCard[];
  /** A position of each game that shows what it looks like. */
  samples?: Readonly<Record<string, readonly [BoardSpec, Scene]>>;
  lobby?: Lobby;
  invitation?: Invitation;
  /** The first page of each list of tournaments, by status. */
  tournaments?: Readonly<Record<string, Tournaments>>;
  /** A request that the page would send, and the answer to it. */
  request?: Request;
  answer?: unknown;
}

const firstPath = location.pathname;
const found = document.getElementById("page-data")?.textContent;
const data: PageData = found ? (JSON.parse(found) as PageData) : {};

export const firstGames = data.games ?? [];
export const firstLobby = data.lobby ?? null;
const answered = JSON.stringify(data.request);

/** The first page of a list of tournaments, on the page that was opened first. */
export function firstTournaments(status: string): Tournaments | null {
  return data.tournaments?.[status] ?? null;
}

/** A position that shows what a game looks like. */
export function sampleOf(game: string): { board: BoardSpec; scene: Scene } | null {
  const found = data.samples?.[game];
  return found ? { board: found[0], scene: found[1] } : null;
}

/** The answer to a request, if it is part of the page. */
export function firstAnswer<R extends Request>(request: R | null): AnswerTo<R["t"]> | null {
  return request && answered === JSON.stringify(request) ? (data.answer as AnswerTo<R["t"]>) : null;
}

/** The invitation of the page that was opened first, if this is still that page. */
export function firstInvitation(code: string): Invitation | null {
  return firstPath === withPrefix(`/join/${encodeURIComponent(code)}`) ? (data.invitation ?? null) : null;
}

/** Ask the server for an invitation. Throws an error with the server's sentence if there is none. */
export async function requestInvitation(code: string): Promise<Invitation> {
  const answer = await fetch(withPrefix(`/api/v1/invitations/${encodeURIComponent(code)}`));
  const content = (await answer.json()) as Invitation & { text?: string };
  if (!answer.ok) throw new Error(content.text ?? "The server does not answer. Try again in a few seconds.");
  return content;
}
