// The admin API. The token is kept for this tab only, and sent with every request; there are no cookies.

const TOKEN = "parlour.admin.token";

export interface Restriction {
  until: number; // 0: for good
  reason: string;
}

export interface NodeRow {
  name: string;
  connections: number;
  rooms: number;
  waiting: number;
  started: number;
  version: string;
  draining: boolean;
}

export interface Part {
  up: boolean;
  problem: string;
  errors: number;
}

export interface Overview {
  time: number;
  node: string;
  nodes: NodeRow[];
  connections: number;
  rooms: number;
  waiting: number;
  jobs: number;
  store: Part;
  archive: Part;
  reports: number;
  outages: { since: number; until: number; node: string }[];
}

export interface RoomRow {
  room: string;
  game: string;
  players: { name: string }[];
  ply: number;
  rated?: boolean;
  status?: string;
  private?: boolean;
}

export interface TournamentRow {
  tournament: string;
  settings: { name: string; terms: { game: string } };
  status: string;
  players: number;
  organiser?: string;
  start?: number;
}

export interface PlayerRow {
  id: string;
  name: string;
  kind: string;
  suspended: Restriction | null;
  muted: Restriction | null;
}

export interface AuditEntry {
  id: string;
  operator: string;
  action: string;
  target?: string;
  detail?: string;
  reason?: string;
  at: number;
}

export interface Report {
  id: string;
  at: number;
  author: { id: string; name: string };
  player: { id: string; name: string };
  reason: string;
  text: string;
  room: string;
  chat: string[];
  handled: { operator: string; note: string; at: number } | null;
}

export interface AddressBan {
  network: string;
  until: number; // 0: for good
  reason: string;
}

export interface PlayerFile {
  player: PlayerRow;
  created: number;
  online: boolean;
  devices: number;
  owner: PlayerRow | null;
  bots: PlayerRow[];
  ratings: { game: string; rating: number; deviation: number; games: number }[];
  rooms: RoomRow[];
  history: AuditEntry[];
}

/** The fields of an action besides the reason. */
export interface ActionFields {
  until?: number;
  name?: string;
  game?: string;
  winner?: number | null;
  text?: string;
}

export function isSignedIn(): boolean {
  return sessionStorage.getItem(TOKEN) !== null;
}

export function signIn(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function signOut(): void {
  sessionStorage.removeItem(TOKEN);
}

/** Read a list or a file; `path` is encoded already. */
export function read<T>(path: string): Promise<T> {
  return request<T>("GET", path);
}

/** Execute an action on something: a player, a room, a node, or nothing. */
export function act(
  path: string[],
  reason: string,
  fields: ActionFields,
): Promise<{ password?: string; games?: number }> {
  return request("POST", path.map(encodeURIComponent).join("/"), JSON.stringify({ ...fields, reason }));
}

async function request<T>(method: string, path: string, body?: string): Promise<T> {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(TOKEN) ?? ""}` };
  const reply = await fetch(`/api/${path}`, { method, headers, body }).catch(() => {
    throw new Error("The server does not answer. Try again in a few seconds.");
  });
  const answer = (await reply.json()) as T & { text?: string };
  if (!reply.ok) throw new Error(answer.text ?? `The server answered with status ${reply.status}.`);
  return answer;
}
