"""Every error code and every close code.

A refusal has a stable code for programs and a sentence for people. Codes are never renamed or reused; sentences may
change at any time.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Retry(StrEnum):
    """Whether sending the same command again can help."""

    NEVER = "never"  # the same command will be refused again
    LATER = "later"  # the same command, with the same id, may be accepted later
    CHANGED = "changed"  # try again when something has changed, with a new id


class ErrorCode(StrEnum):
    """The stable code of a refusal: what it means, whether to try again, and what to do."""

    meaning: str
    retry: Retry
    advice: str

    def __new__(cls, value: str, meaning: str, retry: Retry, advice: str) -> ErrorCode:
        code = str.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        code.retry = retry
        code.advice = advice
        return code

    @property
    def is_retried(self) -> bool:
        """Whether a client sends the same command again by itself, after a second.

        Limits on what players do deliberately can last for a minute, so the player is told instead.
        """
        return self.retry is Retry.LATER and self not in _TOLD_INSTEAD

    @classmethod
    def named(cls, value: str) -> ErrorCode:
        """Return the code with this value, which must exist."""
        return next(code for code in cls if code.value == value)

    # -- the message itself
    REQUEST_MALFORMED = (
        "request_malformed", "The message does not have the documented form.", Retry.NEVER,
        "Compare it with the reference; the sentence names the field.",
    )  # fmt: skip
    REQUEST_TOO_LARGE = (
        "request_too_large", "The message is larger than the server accepts.", Retry.NEVER,
        "Stay below the size given in welcome.",
    )  # fmt: skip
    MESSAGE_UNKNOWN = (
        "message_unknown", "The server knows no message with this tag.", Retry.NEVER,
        "The server may be older than the client: manage without it. The connection stays open.",
    )  # fmt: skip
    ID_REUSED = (
        "id_reused", "The session has used this id for a different command.", Retry.CHANGED,
        "Use a new id for each command. After a reconnect, send the session of the last welcome with hello.",
    )  # fmt: skip
    HELLO_FIRST = (
        "hello_first", "The first message on a connection, and only the first, must be hello.", Retry.CHANGED,
        "Say hello once and wait for welcome.",
    )  # fmt: skip
    TOKEN_UNKNOWN = (
        "token_unknown", "No player has this token.", Retry.CHANGED,
        "Say hello without a token to become a new guest.",
    )  # fmt: skip
    SCOPE_MISSING = (
        "scope_missing", "The token is limited to scopes that do not include this.", Retry.NEVER,
        "Create a token with the scope that the sentence names.",
    )  # fmt: skip
    NAME_TAKEN = (
        "name_taken", "Another player has this name, or one that looks like it.", Retry.CHANGED,
        "Choose another one. Upper and lower case, and letters and digits that look alike, make no difference.",
    )  # fmt: skip
    NAME_REFUSED = (
        "name_refused", "This name is not allowed.", Retry.NEVER,
        "The sentence says which names are allowed.",
    )  # fmt: skip
    PASSWORD_REFUSED = (
        "password_refused", "The password is too easy to guess.", Retry.NEVER,
        "The sentence says what a password needs.",
    )  # fmt: skip
    SIGN_IN_REFUSED = (
        "sign_in_refused", "There is no account with this name and this password.", Retry.CHANGED,
        "Check both.",
    )  # fmt: skip
    ALREADY_REGISTERED = (
        "already_registered", "The player already has an account.", Retry.NEVER,
        "Sign out to create another one.",
    )  # fmt: skip
    ACCOUNT_NEEDED = (
        "account_needed", "Guests cannot do this.", Retry.CHANGED,
        "Create an account with register first.",
    )  # fmt: skip
    EMAIL_OFF = (
        "email_off", "The server sends no e-mails.", Retry.NEVER,
        "Use a recovery code instead.",
    )  # fmt: skip
    EMAIL_REFUSED = (
        "email_refused", "The e-mail address, or the code that confirms it, is not valid.", Retry.CHANGED,
        "Check the address, or set it again to get another code.",
    )  # fmt: skip
    PUSH_OFF = (
        "push_off", "The server sends no push messages.", Retry.NEVER,
        "Offer no notifications.",
    )  # fmt: skip
    SUBSCRIPTION_REFUSED = (
        "subscription_refused", "The push subscription has no usable address or keys.", Retry.NEVER,
        "Subscribe again in the browser; the sentence says what is wrong.",
    )  # fmt: skip
    SUSPENDED = (
        "suspended", "The operator has suspended the player; the sentence has the reason and the date.", Retry.CHANGED,
        "Come back after that date, or ask the operator.",
    )  # fmt: skip
    BANNED = (
        "banned", "The operator has banned the player; the sentence has the reason.", Retry.NEVER,
        "Ask the operator.",
    )  # fmt: skip
    MUTED = (
        "muted", "The operator has muted the player; the sentence has the reason and the date.", Retry.CHANGED,
        "Play on without the chat.",
    )  # fmt: skip
    PLAYER_UNAVAILABLE = (
        "player_unavailable", "The other player is not available to this one.", Retry.CHANGED,
        "Choose another player.",
    )  # fmt: skip
    BLOCKED_BY_YOU = (
        "blocked_by_you", "The player has blocked the other one.", Retry.CHANGED,
        "Unblock the other player first.",
    )  # fmt: skip
    NOT_YOURSELF = (
        "not_yourself", "Players cannot block, mute or report themselves.", Retry.NEVER,
        "Name another player.",
    )  # fmt: skip
    TOURNAMENT_INVALID = (
        "tournament_invalid", "No tournament can be played with these settings.", Retry.NEVER,
        "The sentence says what to change.",
    )  # fmt: skip
    ENTRY_REFUSED = (
        "entry_refused", "The player cannot enter or leave this tournament now.", Retry.CHANGED,
        "The sentence says why. Look for a tournament that is open.",
    )  # fmt: skip
    TOURNAMENT_UNKNOWN = (
        "tournament_unknown", "There is no such tournament.", Retry.NEVER,
        "List the tournaments.",
    )  # fmt: skip
    TOURNAMENT_FULL = (
        "tournament_full", "The tournament has as many players as it allows.", Retry.CHANGED,
        "Wait until a player withdraws before the start, or look for another tournament.",
    )  # fmt: skip
    TOURNAMENT_OVER = (
        "tournament_over", "The tournament is over.", Retry.NEVER,
        "Look for one that is open.",
    )  # fmt: skip
    ALREADY_ENTERED = (
        "already_entered", "The player takes part in the tournament already.", Retry.NEVER,
        "Wait for `paired`.",
    )  # fmt: skip
    NOT_ENTERED = (
        "not_entered", "The player does not take part in the tournament.", Retry.CHANGED,
        "Enter it first.",
    )  # fmt: skip
    ENTRY_CODE_WRONG = (
        "entry_code_wrong", "The entry code is missing or wrong.", Retry.CHANGED,
        "Ask the organiser for the code.",
    )  # fmt: skip
    NOT_ORGANISER = (
        "not_organiser", "Only the organiser of the tournament may do this.", Retry.NEVER,
        "Ask the organiser.",
    )  # fmt: skip
    BERSERK_REFUSED = (
        "berserk_refused", "The player cannot halve the clock in this game now.", Retry.NEVER,
        "It is possible in arenas that allow it, before the player's own first move.",
    )  # fmt: skip
    TOO_MANY_TOURNAMENTS = (
        "too_many_tournaments", "Too many tournaments created within a short time.", Retry.LATER,
        "Wait as long as `retry_after` says.",
    )  # fmt: skip
    RESULT_REFUSED = (
        "result_refused", "The tournament is not waiting for this result.", Retry.NEVER,
        "Read the current round; the result may have been counted before.",
    )  # fmt: skip
    REPORT_UNKNOWN = (
        "report_unknown", "There is no such report.", Retry.NEVER,
        "List the reports again; old ones are removed.",
    )  # fmt: skip
    TOO_MANY_REPORTS = (
        "too_many_reports", "Too many reports within a short time.", Retry.LATER,
        "Wait as long as `retry_after` says.",
    )  # fmt: skip
    TOO_MANY_SIGN_INS = (
        "too_many_sign_ins", "Too many sign-ins for this name or from this address.", Retry.LATER,
        "Wait a minute.",
    )  # fmt: skip
    TOO_MANY_NAMES = (
        "too_many_names", "Too many new guests, names or bots from this address.", Retry.LATER,
        "Wait a while; the sentence says how long.",
    )  # fmt: skip
    TOO_MANY_SEEKS = (
        "too_many_seeks", "Too many seeks and places in the queue within a short time.", Retry.LATER,
        "Wait a minute.",
    )  # fmt: skip
    TOO_MANY_CHALLENGES = (
        "too_many_challenges", "Too many challenges within a short time.", Retry.LATER,
        "Wait a minute.",
    )  # fmt: skip
    TOO_MUCH_CHAT = (
        "too_much_chat", "Too many lines of chat within a short time.", Retry.LATER,
        "Wait as long as `retry_after` says.",
    )  # fmt: skip
    OVER_BUDGET = (
        "over_budget", "The player or the address has used its share of the server's time or storage.", Retry.LATER,
        "Wait as long as `retry_after` says.",
    )  # fmt: skip
    TOO_FAST = (
        "too_fast", "More messages per second than the limit allows.", Retry.LATER,
        "Wait a second and send the same message again.",
    )  # fmt: skip
    TRY_AGAIN = (
        "try_again", "The server cannot store anything at the moment.", Retry.LATER,
        "Send the same command again with the same id in a few seconds.",
    )  # fmt: skip
    INTERNAL = (
        "internal", "An internal error of the server, which it has logged.", Retry.CHANGED,
        "Check whether the command took effect before you try again, and tell the operator.",
    )  # fmt: skip

    # -- games and their options
    GAME_UNKNOWN = (
        "game_unknown", "The server has no game of this name.", Retry.NEVER,
        "Choose one of the games listed in welcome.",
    )  # fmt: skip
    GAME_CONFLICT = (
        "game_conflict", "Two packages on the server have a game of this name.", Retry.NEVER,
        "The sentence names the packages: uninstall one of them.",
    )  # fmt: skip
    GAME_BROKEN = (
        "game_broken", "The package of this game does not work on the server.", Retry.NEVER,
        "The sentence says why: update or uninstall the package.",
    )  # fmt: skip
    GAME_API_UNSUPPORTED = (
        "game_api_unsupported", "The package of this game was written for another version of Parlour.", Retry.NEVER,
        "Install a version of the package that fits the server.",
    )  # fmt: skip
    RULES_UNSUPPORTED = (
        "rules_unsupported", "The node does not support the version of the rules that the game is played by.",
        Retry.CHANGED,
        "Connect to another node. If none supports that version, the game is aborted after a while.",
    )  # fmt: skip
    OPTION_UNKNOWN = (
        "option_unknown", "The game has no such option.", Retry.NEVER,
        "Choose from the options listed with the game in welcome.",
    )  # fmt: skip
    OPTION_INVALID = (
        "option_invalid", "The option does not have this value.", Retry.NEVER,
        "The sentence lists the possible values.",
    )  # fmt: skip
    LAYOUT_INVALID = (
        "layout_invalid", "The board layout breaks a rule of the game; the sentence names the row.", Retry.NEVER,
        "Correct that row.",
    )  # fmt: skip
    CLOCK_INVALID = (
        "clock_invalid", "There is no such kind of clock, or its times are out of range.", Retry.NEVER,
        "The sentence says which times are allowed.",
    )  # fmt: skip

    # -- positions
    POSITION_MALFORMED = (
        "position_malformed", "The text is not a position in the game's notation.", Retry.NEVER,
        "The sentence names the field or row.",
    )  # fmt: skip
    POSITION_IMPOSSIBLE = (
        "position_impossible", "The text is a position, but one that cannot occur.", Retry.NEVER,
        "The sentence says why.",
    )  # fmt: skip

    # -- moves
    EDIT_INVALID = (
        "edit_invalid", "The position cannot be changed in this way.", Retry.NEVER,
        "The sentence says what can be changed.",
    )  # fmt: skip
    EDITOR_UNKNOWN = (
        "editor_unknown", "Positions of this game cannot be set up by hand.", Retry.NEVER,
        "Write them in the game's notation.",
    )  # fmt: skip
    MOVE_MALFORMED = (
        "move_malformed", "The text is not a move in the game's notation.", Retry.NEVER,
        "The sentence shows the notation.",
    )  # fmt: skip
    MOVE_ILLEGAL = (
        "move_illegal", "The rules do not allow this move here.", Retry.NEVER,
        "Choose from the picks that the server lists.",
    )  # fmt: skip
    NOT_YOUR_TURN = (
        "not_your_turn", "It is the other player's turn.", Retry.CHANGED,
        "Wait for the update that gives you the move.",
    )  # fmt: skip
    STALE_PLY = (
        "stale_ply", "The move is for an earlier or later position than the current one.", Retry.CHANGED,
        "Apply the updates that have arrived meanwhile and choose again.",
    )  # fmt: skip
    GAME_OVER = (
        "game_over", "The game is over.", Retry.NEVER,
        "Offer a rematch, or leave.",
    )  # fmt: skip
    GAME_NOT_STARTED = (
        "game_not_started", "The game has not started yet.", Retry.CHANGED,
        "Wait until the first player is chosen.",
    )  # fmt: skip

    # -- rooms
    ROOM_UNKNOWN = (
        "room_unknown", "There is no such room.", Retry.NEVER,
        "The game may have ended long ago: ask for its record.",
    )  # fmt: skip
    NOT_IN_ROOM = (
        "not_in_room", "The client has not joined this room.", Retry.CHANGED,
        "Join it first.",
    )  # fmt: skip
    NOT_A_PLAYER = (
        "not_a_player", "Only the two players may do this.", Retry.NEVER,
        "Spectators can only chat.",
    )  # fmt: skip
    NOTHING_OFFERED = (
        "nothing_offered", "There is no such offer to answer.", Retry.NEVER,
        "It was withdrawn or answered, or a move has ended it.",
    )  # fmt: skip
    OFFER_REFUSED = (
        "offer_refused", "This cannot be offered now.", Retry.CHANGED,
        "The sentence says when it can be.",
    )  # fmt: skip
    TOO_LATE_TO_ABORT = (
        "too_late_to_abort", "A game can be aborted only before both players have moved.", Retry.NEVER,
        "Resign, or offer a draw.",
    )  # fmt: skip
    CANNOT_CLAIM = (
        "cannot_claim", "The opponent is connected, or has not been disconnected for long enough.", Retry.CHANGED,
        "presence says when a claim is possible.",
    )  # fmt: skip
    ROOM_FULL = (
        "room_full", "The room has reached its limit of spectators.", Retry.CHANGED,
        "Try again later, or watch another game.",
    )  # fmt: skip

    # -- lobby
    SEEK_GONE = (
        "seek_gone", "The seek was accepted or withdrawn.", Retry.NEVER,
        "Choose another one, or create one like it.",
    )  # fmt: skip
    INVITE_UNKNOWN = (
        "invite_unknown", "The challenge no longer exists.", Retry.NEVER,
        "Ask for a new one.",
    )  # fmt: skip
    PLAYER_UNKNOWN = (
        "player_unknown", "There is no player of this name.", Retry.NEVER,
        "Check the spelling.",
    )  # fmt: skip
    OWN_SEEK = (
        "own_seek", "Players cannot accept their own seeks.", Retry.NEVER,
        "Wait for another player, or play the computer.",
    )  # fmt: skip
    LEVEL_UNKNOWN = (
        "level_unknown", "The computer has no such level in this game.", Retry.NEVER,
        "Choose from the levels listed with the game in welcome.",
    )  # fmt: skip
    LESSON_UNKNOWN = (
        "lesson_unknown", "The game has no lesson, or the lesson has no such step.", Retry.NEVER,
        "Ask for the lesson of a game whose card has `lesson_minutes`, and for a step that it lists.",
    )  # fmt: skip
    LIMIT_REACHED = (
        "limit_reached", "The player has as many of these as allowed.", Retry.CHANGED,
        "Close one first. The sentence says what and how many.",
    )  # fmt: skip
    RECORD_UNKNOWN = (
        "record_unknown", "There is no record of this game.", Retry.NEVER,
        "Check the id of the room.",
    )  # fmt: skip
    RECORD_BROKEN = (
        "record_broken", "The text is not a record, or it was altered.", Retry.NEVER,
        "The sentence names the line, the move or the link of the chain.",
    )  # fmt: skip
    RATING_OUT_OF_RANGE = (
        "rating_out_of_range", "The seek is for opponents of another rating.", Retry.CHANGED,
        "Choose another seek, or create one.",
    )  # fmt: skip
    RATED_REFUSED = (
        "rated_refused", "A game with these terms cannot be rated.", Retry.NEVER,
        "Play it unrated. The sentence says why.",
    )  # fmt: skip
    HINT_REFUSED = (
        "hint_refused", "The computer gives no hints here.", Retry.CHANGED,
        "The sentence says when it does.",
    )  # fmt: skip
    COMPUTER_BUSY = (
        "computer_busy", "The computer is busy.", Retry.LATER,
        "Try again in a few seconds.",
    )  # fmt: skip
    TEXT_REFUSED = (
        "text_refused", "The text is empty or too long, or it has characters that cannot be shown.", Retry.NEVER,
        "Shorten it.",
    )  # fmt: skip


_TOLD_INSTEAD = (
    ErrorCode.TOO_MANY_SIGN_INS,
    ErrorCode.TOO_MANY_NAMES,
    ErrorCode.TOO_MANY_CHALLENGES,
    ErrorCode.TOO_MUCH_CHAT,
    ErrorCode.TOO_MANY_REPORTS,
    ErrorCode.TOO_MANY_TOURNAMENTS,
    ErrorCode.OVER_BUDGET,
)


class CloseCode(IntEnum):
    """Why a connection was closed, and what a client should do then."""

    meaning: str
    advice: str

    def __new__(cls, value: int, meaning: str, advice: str) -> CloseCode:
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        code.advice = advice
        return code

    GOING_AWAY = (
        1001,
        "The server is stopping, or the browser left the page.",
        "Reconnect, to another address if there is one.",
    )
    TOO_LARGE = (
        1009,
        "A message was much larger than the server accepts.",
        "Stay below the size given in welcome.",
    )
    RESTART = 1012, "The server is restarting.", "Reconnect, to another address if there is one."
    UNAVAILABLE = 1013, "The server cannot reach its store.", "Reconnect, to another address if there is one."
    NO_HELLO = 4000, "No hello arrived in time, or another message arrived first.", "Say hello first."
    TOO_SLOW = (
        4001,
        "The client reads too slowly.",
        "Reconnect; the server sends whole rooms then.",
    )
    FLOOD = 4002, "Far more messages than the limit allows.", "Slow down, then reconnect."
    TAKEN_OVER = (
        4003,
        "A newer connection replaced this one. Reserved: Parlour's own server lets a player have several connections.",
        "Do not reconnect.",
    )
    SIGNED_OUT = 4004, "The token was revoked: the player signed out.", "Do not reconnect. Forget the token."
    SUSPENDED = 4005, "The player was suspended or banned.", "Reconnect: hello is refused with the reason and the date."


class Refusal(Exception):
    """A request from outside was refused. `str()` is the sentence for people."""

    def __init__(self, code: ErrorCode, sentence: str, retry_after: int | None = None) -> None:
        """`retry_after`: the milliseconds after which a limit allows the same request again."""
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.retry_after = retry_after
