"""All rules, each with a stable key for programs and a sentence for people.

`server_checks` checks the rules of a server, `client_monitor` and `client_faults` those of a client, by the same keys.
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
    Rule("both-subprotocols", "The msgpack and the JSON subprotocol carry the same messages."),
    # -- finding a table
    Rule("game-unknown", "An unknown game is refused with game_unknown."),
    Rule("option-refused", "Unknown options are refused with option_unknown, unknown values with option_invalid."),
    Rule("queue", "Queue is answered by ok with a seek; then paired names the room and the seat."),
    Rule("paired-again", "Paired is sent again after a reconnect during the game."),
    Rule("join", "Join is answered by room, whole and with the player's seat."),
    Rule("room-unknown", "An unknown room is refused with room_unknown."),
    Rule("not-in-room", "A command for a room that the client has not joined is refused with not_in_room."),
    Rule("watch", "A spectator gets every update and no choices."),
    Rule("not-a-player", "A turn of a spectator is refused with not_a_player."),
    # -- turns
    Rule("choices", "The seat to move, and no other, gets choices; a walk through them is a legal turn."),
    Rule("declined", "After a hello that declines choices, none are sent unasked, but explore still works."),
    Rule("explore", "Explore is answered by the choices that follow the given picks."),
    Rule("play", "Play is answered by ok with a seq, and both players get moved with that seq."),
    Rule("play-text", "A turn can be given as text or as picks."),
    Rule("repeat", "A command sent again with its id gets the same answer and is carried out once."),
    Rule("id-reused", "A different command with an id that the session has used is refused with id_reused."),
    Rule("sessions-apart", "Commands of two connections of one player are kept apart, even if they have the same ids."),
    Rule("ok-epoch", "The ok of a turn has the epoch and the seq of its update."),
    Rule("stale-ply", "A turn for another ply than the current one is refused with stale_ply."),
    Rule("not-your-turn", "A turn of the player who does not have the move is refused with not_your_turn."),
    Rule("move-illegal", "Picks that the rules do not allow are refused with move_illegal."),
    Rule("move-malformed", "A text that is not a move is refused with move_malformed."),
    # -- staying in step
    Rule("sync-missed", "Sync is answered by the missed updates in order and then ok, or by the whole room."),
    Rule("sync-current", "Sync from the newest update is answered by ok alone."),
    Rule("sync-whole", "Sync with epoch 0 is answered by the whole room."),
    Rule("pong-cursors", "Pong lists the newest seq of every room that the client has joined."),
    Rule("resume-missed", "After a reconnect every update since the cursor is sent once, or the whole room."),
    Rule("resume-current", "After a reconnect nothing is sent again if no update was missed."),
    Rule("resume-unanswered", "A command sent again after a reconnect is answered, and was carried out once."),
    # -- around the board
    Rule("say", "A chat message reaches everyone in the room."),
    Rule("leave", "After leave no more updates are sent, and a player keeps the seat."),
    Rule("offer", "A draw can be offered and declined, and the game continues."),
    Rule("nothing-offered", "An answer to no offer is refused with nothing_offered."),
    Rule("abort", "A game can be aborted before both players have moved."),
    Rule("too-late-to-abort", "After both players have moved, abort is refused with too_late_to_abort."),
    Rule("resign", "A player who resigns loses, and everyone in the room gets the result."),
    Rule("whole-game", "A whole game can be played and ends with a result."),
    Rule("game-over", "A turn after the end is refused with game_over."),
)

CLIENT_RULES = (
    # -- always
    Rule("subprotocol", "Offers a subprotocol of Parlour on every connection."),
    Rule("hello-first", "Says hello first on every connection, and only once."),
    Rule("waits-for-welcome", "Sends nothing between hello and welcome."),
    Rule("well-formed", "Sends only messages of the documented form."),
    Rule("fresh-ids", "Never uses one id for two different commands in a session."),
    Rule("legal", "Plays only when it has the move, and only turns from the choices."),
    # -- a game
    Rule("plays", "Queues, joins, plays a whole game and exits with 0."),
    Rule("explores", "Sends explore for picks that did not fit into choices."),
    # -- lost connections
    Rule("reconnects-early", "Reconnects when the connection is lost before welcome."),
    Rule("queues-again", "Queues again, with the same id, when the connection is lost before paired."),
    Rule("reconnects-later", "Reconnects when the connection is lost in the opponent's turn."),
    Rule("reconnects-restart", "Reconnects after closing and a close with code 1012."),
    Rule("leaves-silence", "Reconnects within ten seconds when the server stops answering on an open connection."),
    Rule("resumes", "Sends its token in the hello of every later connection."),
    Rule("continues-session", "Sends the session of its last welcome in that hello."),
    Rule("stands", "Sends the cursor of the room in that hello."),
    Rule("resends", "Sends every unanswered command again, with the same id and before any other turn."),
    Rule("takes-room", "Continues from a whole room with a newer epoch that is sent instead of the missed updates."),
    # -- lost, repeated and wrong updates
    Rule("ignores-repeats", "Ignores updates that it already has."),
    Rule("asks-for-missed", "Sends sync with its cursor when an update is missing."),
    Rule(
        "asks-for-whole", "Asks for the whole room, with epoch 0, when its scene does not match the hash of an update."
    ),
    Rule("checks-hash", "Does the same when only the hash of an update is wrong."),
    Rule("checks-room", "Does the same when a room does not match its hash."),
    # -- refusals
    Rule("tries-again", "Continues after a turn was refused with try_again."),
    Rule("chooses-again", "Continues with a new id after a turn was refused with stale_ply."),
    # -- growth and talk
    Rule("fields-unknown", "Ignores fields that it does not know."),
    Rule("messages-unknown", "Ignores messages that it does not know."),
    Rule("talk", "Accepts presence and said at any time."),
)
