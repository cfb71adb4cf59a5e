"""Every rule that is checked, with a stable key for programs and one sentence for people.

How a server's rule is checked stands under the same key in `server_checks`, a client's in `witness` or `client_faults`.
"""

from __future__ import annotations

from msgspec import Struct


class Rule(Struct, frozen=True):
    key: str
    sentence: str


SERVER_RULES = (
    # -- always
    Rule("readable", "Everything the server sends is a message of the documented form."),
    Rule("one-answer", "No command gets more answers than the number of times it was sent."),
    Rule("numbers", "The updates of a room follow each other by one, in one epoch."),
    Rule("hashes", "Every hash is the one of the scene that the client then has."),
    # -- the connection
    Rule("subprotocol", "The server chooses the subprotocol that the client offers."),
    Rule("welcome", "Hello is answered by welcome with a name, a token, games and the largest size of a message."),
    Rule("token", "Hello with the token of an earlier welcome lets the same player go on."),
    Rule("token-unknown", "An unknown token is refused with token_unknown, and another hello may follow."),
    Rule("hello-first", "A command before hello is refused with hello_first."),
    Rule("hello-once", "A second hello is refused with hello_first, and the connection stays."),
    Rule("ping", "A ping is answered by pong with the same number."),
    # -- frames
    Rule("message-unknown", "An unknown message is refused with message_unknown and its id, and the connection stays."),
    Rule("fields-unknown", "Fields that the server does not know are ignored."),
    Rule("frame-malformed", "A frame that is no message is refused with request_malformed, and the connection stays."),
    Rule("field-malformed", "A missing or wrong field is refused with request_malformed and the id of the command."),
    Rule("too-large", "A message of the largest size is read, a larger one refused with request_too_large."),
    Rule("both-forms", "The msgpack and the JSON subprotocol carry the same messages."),
    # -- finding a table
    Rule("game-unknown", "A game that is not there is refused with game_unknown."),
    Rule("option-refused", "Unknown options are refused with option_unknown, unknown values with option_invalid."),
    Rule("queue", "Queue is answered by ok with a seek; then paired names the room and the seat."),
    Rule("paired-again", "After a reconnect paired comes again while the game is on."),
    Rule("join", "Join is answered by room, whole and with the player's seat."),
    Rule("room-unknown", "A room that is not there is refused with room_unknown."),
    Rule("not-in-room", "A command for a room that was not joined is refused with not_in_room."),
    Rule("watch", "Who joins without a seat sees every update and gets no choices."),
    Rule("not-a-player", "A watcher who plays is refused with not_a_player."),
    # -- turns
    Rule("choices", "The seat to move, and no other, gets choices; a walk through them is a legal turn."),
    Rule("declined", "Where hello has declined choices none come unasked, and explore still brings them."),
    Rule("explore", "Explore is answered by the choices that follow the given picks."),
    Rule("play", "Play is answered by ok with a seq, and moved with that seq comes to both players."),
    Rule("play-text", "A turn may be given as text as well as by picks."),
    Rule("repeat", "A command sent again with its id gets the same answer and is carried out once."),
    Rule("stale-ply", "A turn for another ply than the present one is refused with stale_ply."),
    Rule("not-your-turn", "A turn of the player who does not have the move is refused with not_your_turn."),
    Rule("move-illegal", "Picks that the rules do not allow are refused with move_illegal."),
    Rule("move-malformed", "A text that is no move is refused with move_malformed."),
    # -- staying in step
    Rule("sync-missed", "Sync brings the missed updates in order and then ok, or the whole room."),
    Rule("sync-current", "Sync from the newest update brings ok and no update."),
    Rule("sync-whole", "Sync with epoch 0 is answered by the whole room."),
    Rule("pong-standings", "Pong names the newest seq of every room that the connection follows."),
    Rule("resume-missed", "After a reconnect every update since the standing comes once, or the whole room."),
    Rule("resume-current", "After a reconnect nothing comes again to who has missed nothing."),
    Rule("resume-unanswered", "A command sent again after a reconnect is answered, and was carried out once."),
    # -- around the board
    Rule("say", "What is said reaches everybody in the room."),
    Rule("leave", "Who has left a room gets no more updates, and a player keeps the seat."),
    Rule("offer", "A draw can be offered and declined, and the game goes on."),
    Rule("nothing-offered", "An answer to no offer is refused with nothing_offered."),
    Rule("abort", "A game can be called off before both sides have moved."),
    Rule("too-late-to-abort", "When both sides have moved, abort is refused with too_late_to_abort."),
    Rule("resign", "Who resigns has lost, and everybody is told the result."),
    Rule("whole-game", "A whole game can be played and ends with a result."),
    Rule("game-over", "A turn after the end is refused with game_over."),
)

CLIENT_RULES = (
    # -- always
    Rule("subprotocol", "Offers a subprotocol of Parlour on every connection."),
    Rule("hello-first", "Says hello first on every connection, and only once."),
    Rule("waits-for-welcome", "Sends nothing after hello until welcome has come."),
    Rule("well-formed", "Sends only messages of the documented form."),
    Rule("fresh-ids", "Never uses one id for two different commands."),
    Rule("legal", "Plays only when it has the move, and only turns that were offered."),
    # -- a game
    Rule("plays", "Queues, joins, plays a whole game and exits with 0."),
    Rule("explores", "Asks with explore for picks that did not fit into choices."),
    # -- lost connections
    Rule("reconnects-early", "Connects again when the connection is lost before welcome."),
    Rule("queues-again", "Queues again, with the same id, when the connection is lost before it was paired."),
    Rule("reconnects-later", "Connects again when the connection is lost in the opponent's turn."),
    Rule("reconnects-restart", "Connects again after closing and a close with code 1012."),
    Rule("resumes", "Gives its token in the hello of every later connection."),
    Rule("stands", "Says in that hello up to where it knows the room."),
    Rule("resends", "Sends every unanswered command again, with the same id and before any other turn."),
    Rule("takes-room", "Goes on from a whole room of a newer epoch that comes instead of the missed updates."),
    # -- lost, repeated and wrong updates
    Rule("ignores-repeats", "Ignores updates that it already has."),
    Rule("asks-for-missed", "Asks with sync from where it stands when an update is missing."),
    Rule("asks-for-whole", "Asks for the whole room, with epoch 0, when a scene does not have the hash of its update."),
    Rule("checks-hash", "Does so too when only the hash of an update is wrong."),
    Rule("checks-room", "Does so too when a room does not have its hash."),
    # -- refusals
    Rule("tries-again", "Goes on after a turn was refused with try_again."),
    Rule("chooses-again", "Goes on with a new id after a turn was refused with stale_ply."),
    # -- growth and talk
    Rule("fields-unknown", "Ignores fields that it does not know."),
    Rule("messages-unknown", "Ignores messages that it does not know."),
    Rule("talk", "Takes presence and said at any time."),
)
