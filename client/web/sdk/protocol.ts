// The protocol of Parlour as types. Made by `python -m publish` from the Python structs: do not edit.
// docs/protocol.md explains everything here.

export const PATH = "/ws";
export const MSGPACK = "parlour.v1+msgpack";
export const JSON_TEXT = "parlour.v1+json";

/** Bytes of the largest message a server accepts, unless its welcome says otherwise. */
export const LARGEST = 16384;

/**
 * Whether to send the same again: never; later, with the same id; when things have changed, with a new id.
 */
export type Retry = "never" | "later" | "changed";

/** Every refusal. A server may know more of them: treat those like `never`. */
export const ERRORS = {
  request_malformed: {
    meaning: "The message is not of the documented form.",
    retry: "never",
    advice: "Compare it with the reference; the sentence names the field.",
  },
  request_too_large: {
    meaning: "The message is larger than the server accepts.",
    retry: "never",
    advice: "Stay below the size given in welcome.",
  },
  message_unknown: {
    meaning: "The server knows no message with this tag.",
    retry: "never",
    advice: "The server may be older than the client: do without, the connection stays open.",
  },
  hello_first: {
    meaning: "The first message of a connection must be hello, and only the first.",
    retry: "changed",
    advice: "Say hello once and wait for welcome.",
  },
  token_unknown: {
    meaning: "Nobody is known under this token.",
    retry: "changed",
    advice: "Say hello without a token to become a new guest.",
  },
  name_taken: {
    meaning: "Somebody has that name.",
    retry: "changed",
    advice: "Choose another one; large and small letters do not make a difference.",
  },
  name_refused: {
    meaning: "That cannot be a name here.",
    retry: "never",
    advice: "The sentence says which names can.",
  },
  password_refused: {
    meaning: "That cannot be a password: it is too easy to guess.",
    retry: "never",
    advice: "The sentence says what is asked of a password.",
  },
  sign_in_refused: {
    meaning: "There is no account with this name and this password.",
    retry: "changed",
    advice: "Check both.",
  },
  already_registered: {
    meaning: "You have an account already.",
    retry: "never",
    advice: "Sign out to make another one.",
  },
  account_needed: {
    meaning: "Guests cannot do that.",
    retry: "changed",
    advice: "Keep your name with register first.",
  },
  too_many_sign_ins: {
    meaning: "Too many sign-ins for this name or from this address.",
    retry: "later",
    advice: "Wait a minute.",
  },
  too_many_names: {
    meaning: "Too many new guests, names or bots from this address.",
    retry: "later",
    advice: "Wait a while; the sentence says how long.",
  },
  too_many_seeks: {
    meaning: "Too many seeks and places in queues in a short time.",
    retry: "later",
    advice: "Wait a minute.",
  },
  too_many_challenges: {
    meaning: "Too many invitations in a short time.",
    retry: "later",
    advice: "Wait a minute.",
  },
  too_fast: {
    meaning: "More messages than the limit allows.",
    retry: "later",
    advice: "Wait a second; nothing was lost.",
  },
  try_again: {
    meaning: "The server cannot store anything at the moment.",
    retry: "later",
    advice: "Send the same command again with the same id in a few seconds.",
  },
  internal: {
    meaning: "The server has made a mistake, which was written into its log.",
    retry: "changed",
    advice: "Ask what has become of it before you try again, and tell whoever runs the server.",
  },
  game_unknown: {
    meaning: "There is no game of that name here.",
    retry: "never",
    advice: "Choose one of the games listed in welcome.",
  },
  option_unknown: {
    meaning: "The game has no such option.",
    retry: "never",
    advice: "Choose from the options listed with the game in welcome.",
  },
  option_invalid: {
    meaning: "The option exists, but not with that value.",
    retry: "never",
    advice: "The sentence lists the values.",
  },
  layout_invalid: {
    meaning: "The board layout breaks a rule of the game; the sentence names the row.",
    retry: "never",
    advice: "Correct that row.",
  },
  clock_invalid: {
    meaning: "There is no such kind of clock, or its times are out of range.",
    retry: "never",
    advice: "The sentence says which times are allowed.",
  },
  position_malformed: {
    meaning: "The text is not written as the game writes positions.",
    retry: "never",
    advice: "The sentence names the field or row.",
  },
  position_impossible: {
    meaning: "The text can be read, but the game cannot stand like that.",
    retry: "never",
    advice: "The sentence says what contradicts what.",
  },
  move_malformed: {
    meaning: "The text is not written as the game writes moves.",
    retry: "never",
    advice: "The sentence shows the form.",
  },
  move_illegal: {
    meaning: "The move can be read, but the rules do not allow it here.",
    retry: "never",
    advice: "Choose from the picks that the server lists.",
  },
  not_your_turn: {
    meaning: "It is the other player's turn.",
    retry: "changed",
    advice: "Wait for the update that gives the turn to you.",
  },
  stale_ply: {
    meaning: "The move was meant for another position than the present one.",
    retry: "changed",
    advice: "Look at the updates that came meanwhile and choose again.",
  },
  game_over: {
    meaning: "The game has ended, so nothing can be played.",
    retry: "never",
    advice: "Offer a rematch, or leave.",
  },
  game_not_started: {
    meaning: "The game has not begun yet.",
    retry: "changed",
    advice: "Wait until both seats are taken.",
  },
  room_unknown: {
    meaning: "There is no such room.",
    retry: "never",
    advice: "The game may be long over: ask for its record.",
  },
  not_in_room: {
    meaning: "You are not in this room.",
    retry: "changed",
    advice: "Join it first.",
  },
  seat_taken: {
    meaning: "Somebody else has that seat.",
    retry: "never",
    advice: "Watch, or find another table.",
  },
  not_a_player: {
    meaning: "Only the two players may do that.",
    retry: "never",
    advice: "Watchers can talk, and take a free seat.",
  },
  nothing_offered: {
    meaning: "There is no such offer to answer.",
    retry: "never",
    advice: "It was withdrawn, answered, or ended by a move.",
  },
  offer_refused: {
    meaning: "That cannot be offered now.",
    retry: "changed",
    advice: "The sentence says when it can.",
  },
  too_late_to_abort: {
    meaning: "A game can be called off only before each side has moved.",
    retry: "never",
    advice: "Resign, or offer a draw.",
  },
  cannot_claim: {
    meaning: "The opponent is here, or has not been away long enough.",
    retry: "changed",
    advice: "presence says when a claim is possible.",
  },
  room_full: {
    meaning: "The room has as many watchers as it takes.",
    retry: "changed",
    advice: "Try again later, or watch another game.",
  },
  seek_gone: {
    meaning: "The seek was taken or withdrawn.",
    retry: "never",
    advice: "Choose another, or make one like it.",
  },
  invite_unknown: {
    meaning: "The invitation does not exist any more.",
    retry: "never",
    advice: "Ask for a new one.",
  },
  player_unknown: {
    meaning: "There is no player of that name.",
    retry: "never",
    advice: "Check the spelling.",
  },
  own_seek: {
    meaning: "You cannot play yourself.",
    retry: "never",
    advice: "Wait for somebody else, or play the computer.",
  },
  level_unknown: {
    meaning: "The computer has no such level in this game.",
    retry: "never",
    advice: "Choose from the levels listed with the game in welcome.",
  },
  limit_reached: {
    meaning: "You have as many of these as one player may have.",
    retry: "changed",
    advice: "Close one first; the sentence says what and how many.",
  },
  record_unknown: {
    meaning: "There is no record of that game.",
    retry: "never",
    advice: "Check the number of the game.",
  },
  record_broken: {
    meaning: "The text is not a record, or something in it was changed.",
    retry: "never",
    advice: "The sentence names the line, the move or the link of the chain.",
  },
  rating_out_of_range: {
    meaning: "The maker of the seek wants an opponent of another strength.",
    retry: "changed",
    advice: "Choose another seek, or make one.",
  },
  rated_refused: {
    meaning: "Such a game cannot be rated.",
    retry: "never",
    advice: "Play it without rating; the sentence says why.",
  },
  hint_refused: {
    meaning: "The computer does not help here.",
    retry: "changed",
    advice: "The sentence says when it does.",
  },
  computer_busy: {
    meaning: "The computer has no time at the moment.",
    retry: "later",
    advice: "Try again in a few seconds.",
  },
  text_refused: {
    meaning: "The text is empty, too long, or has characters that cannot be shown.",
    retry: "never",
    advice: "Shorten it.",
  },
} as const satisfies { [code: string]: { meaning: string; retry: Retry; advice: string } };

export type ErrorCode = keyof typeof ERRORS;

/** Why a connection was closed. */
export const CLOSE = {
  GOING_AWAY: 1001,
  TOO_LARGE: 1009,
  RESTART: 1012,
  NO_HELLO: 4000,
  TOO_SLOW: 4001,
  FLOOD: 4002,
  TAKEN_OVER: 4003,
  SIGNED_OUT: 4004,
} as const;

export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];

/** What a close code means, and what to do then. */
export const CLOSES = {
  1001: { meaning: "The server stops or the page was left.", advice: "Connect again, to another address if there is one." },
  1009: { meaning: "A message was larger than the server reads at all.", advice: "Stay below the size given in welcome." },
  1012: { meaning: "The server restarts.", advice: "Connect again at once, to another address if there is one." },
  4000: { meaning: "No hello came in time, or something else came first.", advice: "Say hello first." },
  4001: { meaning: "The connection could not take what was sent to it.", advice: "Connect again; the room is sent whole." },
  4002: { meaning: "Far more messages than the limit allows.", advice: "Slow down, then connect again." },
  4003: { meaning: "This session was continued on a newer connection.", advice: "Do not reconnect: the other one lives." },
  4004: { meaning: "The player signed out everywhere.", advice: "Forget the token." },
} as const;

/** What a mark means. There may be kinds you do not know: leave them out. */
export const MARK = {
  /** the last turn ended here */
  LAST: 0,
  /** the last turn started here */
  FROM: 1,
  /** the last turn changed the owner of these */
  TURNED: 2,
  /** a piece that covered these places was taken off */
  GONE: 3,
  /** chosen in this half-made turn */
  CHOSEN: 4,
  /** from the first place to the second one in this half-made turn */
  STEP: 5,
  /** a piece that stands here will leave in this half-made turn */
  GHOST: 6,
  /** the row or column that counts */
  LINE: 7,
  /** pieces that count */
  COUNTED: 8,
  /** the first place sees the second */
  SIGHT: 9,
} as const;

export type Mark = (typeof MARK)[keyof typeof MARK];

// -------------------- Names for values

/** A place, then the glyphs of the pieces there, from the bottom of the stack to its top. */
export type Stack = number[];

/** A kind (see `Mark`), then the places it is about. */
export type MarkedPlaces = number[];

/** The value of a game's option. */
export type OptionValue = string | number | boolean;

/** The name of a room. */
export type RoomId = string;

/** A short name: of a player, a game, a seek, a program. */
export type Name = string;

/** 0 moves first, 1 second. */
export type Seat = number;

/** A number that is never negative. */
export type Count = number;

/** A time, or how long something takes. */
export type Milliseconds = number;

/** The number of a command. Every language with double precision numbers has these exactly. */
export type CommandId = number;

/** Places, in the order in which they were picked. */
export type Picks = Count[];

/** A password, as it was typed. */
export type Password = string;

// -------------------- Parts of messages

/**
 * One side of the game. The dark tone goes with diamonds and hatching, the light one with circles and plain.
 */
export interface SeatSpec {
  /** what the side is called */
  name: string;
  /** "dark" or "light" */
  tone: string;
}

/** How one kind of piece looks. A client that does not know `shape` draws a token with its first letter. */
export interface Glyph {
  /** in words, for people who listen: "Black ring" */
  name: string;
  /** bar, ring, ball, disc, man, king, counter, block, joker, star, … */
  shape: string;
  /** the owner; null for things that belong to nobody */
  seat?: number | null;
  /** one column wide, for terminals (default: "") */
  text?: string;
  /** the same where only ASCII can be shown (default: "") */
  ascii?: string;
  /** printed on the piece: "+3" (default: "") */
  label?: string;
  /** how far it reaches to the right of its place (default: 1) */
  columns?: number;
  /** how far it reaches above its place (default: 1) */
  rows?: number;
  /** dots that tell its value (default: 0) */
  pips?: number;
  /** where it points, in degrees counter-clockwise from the right */
  heading?: number | null;
  /** carries the first number of its seat's tally (default: false) */
  shows_score?: boolean;
}

/** A row of slots beside the board: a hand, a supply, a list of numbers to choose from. */
export interface Zone {
  /** its name, for programs */
  key: string;
  /** for people */
  title: string;
  /** a short title for each */
  slots: string[];
  /** whose it is; null: nobody's */
  seat?: number | null;
  /** false: the slots are choices only, and nothing is ever shown in them (default: true) */
  holds_pieces?: boolean;
}

/** Cells that mean something to a seat. */
export interface Region {
  /** "home", or "goal": where the seat wants to go */
  kind: string;
  /** which seat */
  seat: number;
  /** which cells */
  cells: number[];
}

/** Everything about a board that stays the same for a whole game. */
export interface BoardSpec {
  /** the key of a game */
  game: string;
  /** how many cells there are from left to right */
  columns: number;
  /** how many cells there are from bottom to top */
  rows: number;
  /** birch, felt, chart, clay, … */
  surface: string;
  /** the two sides, in the order of seats */
  seats: SeatSpec[];
  /** the kinds of pieces; scenes refer to them by index */
  glyphs: Glyph[];
  /** the line under a seat's name, with numbers to fill in: "{0} = {1} discs + {2} bonus" */
  tally: string;
  /** what is beside the board (default: []) */
  zones?: Zone[];
  /** cells to show differently (default: []) */
  regions?: Region[];
  /** cells drawn in the second tone of the surface (default: []) */
  alternate?: number[];
  /** cells that frame the board and are never played on (default: []) */
  rim?: number[];
  /** per seat: the cells its score walks along, from 0 on (default: []) */
  tracks?: number[][];
}

/** What is on the board now. */
export type Scene = [
  /** in rising order of places; a place without pieces is absent */
  pieces: Stack[],
  /** per seat: the numbers for `BoardSpec.tally` */
  tallies: number[][],
  /** the seat to move; null when the game is over */
  to_move: number | null,
  /** what to point out */
  marks: MarkedPlaces[],
  /** something to tell both players: "White had no move." */
  note: string,
];

/** What turns one scene into the next. Marks, note and the seat to move are short, so they come whole. */
export type SceneDiff = [
  /** the new stack at a place; a place alone: nothing is there any more */
  pieces: Stack[],
  /** [seat, number, …]: only the seats whose numbers changed */
  tallies: number[][],
  /** as in the scene, always given */
  to_move: number | null,
  /** as in the scene, always given */
  marks: MarkedPlaces[],
  /** as in the scene, always given */
  note: string,
];

/** One choice when a table is set up. Clients draw a form from these, so a new game brings its own. */
export interface OptionSpec {
  /** its name in terms */
  key: string;
  /** for people */
  title: string;
  /** "choice", "switch", "number" or "layout" (one of the choices, or a board drawn as text) */
  kind: string;
  /** what it is if terms do not say */
  default: OptionValue;
  /** a sentence for people */
  help: string;
  /** what may be chosen (default: []) */
  choices?: OptionValue[];
  /** of a number, the smallest (default: 0) */
  low?: number;
  /** of a number, the largest (default: 0) */
  high?: number;
}

/** How well the computer can play a game. */
export type Level = [
  /** "1" to "8", or the name of a way to play */
  key: string,
  /** "Beginner" */
  title: string,
  /** as measured by matches between the levels; null: not measured */
  rating: number | null,
];

/** A game that can be played here, as a client needs to know it. */
export interface GameCard {
  /** its name in terms */
  key: string;
  /** for people */
  name: string;
  /** a sentence for people */
  summary: string;
  /** the two sides; the first moves first */
  seats: SeatSpec[];
  /** what can be chosen when a table is set up */
  options: OptionSpec[];
  /** of the computer, weakest first */
  levels: Level[];
  /** how a game can end: code -> words after "White wins: " */
  reasons: { [key: string]: string };
}

/**
 * How time is kept. All times are in milliseconds.
 *
 * `none`: no limit. `move`: `main` for every move. `fischer`: `main`, and `step` is added after each move.
 * `bronstein`: `main`, and up to `step` of the time used comes back. `delay`: `main`, which starts to run
 * `step` after the turn began. `byoyomi`: `main`, then `count` periods of `step`. `canadian`: `main`, then
 * `count` moves in each `step`. `days`: `main` for every move, in days rather than minutes.
 */
export interface Clock {
  /** as above (default: "none") */
  kind?: string;
  /** as above (default: 0) */
  main?: Milliseconds;
  /** as above (default: 0) */
  step?: Milliseconds;
  /** as above (default: 0) */
  count?: Count;
}

/** What two players agree on before they play. */
export interface Terms {
  /** the key of a game */
  game: Name;
  /** those that differ from their defaults (default: {}) */
  options?: { [key: string]: OptionValue };
  /** how time is kept (default: {}) */
  clock?: Clock;
  /** whether ratings change by it (default: false) */
  rated?: boolean;
}

/** Somebody at a table. Bots are players like any other, and always labelled. */
export interface Player {
  /** to be shown as it is */
  name: string;
  /** null: none yet */
  rating?: number | null;
  /** false while the rating rests on few games (default: true) */
  sure?: boolean;
  /** whether it is a program (default: false) */
  bot?: boolean;
  /** has no account: the name is given back some day (default: false) */
  guest?: boolean;
}

/** A seat at a table. */
export interface Chair {
  /** null: the seat is free */
  player?: Player | null;
  /** whether there is a connection (default: false) */
  online?: boolean;
}

/** How a game ended. */
export interface Result {
  /** null: a draw, or called off */
  winner: number | null;
  /** a reason of the game, or resigned, flag, agreed, repetition, abandoned, aborted */
  reason: string;
  /** by seat, in games that count points (default: []) */
  scores?: number[];
}

/** A seat's clock at the moment of the message. */
export type TimeLeft = [
  /** of the main time, or of the present period */
  main: Milliseconds,
  /** byoyomi: whole periods behind main; canadian: moves still to make, 0 in main time */
  count: Count,
];

/** A pick that has something to say, or after which the turn goes on. */
export type Pick = [
  /** what to pick */
  place: Count,
  /** "+7", "turns 4, takes +3" */
  label: string,
  /** "capture": takes what stands there; "crown": makes a king of it */
  kind: string,
  /** where to draw a pick that is not a cell */
  cell: number | null,
  /** the picks that follow; null: the turn is complete, unless `more` */
  then: Step | null,
  /** more picks follow, and explore asks for them */
  more: boolean,
];

/** One step of a half-chosen turn. */
export type Step = [
  /** an index into the prompts of the message */
  prompt: Count,
  /** a bare place: the turn is complete with it */
  picks: (number | Pick)[],
  /** from the scene of the room to what it looks like now; null: the same */
  look: SceneDiff | null,
];

/** Up to where a client knows a room. */
export type Standing = [
  /** which room */
  room: RoomId,
  /** with seq, the number of the update; see “Staying in step with a room” */
  epoch: Count,
  /** goes up by one with each update of the room */
  seq: Count,
];

/** A table that waits for a second player. */
export interface OpenSeek {
  /** its name */
  seek: string;
  /** who */
  player: Player;
  /** what is played, and how */
  terms: Terms;
  /** which one its maker takes (default: "any") */
  seat?: string;
  /** only for players from … to … */
  ratings?: [number, number] | null;
}

/** A game that can be watched. */
export interface LiveGame {
  /** which room */
  room: string;
  /** the key of a game */
  game: string;
  /** by seat */
  players: Player[];
  /** how time is kept (default: {}) */
  clock?: Clock;
  /** whether ratings change by it (default: false) */
  rated?: boolean;
  /** how many look on (default: 0) */
  watchers?: number;
  /** how many moves were made before (default: 0) */
  ply?: number;
  /** where this game is mentioned for the first time */
  board?: BoardSpec | null;
  /** what is on the board; null: not told */
  scene?: Scene | null;
}

/** A picture in the rules, as data: clients draw it like any board. */
export interface RulesExample {
  /** the target of the picture in the text */
  name: string;
  /** what stays the same on the board */
  board: BoardSpec;
  /** what is on the board */
  scene: Scene;
  /** what may be picked, where a turn is being chosen (default: []) */
  picks?: (number | Pick)[];
}

/** A move, the time it took, and what it changed in the scene. */
export type RecordedMove = [
  /** as the game writes it */
  move: string,
  /** how long the player thought */
  took: Milliseconds,
  /** what has changed in the scene */
  change: SceneDiff | null,
];

/** A finished game in a list. */
export interface GameLine {
  /** which room */
  room: string;
  /** the key of a game */
  game: string;
  /** with the ratings they had */
  players: (Player | null)[];
  /** how it ended */
  result: Result;
  /** how many moves were made */
  plies: number;
  /** when, since 1970 */
  ended: Milliseconds;
  /** whether ratings changed by it (default: false) */
  rated?: boolean;
  /** how time was kept (default: {}) */
  clock?: Clock;
}

/** A player in one game. */
export interface Standings {
  /** the key of a game */
  game: string;
  /** now */
  rating: number;
  /** the rating is within twice this, most likely */
  deviation: number;
  /** how many rated games (default: 0) */
  games?: number;
  /** how many of them (default: 0) */
  won?: number;
  /** how many of them (default: 0) */
  lost?: number;
  /** how many of them (default: 0) */
  drawn?: number;
  /** on the leaderboard, from 1 */
  place?: number | null;
  /** when, and the rating from then on; thinned out (default: []) */
  history?: [Milliseconds, number][];
}

/** A line of a leaderboard. */
export type Leader = [
  /** who */
  player: Player,
  /** how many rated games */
  games: number,
];

// -------------------- From the client: the connection

/**
 * The first message on every connection.
 *
 * Without a token it makes a new guest. With the token of an earlier welcome the same player goes on: for
 * every room listed the server sends what was missed, or the whole room, and the client then sends again
 * every command that has not been answered. Answered by welcome, or by refused without an id.
 */
export interface Hello {
  t: "hello";
  /** the program and its version (default: "unnamed") */
  client?: Name;
  /** from an earlier welcome; null: make me a new guest */
  token?: string | null;
  /** the rooms you follow, each with the point up to which you know it (default: []) */
  rooms?: Standing[];
  /** a wish for a new guest's name */
  name?: Name | null;
  /** false: do not send choices with each turn; a program that knows the rules saves them (default: true) */
  choices?: boolean;
}

/**
 * Are you there? Answered by pong with the same number. Also lets the server measure the way there and back.
 */
export interface Ping {
  t: "ping";
  /** any number (default: 0) */
  n?: Count;
}

// -------------------- From the client: who you are

/**
 * Keep a name: the guest you are becomes an account, with everything played so far.
 *
 * Answered by signed_in, with a token as good as the one you have.
 */
export interface Register {
  t: "register";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the one to keep */
  name: Name;
  /** at least eight characters */
  password: Password;
}

/**
 * Become a player who has an account. Answered by signed_in.
 *
 * This connection stays who it was: open another one and say hello with the new token.
 */
export interface SignIn {
  t: "sign_in";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** of the account */
  name: Name;
  /** of the account */
  password: Password;
}

/**
 * Forget the token of this connection, or all tokens of the player. Answered by ok.
 *
 * Every connection that used a forgotten token is closed then. A guest who signs out is gone for good.
 */
export interface SignOut {
  t: "sign_out";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** false: only the token of this connection (default: false) */
  everywhere?: boolean;
}

/** Change the password of an account. Other devices have to sign in again. Answered by ok. */
export interface ChangePassword {
  t: "change_password";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the one you have */
  old: Password;
  /** the one to have */
  new: Password;
}

/**
 * Make an account for a program of yours, labelled as a bot everywhere. Answered by signed_in with its token.
 *
 * The name of a bot that you have already gives a new token for it, and the old one ends. Only accounts have
 * bots.
 */
export interface MakeBot {
  t: "make_bot";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** of the bot */
  name: Name;
}

// -------------------- From the client: the lobby

/**
 * Begin or stop to follow open seeks and live games. Answered by ok; then lobby, and changes as they happen.
 */
export interface WatchLobby {
  t: "watch_lobby";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** false: stop (default: true) */
  on?: boolean;
}

/**
 * Put up a table that anybody can join. Answered by ok with the seek; paired follows when somebody accepts.
 *
 * It is gone with this connection. After a reconnect send the command again with the same id. The range of
 * ratings is about the rating for this game, of whoever wants to accept.
 */
export interface Seek {
  t: "seek";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what is played, and how */
  terms: Terms;
  /** which one you take (default: "any") */
  seat?: "any" | "first" | "second";
  /** only for players from … to … */
  ratings?: [number, number] | null;
}

/** Withdraw an own seek, invitation or place in the queue, or decline an invitation. Answered by ok. */
export interface Cancel {
  t: "cancel";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what ok named when it was made */
  seek: Name;
}

/** Play the maker of a seek, or of an invitation. Answered by ok with the room; both get paired. */
export interface Accept {
  t: "accept";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** its name, or the code of an invitation */
  seek: Name;
}

/**
 * Be paired with the next fitting player of about your strength. Answered by ok with the seek; paired
 * follows.
 *
 * The place in the queue is gone with this connection. After a reconnect send the command again with the same
 * id.
 */
export interface Queue {
  t: "queue";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what is played, and how */
  terms: Terms;
}

/** Invite one player by name, or whoever has the code. Answered by ok with the seek, which is the code. */
export interface Challenge {
  t: "challenge";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what is played, and how */
  terms: Terms;
  /** a player's name; null: whoever has the code */
  to?: Name | null;
  /** which one you take (default: "any") */
  seat?: "any" | "first" | "second";
  /** where to begin, as the game writes positions; null: at its own beginning */
  position?: string | null;
}

/** Open a table with the computer in one seat or in both. Answered by ok with the room. */
export interface Create {
  t: "create";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what is played, and how */
  terms: Terms;
  /** per seat: a level of the computer; null: you */
  levels: [string | null, string | null];
  /** where to begin, as the game writes positions; null: at its own beginning */
  position?: string | null;
}

// -------------------- From the client: at the table

/** Enter a room, to play if you have a seat in it and to watch otherwise. Answered by room. */
export interface Join {
  t: "join";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
}

/** Stop following a room. A player keeps the seat. Answered by ok. */
export interface Leave {
  t: "leave";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
}

/**
 * Ask for everything after a known point: for a gap, or with epoch 0 for the whole room after a wrong hash.
 *
 * Answered by ok, before which the missed updates come in order, or room.
 */
export interface Sync {
  t: "sync";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** as you know it; 0: send the whole room */
  epoch: Count;
  /** the last one you have */
  seq: Count;
}

/**
 * Make a whole turn, as text or as picks; the text counts if there are both.
 *
 * Answered by ok with its seq once it cannot be lost any more.
 */
export interface Play {
  t: "play";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** how many moves were made before, as the client knows it */
  ply: Count;
  /** the turn as the game writes it, or */
  move?: string | null;
  /** the turn as places: one of the two */
  picks?: Picks | null;
}

/** Ask what may be picked after some picks, where choices said more. Answered by choices. */
export interface Explore {
  t: "explore";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** how many moves were made before */
  ply: Count;
  /** those made so far; none: begin at the beginning */
  picks: Picks;
}

/**
 * Say who moves first, where the rules give this choice to the one who did not choose the board. Answered by
 * ok.
 */
export interface ChooseFirst {
  t: "choose_first";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** true: you; false: the opponent */
  me: boolean;
}

/** Offer a draw, ask for the last turn back, or offer another game. Answered by ok. */
export interface Offer {
  t: "offer";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** what to offer */
  what: "draw" | "takeback" | "rematch";
}

/** Accept or decline an offer, or withdraw the own one. Answered by ok. */
export interface AnswerOffer {
  t: "answer";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** which offer */
  what: "draw" | "takeback" | "rematch";
  /** false declines the opponent's, or withdraws your own */
  yes: boolean;
}

/** Give the game up. Answered by ok. */
export interface Resign {
  t: "resign";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
}

/** Call the game off before both sides have moved. Answered by ok. */
export interface Abort {
  t: "abort";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
}

/** Claim the win after the opponent has been away for long. Answered by ok. */
export interface Claim {
  t: "claim";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
}

/** Talk to everybody in the room. Answered by ok. */
export interface Say {
  t: "say";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** in plain text */
  text: string;
}

// -------------------- From the client: looking things up

/**
 * Ask the computer what it thinks of a position of a game: a hint, or a review. Answered by assessment.
 *
 * While a game is on, only its players may ask, only about the position in front of them, and not if it is
 * rated.
 */
export interface Assess {
  t: "assess";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** how many moves were made before */
  ply: Count;
}

/** Ask what a table of these terms would look like: for forms and editors. Answered by previewed. */
export interface Preview {
  t: "preview";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what is played, and how */
  terms: Terms;
  /** where to begin, as the game writes positions; null: at its own beginning */
  position?: string | null;
}

/** Ask for the rules of a game, as text for people. Answered by rules. */
export interface AskRules {
  t: "ask_rules";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the key of a game */
  game: Name;
}

/** Ask for the record of a game, running or finished. Answered by record. */
export interface AskRecord {
  t: "ask_record";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
}

/**
 * Have a record read that was saved before, as JSON or as text: it is checked and replayed. Answered by
 * record.
 */
export interface ReadRecord {
  t: "read_record";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what was saved */
  text: string;
}

/** Ask for finished games, newest first: of a player, against an opponent, of a game. Answered by games. */
export interface AskGames {
  t: "ask_games";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** a player's name; null: everybody's games */
  player?: Name | null;
  /** only together with a player */
  opponent?: Name | null;
  /** the key of a game; null: every game */
  game?: Name | null;
  /** the `more` of an earlier answer: go on from there (default: "") */
  before?: string;
}

/** Ask about a player: ratings with their history, and more. Answered by profile. */
export interface AskPlayer {
  t: "ask_player";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** whom to ask about */
  name: Name;
}

/** Ask for the strongest players of a game. Answered by leaders. */
export interface AskLeaders {
  t: "ask_leaders";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the key of a game */
  game: Name;
  /** how many to leave out at the top (default: 0) */
  first?: Count;
}

// -------------------- From the server: answers

/**
 * Done, and it will stay done. What the command made is named; a change in a room has the seq it got there.
 */
export interface Ok {
  t: "ok";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the number of the change in the room */
  seq?: Count | null;
  /** the room that was made */
  room?: RoomId | null;
  /** the seek, invitation or place in the queue that was made */
  seek?: Name | null;
}

/**
 * Not done, and why: a stable code, and a sentence for people. Without id: what was sent could not be read.
 */
export interface Refused {
  t: "refused";
  /** see “Errors”; there may be codes you do not know */
  code: string;
  /** a sentence to show */
  text: string;
  /** of the command; null: none could be read */
  id?: CommandId | null;
}

/** The answer to hello. */
export interface Welcome {
  t: "welcome";
  /** who you are here */
  you: Player;
  /** proves who you are; keep it secret, and give it with the next hello */
  token: string;
  /** the server's, since 1970 */
  time: Milliseconds;
  /** what can be played here */
  games: GameCard[];
  /** bytes of the largest message the server accepts */
  largest: Count;
  /** further addresses that serve the same rooms (default: []) */
  nodes?: string[];
  /** the program and its version (default: "") */
  server?: string;
}

/** The answer to register, sign_in and make_bot: who the token stands for. */
export interface SignedIn {
  t: "signed_in";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** who the token stands for */
  you: Player;
  /** keep it secret */
  token: string;
}

/** The answer to ping, with the newest seq of every room you follow: if you have less, something was lost. */
export interface Pong {
  t: "pong";
  /** that of the ping (default: 0) */
  n?: Count;
  /** every room you follow, each with its newest number (default: []) */
  rooms?: Standing[];
}

/**
 * The server is about to close this connection. Everything acknowledged is safe; go on at another address.
 */
export interface Closing {
  t: "closing";
  /** the close code that will follow */
  code: number;
  /** why, as a sentence */
  text: string;
  /** other addresses that serve the same rooms (default: []) */
  nodes?: string[];
}

// -------------------- From the server: the lobby

/** Everything open and everything live. `n` counts changes; lobby_changed goes on from it. */
export interface Lobby {
  t: "lobby";
  /** the number of this state of the lobby */
  n: Count;
  /** the tables that wait */
  seeks: OpenSeek[];
  /** the games that can be watched */
  live: LiveGame[];
  /** the room of the game most worth watching (default: "") */
  featured?: string;
  /** how many players are here (default: 0) */
  online?: Count;
}

/**
 * What has changed in the lobby, several changes at a time. If `n` skips a number, ask again with
 * watch_lobby.
 */
export interface LobbyChanged {
  t: "lobby_changed";
  /** one more than the last one */
  n: Count;
  /** new (default: []) */
  seeks?: OpenSeek[];
  /** the names of seeks that are no more (default: []) */
  seeks_gone?: string[];
  /** new or changed (default: []) */
  live?: LiveGame[];
  /** the rooms of games that are over (default: []) */
  live_gone?: string[];
  /** where it has changed */
  featured?: string | null;
  /** how many players are here; null: as before */
  online?: Count | null;
}

/** Somebody invites you. Take it with accept, decline it with cancel; after ten minutes it is gone. */
export interface Challenged {
  t: "challenged";
  /** what to accept */
  seek: string;
  /** who */
  player: Player;
  /** what is played, and how */
  terms: Terms;
}

/**
 * An invitation to one player is no more: the player who was invited declined, or else its maker withdrew it.
 */
export interface InviteGone {
  t: "invite_gone";
  /** that cannot be accepted any more */
  seek: string;
  /** this is told to its maker; otherwise to the one who was invited (default: false) */
  declined?: boolean;
}

/** A game has been made for you: join the room. Comes again after a reconnect while the game is on. */
export interface Paired {
  t: "paired";
  /** which room */
  room: RoomId;
  /** yours */
  seat: Seat;
  /** the seek, invitation or queue that led here */
  seek?: string | null;
}

// -------------------- From the server: at the table

/**
 * A room as a whole: the answer to join, and what comes when the missed updates are not to be had any more.
 *
 * The clock of the seat to move runs once two moves have been made: the first move of each side is free.
 */
export interface Room {
  t: "room";
  /** which room */
  room: RoomId;
  /** with seq, the number of the last update in it */
  epoch: Count;
  /** goes up by one with each update of the room */
  seq: Count;
  /** of the scene; see “The hash of a scene” */
  hash: Count;
  /** what stays the same on the board */
  board: BoardSpec;
  /** what is on the board now */
  scene: Scene;
  /** what is played, and how */
  terms: Terms;
  /** by seat */
  chairs: Chair[];
  /** waiting, choosing (who moves first), playing or over */
  status: string;
  /** so far, as text */
  moves: string[];
  /** of the join or sync that asked for it */
  id?: CommandId | null;
  /** yours; null: you watch */
  seat?: Seat | null;
  /** by seat; none without time limits (default: []) */
  clocks?: TimeLeft[];
  /** open offers, each as "seat:what": "0:draw" (default: []) */
  offers?: string[];
  /** how the game ended; null: it goes on */
  result?: Result | null;
  /** how many look on (default: 0) */
  watchers?: Count;
  /** the room of the rematch */
  next?: RoomId | null;
  /** how long the present turn has lasted while its clock was on (default: 0) */
  lasted?: Milliseconds;
  /** while the status is choosing: who says who moves first */
  chooser?: Seat | null;
}

/**
 * A move was made. An array that begins with the number 0, then in this order.
 *
 * Apply it only if epoch is the one you have and seq is the next number; compare the hash of the scene
 * afterwards.
 */
export type Moved = [
  t: 0,
  /** which room */
  room: RoomId,
  /** with seq, the number of the update; see “Staying in step with a room” */
  epoch: Count,
  /** goes up by one with each update of the room */
  seq: Count,
  /** of the scene after this; see “The hash of a scene” */
  hash: Count,
  /** as the game writes it */
  move: string,
  /** left to the seat that moved; a bare number where `count` would be 0 */
  clock: Milliseconds | TimeLeft | null,
  /** what has changed in the scene */
  change: SceneDiff,
];

/** Anything else that belongs to the history of a game. Numbered, checked and repaired like moved. */
export interface Happened {
  t: "happened";
  /** which room */
  room: RoomId;
  /** with seq, the number of the update; see “Staying in step with a room” */
  epoch: Count;
  /** goes up by one with each update of the room */
  seq: Count;
  /** of the scene after this; see “The hash of a scene” */
  hash: Count;
  /** see “Staying in step with a room”; apply one that you do not know like any other */
  what: string;
  /** who did it */
  seat?: Seat | null;
  /** offered, declined, withdrawn: draw, takeback or rematch */
  offer?: string | null;
  /** of the room, where it has changed */
  status?: string | null;
  /** who has which seat now, where that has changed */
  chairs?: Chair[] | null;
  /** taken_back: how many moves are left */
  plies?: Count | null;
  /** rematch: the room of the next game */
  next?: RoomId | null;
  /** ended: how */
  result?: Result | null;
  /** by seat; null: as before */
  clocks?: TimeLeft[] | null;
  /** what has changed in the scene; null: nothing */
  change?: SceneDiff | null;
}

/**
 * What you may pick now. Comes to the seat to move with the turn, after a whole room, and after a resume.
 *
 * Not to a connection whose hello has declined it. Also the answer to explore.
 */
export interface Choices {
  t: "choices";
  /** which room */
  room: RoomId;
  /** how many moves were made before */
  ply: Count;
  /** the first step */
  step: Step;
  /** the lines that the steps refer to */
  prompts: string[];
  /** of the explore that asked for it */
  id?: CommandId | null;
  /** the picks already made, in an answer to explore (default: []) */
  picks?: Count[];
}

/** Who is here. Not part of the history, so it has no number; the newest counts. */
export interface Presence {
  t: "presence";
  /** which room */
  room: RoomId;
  /** by seat */
  online: boolean[];
  /** how many look on (default: 0) */
  watchers?: Count;
  /** until the one who is here may claim the win */
  claim_in?: Milliseconds | null;
}

/** Somebody talks. The text is data: show it as it is, never as markup. */
export interface Said {
  t: "said";
  /** which room */
  room: RoomId;
  /** of whoever talks */
  name: string;
  /** in plain text */
  text: string;
  /** when, since 1970 (default: 0) */
  at?: Milliseconds;
  /** null: a watcher */
  seat?: Seat | null;
}

/** A rated game was counted. Comes once, soon after the end, to whoever is in the room then. */
export interface Rated {
  t: "rated";
  /** which room */
  room: RoomId;
  /** by seat, from now on; the room has those before */
  ratings: number[];
}

// -------------------- From the server: looked up

/** What the computer thinks of a position. */
export interface Assessment {
  t: "assessment";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** how many moves were made before */
  ply: Count;
  /** whose turn it is */
  seat: Seat;
  /** that this seat wins, in thousandths; a draw counts half */
  chance: Count;
  /** the best one found */
  move: string;
  /** the same */
  picks: Count[];
  /** how it would go on, with the best move first (default: []) */
  line?: string[];
  /** in the game's own units, for the seat to move (default: 0) */
  score?: number;
}

/** What a table would look like. */
export interface Previewed {
  t: "previewed";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** what stays the same on the board */
  board: BoardSpec;
  /** what would be on the board */
  scene: Scene;
}

/** The rules of a game, in Markdown, with the boards that they show. */
export interface Rules {
  t: "rules";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the key of a game */
  game: string;
  /** in Markdown */
  text: string;
  /** the boards that the text shows (default: []) */
  examples?: RulesExample[];
}

/** A game from its beginning. */
export interface Record {
  t: "record";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** which room */
  room: RoomId;
  /** what is played, and how */
  terms: Terms;
  /** complete, with the seed where there is one */
  options: { [key: string]: OptionValue };
  /** by seat; null: nobody any more */
  players: (Player | null)[];
  /** all of them */
  moves: RecordedMove[];
  /** of the rules it was played by */
  rules_version: Count;
  /** what stays the same on the board */
  board: BoardSpec;
  /** before the first move */
  first: Scene;
  /** where it began, if not at the game's own beginning */
  position?: string | null;
  /** how the game ended; null: it goes on */
  result?: Result | null;
  /** when, since 1970 (default: 0) */
  started?: Milliseconds;
  /** 0 while the game is on (default: 0) */
  ended?: Milliseconds;
  /** hashes over everything before: a mark for each move, and the last link; empty while it is on (default: "") */
  chain?: string;
  /** the same record as text that people can read, and read_record too; empty while the game is on (default: "") */
  text?: string;
}

/** Finished games, newest first. */
export interface Games {
  t: "games";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the newest first */
  rows: GameLine[];
  /** give it as `before` to go on; empty: that was all (default: "") */
  more?: string;
}

/** A player, as everybody may see him. */
export interface Profile {
  t: "profile";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** who */
  player: Player;
  /** when the player came first, since 1970 */
  since: Milliseconds;
  /** whether the player is here now (default: false) */
  online?: boolean;
  /** one for each game that was played with ratings (default: []) */
  ratings?: Standings[];
  /** of a bot */
  owner?: string | null;
  /** the bots of this player (default: []) */
  bots?: string[];
  /** rooms that anybody may watch (default: []) */
  playing?: string[];
}

/** The strongest players of a game. */
export interface Leaders {
  t: "leaders";
  /** of the command: new for each, the same when it is sent again */
  id: CommandId;
  /** the key of a game */
  game: string;
  /** how many were left out at the top */
  first: Count;
  /** the strongest first */
  rows: Leader[];
}

// -------------------- The two unions

/** Whatever a client sends. */
export type ClientMessage =
  | Hello
  | Ping
  | Register
  | SignIn
  | SignOut
  | ChangePassword
  | MakeBot
  | WatchLobby
  | Seek
  | Cancel
  | Accept
  | Queue
  | Challenge
  | Create
  | Join
  | Leave
  | Sync
  | Play
  | Explore
  | ChooseFirst
  | Offer
  | AnswerOffer
  | Resign
  | Abort
  | Claim
  | Say
  | Assess
  | Preview
  | AskRules
  | AskRecord
  | ReadRecord
  | AskGames
  | AskPlayer
  | AskLeaders;

/** Whatever a server sends as a map. */
export type ServerMap =
  | Ok
  | Refused
  | Welcome
  | SignedIn
  | Pong
  | Closing
  | Lobby
  | LobbyChanged
  | Challenged
  | InviteGone
  | Paired
  | Room
  | Happened
  | Choices
  | Presence
  | Said
  | Rated
  | Assessment
  | Previewed
  | Rules
  | Record
  | Games
  | Profile
  | Leaders;

/** Whatever a server sends: an array is `Moved`. */
export type ServerMessage = ServerMap | Moved;
