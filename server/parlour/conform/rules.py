"""All rules, each with a stable key for programs and a sentence for people.

`server_checks` checks the rules of a server, `client_monitor` and `client_faults` those of a client, by the same keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from parlour.conform.profiles import EVERY, IN_ROOMS, PLAYING, Profile

# Increases with every rule that is added or made stricter, so that a certificate says what was checked.
KIT_VERSION = 2


class Rule(Struct, frozen=True):
    key: str
    sentence: str
    profiles: tuple[Profile, ...] = EVERY  # the clients that keep it, or that need it of a server


def of_profile(rules: Iterable[Rule], profile: Profile | None) -> list[Rule]:
    """Return the rules of a profile, or all rules."""
    return [rule for rule in rules if profile is None or profile in rule.profiles]


def listing(rules: Sequence[Rule], profile: Profile | None) -> str:
    """Return the rules of one profile or of each, for people."""
    profiles = EVERY if profile is None else (profile,)
    width = max(len(rule.key) for rule in rules) + 2
    parts = []
    for each in profiles:
        listed = [f"  {rule.key:<{width}}{rule.sentence}" for rule in of_profile(rules, each)]
        parts.append("\n".join([f"{each}: {each.purpose} ({len(listed)} rules)", *listed]))
    return "\n\n".join(parts)


SERVER_RULES = (
    # -- always
    Rule("readable", "Everything the server sends is a message of the documented form."),
    Rule("one-answer", "No command gets more answers than the number of times it was sent."),
    Rule("numbers", "The updates of a room follow each other by one, in one epoch.", IN_ROOMS),
    Rule("hashes", "Every hash is the one of the scene that the client then has.", IN_ROOMS),
    # -- the connection
    Rule("subprotocol", "The server chooses the subprotocol that the client offers."),
    Rule("welcome", "Hello is answered by welcome with a name, a token, the games and the largest message size."),
    Rule("token", "Hello with the token of an earlier welcome continues as the same player."),
    Rule("session", "Hello with the session of an earlier welcome continues it; without one, a new session begins."),
    Rule("token-unknown", "An unknown token is refused with token_unknown, and another hello may follow."),
    Rule("hello-first", "A command before hello is refused with hello_first."),
    Rule("hello-once", "A second hello is refused with hello_first, and the connection stays open."),
    Rule("ping", "A ping is answered by pong with the same number."),
    # -- frames
    Rule(
        "message-unknown", "An unknown message is refused with message_unknown and its id; the connection stays open."
    ),
    Rule("fields-unknown", "Fields that the server does not know are ignored."),
    Rule(
        "frame-malformed", "A frame that is not a message is refused with request_malformed; the connection stays open."
    ),
    Rule("field-malformed", "A missing or wrong field is refused with request_malformed and the id of the command."),
    Rule("too-large", "A message of the largest size is accepted; a larger one is refused with request_too_large."),
    Rule("both-subprotocols", "The msgpack and the JSON subprotocol carry the same messages.", IN_ROOMS),
    # -- finding a table
    Rule("game-unknown", "An unknown game is refused with game_unknown.", PLAYING),
    Rule(
        "option-refused",
        "Unknown options are refused with option_unknown, unknown values with option_invalid.",
        PLAYING,
    ),
    Rule("queue", "Queue is answered by ok with a seek; then paired names the room and the seat.", PLAYING),
    Rule("paired-again", "Paired is sent again after a reconnect during the game.", PLAYING),
    Rule("join", "Join is answered by room, whole and with the player's seat.", IN_ROOMS),
    Rule("room-unknown", "An unknown room is refused with room_unknown.", IN_ROOMS),
    Rule("not-in-room", "A command for a room that the client has not joined is refused with not_in_room.", IN_ROOMS),
    Rule("watch", "A spectator gets every update and no choices.", (Profile.SPECTATOR,)),
    Rule("not-a-player", "A turn of a spectator is refused with not_a_player.", (Profile.SPECTATOR,)),
    # -- turns
    Rule("choices", "The seat to move, and no other, gets choices; a walk through them is a legal turn.", PLAYING),
    Rule("declined", "After a hello that declines choices, none are sent unasked, but explore still works.", PLAYING),
    Rule("explore", "Explore is answered by the choices that follow the given picks.", PLAYING),
    Rule("play", "Play is answered by ok with a seq, and both players get moved with that seq.", PLAYING),
    Rule("play-text", "A turn can be given as text or as picks.", PLAYING),
    Rule("repeat", "A command sent again with its id gets the same answer and is executed once.", PLAYING),
    Rule("id-reused", "A different command with an id that the session has used is refused with id_reused.", PLAYING),
    Rule(
        "sessions-apart",
        "Commands of two connections of one player are kept apart, even if they have the same ids.",
        PLAYING,
    ),
    Rule("ok-epoch", "The ok of a turn has the epoch and the seq of its update.", PLAYING),
    Rule("stale-ply", "A turn for another ply than the current one is refused with stale_ply.", PLAYING),
    Rule("not-your-turn", "A turn of the player who does not have the move is refused with not_your_turn.", PLAYING),
    Rule("move-illegal", "Picks that the rules do not allow are refused with move_illegal.", PLAYING),
    Rule("move-malformed", "A text that is not a move is refused with move_malformed.", PLAYING),
    # -- staying in step
    Rule("sync-missed", "Sync is answered by the missed updates in order and then ok, or by the whole room.", IN_ROOMS),
    Rule("sync-current", "Sync from the newest update is answered by ok alone.", IN_ROOMS),
    Rule("sync-whole", "Sync with epoch 0 is answered by the whole room.", IN_ROOMS),
    Rule("pong-cursors", "Pong lists the newest seq of every room that the client has joined.", IN_ROOMS),
    Rule("resume-missed", "After a reconnect every update since the cursor is sent once, or the whole room.", IN_ROOMS),
    Rule("resume-current", "After a reconnect nothing is sent again if no update was missed.", IN_ROOMS),
    Rule("resume-unanswered", "A command sent again after a reconnect is answered, and was executed once.", PLAYING),
    # -- around the board
    Rule("say", "A chat message reaches everyone in the room.", IN_ROOMS),
    Rule("leave", "After leave no more updates are sent, and a player keeps the seat.", IN_ROOMS),
    Rule("offer", "A draw can be offered and declined, and the game continues.", PLAYING),
    Rule("nothing-offered", "An answer to no offer is refused with nothing_offered.", PLAYING),
    Rule("abort", "A game can be aborted before both players have moved.", PLAYING),
    Rule("too-late-to-abort", "After both players have moved, abort is refused with too_late_to_abort.", PLAYING),
    Rule("resign", "A player who resigns loses, and everyone in the room gets the result.", PLAYING),
    Rule("whole-game", "A whole game can be played and ends with a result.", PLAYING),
    Rule("game-over", "A turn after the end is refused with game_over.", PLAYING),
    # -- offers, and who moves first
    Rule("takeback", "A takeback that is accepted restores the position, and the player chooses again.", PLAYING),
    Rule(
        "offer-refused",
        "A takeback before the player's first move, and a rematch during the game, are refused.",
        PLAYING,
    ),
    Rule("withdrawn", "A player can withdraw an offer.", PLAYING),
    Rule("draw", "A draw that is accepted ends the game without a winner, as agreed.", PLAYING),
    Rule("rematch", "A rematch that is accepted is a new room with the seats swapped.", PLAYING),
    Rule("choose-first", "The player who did not design the board chooses who moves first.", PLAYING),
    Rule("not-started", "A turn before that is refused with game_not_started.", PLAYING),
    # -- several connections
    Rule("two-connections", "Both connections of one player get every update, and each can play.", PLAYING),
    Rule(
        "presence", "The opponent is told when the last connection of a player is lost, and when one is back.", PLAYING
    ),
    # -- clocks
    Rule("clock", "Clocks begin with the agreed time, and every move tells what the player has left.", PLAYING),
    Rule(
        "clock-invalid", "A clock of an unknown kind or with impossible times is refused with clock_invalid.", PLAYING
    ),
    Rule("flag", "A player whose time runs out loses, without any command.", PLAYING),
    Rule("claim-refused", "A claim against a connected opponent is refused with cannot_claim.", PLAYING),
    Rule("claim", "Presence says when a claim is possible; before, it is refused, and then it wins.", PLAYING),
    # -- the lobby
    Rule("lobby", "Watch_lobby is answered by ok, and lobby with all open seeks follows.", (Profile.LOBBY,)),
    Rule("lobby-numbers", "The changes of the lobby follow each other by one.", (Profile.LOBBY,)),
    Rule("lobby-live", "A running game is listed, and removed when it is over.", (Profile.LOBBY, Profile.SPECTATOR)),
    Rule("lobby-off", "After watch_lobby with on false no more changes are sent.", (Profile.LOBBY,)),
    Rule(
        "seek",
        "A seek can be accepted; both players are paired by it into one room, with different seats.",
        (Profile.LOBBY,),
    ),
    Rule("seek-seat", "The creator of a seek gets the seat that it asks for.", (Profile.LOBBY,)),
    Rule("own-seek", "Accept of the player's own seek is refused with own_seek.", (Profile.LOBBY,)),
    Rule("seek-gone", "Accept of a seek that was accepted is refused with seek_gone.", (Profile.LOBBY,)),
    Rule("cancel", "Cancel removes a seek from the lobby, and it cannot be accepted any more.", (Profile.LOBBY,)),
    Rule("queue-cancel", "Cancel gives up a place in the queue.", (Profile.PLAYER,)),
    Rule("seek-ends", "A seek ends with its connection.", (Profile.LOBBY,)),
    Rule(
        "seek-again",
        "A seek that is sent again after a reconnect, with the same id, is the same seek.",
        (Profile.LOBBY,),
    ),
    # -- challenges and the computer
    Rule("challenge", "A challenge by name reaches the player, who can accept it.", (Profile.BOT,)),
    Rule("challenge-waits", "A challenge made while the player is offline is sent after hello.", (Profile.BOT,)),
    Rule("challenge-code", "A challenge to no player can be accepted by anyone who has its code.", (Profile.BOT,)),
    Rule(
        "challenge-other", "A challenge to one player is refused to another one, with invite_unknown.", (Profile.BOT,)
    ),
    Rule("challenge-declined", "A challenge that is declined is closed, and its creator is told.", (Profile.BOT,)),
    Rule(
        "challenge-withdrawn",
        "A challenge that is withdrawn is closed, and the challenged player is told.",
        (Profile.BOT,),
    ),
    Rule(
        "player-unknown", "A challenge to a player who does not exist is refused with player_unknown.", (Profile.BOT,)
    ),
    Rule("create", "Create makes a room in which the computer has a seat, and plays.", (Profile.PLAYER,)),
    Rule("level-unknown", "Create with an unknown level is refused with level_unknown.", (Profile.PLAYER,)),
    # -- accounts
    Rule(
        "register", "Register makes the guest an account; the new token and the old one are the same player.", PLAYING
    ),
    Rule("name-taken", "Register with a name that is taken is refused with name_taken.", PLAYING),
    Rule("sign-in", "Sign_in is answered by a token of the account, and does not change the connection.", PLAYING),
    Rule("sign-in-refused", "Sign_in with a wrong password is refused with sign_in_refused.", PLAYING),
    Rule("sign-out", "Sign_out ends this token: the connection is closed with 4004, and the token unknown.", PLAYING),
    Rule("sign-out-everywhere", "Sign_out everywhere ends the other tokens of the player too.", PLAYING),
    Rule(
        "create-bot",
        "An account can create a bot, which is labelled as one; a guest is refused with account_needed.",
        (Profile.BOT,),
    ),
    # -- records
    Rule("record", "The record of a finished game has its players, moves and result.", IN_ROOMS),
    Rule(
        "read-record", "The text of a record can be read back; an altered one is refused with record_broken.", IN_ROOMS
    ),
    Rule("record-unknown", "Get_record of no game is refused with record_unknown.", IN_ROOMS),
    Rule("games", "List_games lists a finished game once, with its result.", IN_ROOMS),
    Rule("profile", "Get_profile is answered by the player's profile; an unknown name is refused with player_unknown."),
    Rule("rated", "A rated game is counted: the loser does not gain, and the winner does not lose.", PLAYING),
    # -- close codes
    Rule("no-hello", "A connection without hello is closed with 4000."),
    Rule("much-too-large", "After a much larger message than allowed the connection is closed with 1009."),
    Rule("flood", "Far too many messages are refused with too_fast, or the connection is closed with 4002."),
    # -- a kill of the server, with --restart
    Rule("restart-player", "After a kill, the token is still that of the same player, with the same seat.", PLAYING),
    Rule("restart-turn", "After a kill, every turn that was acknowledged is in the room.", PLAYING),
    Rule("restart-repeat", "After a kill, a turn sent again is answered, and not executed twice.", PLAYING),
    Rule("restart-result", "After a kill, a game that had ended has its result.", IN_ROOMS),
)

CLIENT_RULES = (
    # -- always
    Rule("subprotocol", "Offers a subprotocol of Parlour on every connection."),
    Rule("hello-first", "Says hello first on every connection, and only once."),
    Rule("waits-for-welcome", "Sends nothing between hello and welcome."),
    Rule("well-formed", "Sends only messages of the documented form."),
    Rule("fresh-ids", "Never uses one id for two different commands in a session."),
    Rule("legal", "Plays only when it has the move, and only turns from the choices.", PLAYING),
    Rule("no-flood", "Sends at most twenty messages per second more than it receives."),
    # -- what the profile does
    Rule("plays", "Queues, joins, plays a whole game and exits with 0.", (Profile.PLAYER,)),
    Rule(
        "watches", "Joins the room, follows the game without a turn of its own, and exits with 0.", (Profile.SPECTATOR,)
    ),
    Rule("meets", "Follows the lobby, accepts a seek for the game, joins the room and exits with 0.", (Profile.LOBBY,)),
    Rule(
        "takes-challenge",
        "Uses the token that it was given, accepts a challenge, plays and exits with 0.",
        (Profile.BOT,),
    ),
    Rule("explores", "Sends explore for picks that did not fit into choices.", PLAYING),
    # -- lost connections
    Rule("reconnects-early", "Reconnects when the connection is lost before welcome."),
    Rule(
        "queues-again", "Queues again, with the same id, when the connection is lost before paired.", (Profile.PLAYER,)
    ),
    Rule("reconnects-later", "Reconnects when the connection is lost after that."),
    Rule("resumes", "Sends its token in the hello of every later connection."),
    Rule("continues-session", "Sends the session of its last welcome in that hello."),
    Rule("stands", "Sends the cursor of the room in that hello.", IN_ROOMS),
    Rule("resends", "Sends every unanswered command again, with the same id and before any other turn.", PLAYING),
    Rule(
        "takes-room",
        "Continues from a whole room with a newer epoch that is sent instead of the missed updates.",
        IN_ROOMS,
    ),
    # -- timing
    Rule("pings", "Pings on a quiet connection at least every ten seconds."),
    Rule("notices-silence", "Reconnects when nothing has arrived for 25 seconds, though no command is unanswered."),
    Rule(
        "leaves-silence",
        "Reconnects within ten seconds when the server stops answering on an open connection.",
        PLAYING,
    ),
    Rule("leaves-unanswered", "Reconnects within 25 seconds when the server answers pings, but not a turn.", PLAYING),
    Rule(
        "backs-off",
        "Waits before each attempt to connect, longer after each that fails, and at most about five seconds.",
    ),
    # -- other nodes
    Rule("fails-over", "Connects to one of the nodes in welcome when the first address is gone."),
    Rule("follows-closing", "Connects to one of the nodes in closing when the first address is gone."),
    # -- close codes
    Rule("reconnects-restart", "Reconnects after closing and a close with code 1012."),
    Rule(
        "reconnects-closed",
        "Reconnects after a close with 1001, 1013, 4000, 4001, 4002, 4005, or a code it does not know.",
    ),
    Rule("taken-over", "Does not reconnect after a close with 4003."),
    Rule("signed-out", "Does not reconnect after a close with 4004."),
    # -- hello that is refused
    Rule(
        "token-unknown",
        "Says hello without token and session on the same connection when its token is unknown.",
        (Profile.PLAYER,),
    ),
    Rule("hello-later", "Reconnects later, on another connection, when hello was refused with try_again."),
    Rule("hello-refused", "Does not reconnect when hello was refused with a code that rules out a retry."),
    # -- lost, repeated and wrong updates
    Rule("ignores-repeats", "Ignores updates that it already has.", IN_ROOMS),
    Rule("ignores-old-epochs", "Ignores updates of an older epoch.", IN_ROOMS),
    Rule("asks-for-missed", "Sends sync with its cursor when an update is missing.", IN_ROOMS),
    Rule("syncs-once", "Sends one sync at a time for a room, however many updates follow the missing one.", IN_ROOMS),
    Rule("compares-pong", "Sends sync when pong lists a newer update than has arrived.", IN_ROOMS),
    Rule(
        "asks-for-whole",
        "Asks for the whole room, with epoch 0, when its scene does not match the hash of an update.",
        IN_ROOMS,
    ),
    Rule("checks-hash", "Does the same when only the hash of an update is wrong.", IN_ROOMS),
    Rule("checks-event", "Does the same when the hash of an event is wrong.", IN_ROOMS),
    Rule("checks-room", "Does the same when a room does not match its hash.", IN_ROOMS),
    Rule("checks-epoch", "Does the same when an update has a newer epoch, and does not apply it.", IN_ROOMS),
    # -- refusals
    Rule("tries-again", "Sends a turn again, with the same id, after it was refused with try_again.", PLAYING),
    Rule("retries-later", "Waits a second before that.", PLAYING),
    Rule("retry-after", "Waits as long as retry_after says, if that is longer.", PLAYING),
    Rule("chooses-again", "Continues with a new id after a turn was refused with stale_ply.", PLAYING),
    # -- events of the game
    Rule("takeback", "Plays again when its own turn was taken back.", PLAYING),
    Rule("takeback-watched", "Follows the game when a turn is taken back.", (Profile.SPECTATOR,)),
    Rule("events-unknown", "Applies number, change and hash of an event of a kind that it does not know.", IN_ROOMS),
    Rule(
        "other-connection", "Accepts a turn of its own seat that another connection of the player has played.", PLAYING
    ),
    Rule("clocks", "Plays with clocks, whatever form they have.", PLAYING),
    Rule("flag", "Accepts that the game is over while it has the move.", PLAYING),
    # -- the lobby
    Rule("lobby-gap", "Sends watch_lobby again when a lobby_changed is missing.", (Profile.LOBBY,)),
    Rule("lobby-again", "Sends watch_lobby again after a reconnect.", (Profile.LOBBY,)),
    Rule("lobby-game", "Does not accept a seek for another game.", (Profile.LOBBY,)),
    Rule("seek-gone", "Accepts another seek when the first was gone.", (Profile.LOBBY,)),
    Rule("accept-again", "Sends accept again, with the same id, when it was not answered.", (Profile.LOBBY,)),
    # -- challenges
    Rule(
        "challenge-closed", "Does not give up when a challenge was withdrawn, and accepts the next one.", (Profile.BOT,)
    ),
    Rule(
        "challenge-again",
        "Sends the accept of a challenge again, with the same id, when it was not answered.",
        (Profile.BOT,),
    ),
    # -- growth and talk
    Rule("fields-unknown", "Ignores fields that it does not know."),
    Rule("items-unknown", "Ignores items at the end of an array that it does not know.", IN_ROOMS),
    Rule("messages-unknown", "Ignores messages that it does not know."),
    Rule("talk", "Accepts presence, said, announced and rated at any time.", IN_ROOMS),
)
