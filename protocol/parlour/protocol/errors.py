"""Every refusal and every close code of Parlour, in one place.

A refusal has a stable code, for programs, and a sentence, for people. Codes are never renamed or reused; sentences
may be improved at any time.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Retry(StrEnum):
    """Whether sending the same thing again can help."""

    NEVER = "never"  # the same request will be refused again
    LATER = "later"  # the same request, with the same command id, may be accepted after a while
    CHANGED = "changed"  # ask again when something has changed, with a new command id


class ErrorCode(StrEnum):
    """The stable name of a refusal: what it means, whether to try again, and what to do."""

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

    @classmethod
    def named(cls, value: str) -> ErrorCode:
        """The code of that name, which must be one of these."""
        return next(code for code in cls if code.value == value)

    # -- the message itself
    REQUEST_MALFORMED = (
        "request_malformed", "The message is not of the documented form.", Retry.NEVER,
        "Compare it with the reference; the sentence names the field.",
    )  # fmt: skip
    REQUEST_TOO_LARGE = (
        "request_too_large", "The message is larger than the server accepts.", Retry.NEVER,
        "Stay below the size given in welcome.",
    )  # fmt: skip
    MESSAGE_UNKNOWN = (
        "message_unknown", "The server knows no message with this tag.", Retry.NEVER,
        "The server may be older than the client: do without, the connection stays open.",
    )  # fmt: skip
    HELLO_FIRST = (
        "hello_first", "The first message of a connection must be hello, and only the first.", Retry.CHANGED,
        "Say hello once and wait for welcome.",
    )  # fmt: skip
    TOKEN_UNKNOWN = (
        "token_unknown", "Nobody is known under this token.", Retry.CHANGED,
        "Say hello without a token to become a new guest.",
    )  # fmt: skip
    NAME_TAKEN = (
        "name_taken", "Somebody has that name.", Retry.CHANGED,
        "Choose another one; large and small letters do not make a difference.",
    )  # fmt: skip
    NAME_REFUSED = (
        "name_refused", "That cannot be a name here.", Retry.NEVER,
        "The sentence says which names can.",
    )  # fmt: skip
    PASSWORD_REFUSED = (
        "password_refused", "That cannot be a password: it is too easy to guess.", Retry.NEVER,
        "The sentence says what is asked of a password.",
    )  # fmt: skip
    SIGN_IN_REFUSED = (
        "sign_in_refused", "There is no account with this name and this password.", Retry.CHANGED,
        "Check both.",
    )  # fmt: skip
    ALREADY_REGISTERED = (
        "already_registered", "You have an account already.", Retry.NEVER,
        "Sign out to make another one.",
    )  # fmt: skip
    ACCOUNT_NEEDED = (
        "account_needed", "Guests cannot do that.", Retry.CHANGED,
        "Keep your name with register first.",
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
        "too_many_seeks", "Too many seeks and places in queues in a short time.", Retry.LATER,
        "Wait a minute.",
    )  # fmt: skip
    TOO_MANY_CHALLENGES = (
        "too_many_challenges", "Too many invitations in a short time.", Retry.LATER,
        "Wait a minute.",
    )  # fmt: skip
    TOO_FAST = (
        "too_fast", "More messages than the limit allows.", Retry.LATER,
        "Wait a second; nothing was lost.",
    )  # fmt: skip
    TRY_AGAIN = (
        "try_again", "The server cannot store anything at the moment.", Retry.LATER,
        "Send the same command again with the same id in a few seconds.",
    )  # fmt: skip
    INTERNAL = (
        "internal", "The server has made a mistake, which was written into its log.", Retry.CHANGED,
        "Ask what has become of it before you try again, and tell whoever runs the server.",
    )  # fmt: skip

    # -- games and their options
    GAME_UNKNOWN = (
        "game_unknown", "There is no game of that name here.", Retry.NEVER,
        "Choose one of the games listed in welcome.",
    )  # fmt: skip
    OPTION_UNKNOWN = (
        "option_unknown", "The game has no such option.", Retry.NEVER,
        "Choose from the options listed with the game in welcome.",
    )  # fmt: skip
    OPTION_INVALID = (
        "option_invalid", "The option exists, but not with that value.", Retry.NEVER,
        "The sentence lists the values.",
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
        "position_malformed", "The text is not written as the game writes positions.", Retry.NEVER,
        "The sentence names the field or row.",
    )  # fmt: skip
    POSITION_IMPOSSIBLE = (
        "position_impossible", "The text can be read, but the game cannot stand like that.", Retry.NEVER,
        "The sentence says what contradicts what.",
    )  # fmt: skip

    # -- moves
    MOVE_MALFORMED = (
        "move_malformed", "The text is not written as the game writes moves.", Retry.NEVER,
        "The sentence shows the form.",
    )  # fmt: skip
    MOVE_ILLEGAL = (
        "move_illegal", "The move can be read, but the rules do not allow it here.", Retry.NEVER,
        "Choose from the picks that the server lists.",
    )  # fmt: skip
    NOT_YOUR_TURN = (
        "not_your_turn", "It is the other player's turn.", Retry.CHANGED,
        "Wait for the update that gives the turn to you.",
    )  # fmt: skip
    STALE_PLY = (
        "stale_ply", "The move was meant for another position than the present one.", Retry.CHANGED,
        "Look at the updates that came meanwhile and choose again.",
    )  # fmt: skip
    GAME_OVER = (
        "game_over", "The game has ended, so nothing can be played.", Retry.NEVER,
        "Offer a rematch, or leave.",
    )  # fmt: skip
    GAME_NOT_STARTED = (
        "game_not_started", "The game has not begun yet.", Retry.CHANGED,
        "Wait until both seats are taken.",
    )  # fmt: skip

    # -- rooms
    ROOM_UNKNOWN = (
        "room_unknown", "There is no such room.", Retry.NEVER,
        "The game may be long over: ask for its record.",
    )  # fmt: skip
    NOT_IN_ROOM = (
        "not_in_room", "You are not in this room.", Retry.CHANGED,
        "Join it first.",
    )  # fmt: skip
    SEAT_TAKEN = (
        "seat_taken", "Somebody else has that seat.", Retry.NEVER,
        "Watch, or find another table.",
    )  # fmt: skip
    NOT_A_PLAYER = (
        "not_a_player", "Only the two players may do that.", Retry.NEVER,
        "Watchers can talk, and take a free seat.",
    )  # fmt: skip
    NOTHING_OFFERED = (
        "nothing_offered", "There is no such offer to answer.", Retry.NEVER,
        "It was withdrawn, answered, or ended by a move.",
    )  # fmt: skip
    OFFER_REFUSED = (
        "offer_refused", "That cannot be offered now.", Retry.CHANGED,
        "The sentence says when it can.",
    )  # fmt: skip
    TOO_LATE_TO_ABORT = (
        "too_late_to_abort", "A game can be called off only before each side has moved.", Retry.NEVER,
        "Resign, or offer a draw.",
    )  # fmt: skip
    CANNOT_CLAIM = (
        "cannot_claim", "The opponent is here, or has not been away long enough.", Retry.CHANGED,
        "presence says when a claim is possible.",
    )  # fmt: skip
    ROOM_FULL = (
        "room_full", "The room has as many watchers as it takes.", Retry.CHANGED,
        "Try again later, or watch another game.",
    )  # fmt: skip

    # -- lobby
    SEEK_GONE = (
        "seek_gone", "The seek was taken or withdrawn.", Retry.NEVER,
        "Choose another, or make one like it.",
    )  # fmt: skip
    INVITE_UNKNOWN = (
        "invite_unknown", "The invitation does not exist any more.", Retry.NEVER,
        "Ask for a new one.",
    )  # fmt: skip
    PLAYER_UNKNOWN = (
        "player_unknown", "There is no player of that name.", Retry.NEVER,
        "Check the spelling.",
    )  # fmt: skip
    OWN_SEEK = (
        "own_seek", "You cannot play yourself.", Retry.NEVER,
        "Wait for somebody else, or play the computer.",
    )  # fmt: skip
    LEVEL_UNKNOWN = (
        "level_unknown", "The computer has no such level in this game.", Retry.NEVER,
        "Choose from the levels listed with the game in welcome.",
    )  # fmt: skip
    LIMIT_REACHED = (
        "limit_reached", "You have as many of these as one player may have.", Retry.CHANGED,
        "Close one first; the sentence says what and how many.",
    )  # fmt: skip
    RECORD_UNKNOWN = (
        "record_unknown", "There is no record of that game.", Retry.NEVER,
        "Check the number of the game.",
    )  # fmt: skip
    RECORD_BROKEN = (
        "record_broken", "The text is not a record, or something in it was changed.", Retry.NEVER,
        "The sentence names the line, the move or the link of the chain.",
    )  # fmt: skip
    RATING_OUT_OF_RANGE = (
        "rating_out_of_range", "The maker of the seek wants an opponent of another strength.", Retry.CHANGED,
        "Choose another seek, or make one.",
    )  # fmt: skip
    RATED_REFUSED = (
        "rated_refused", "Such a game cannot be rated.", Retry.NEVER,
        "Play it without rating; the sentence says why.",
    )  # fmt: skip
    HINT_REFUSED = (
        "hint_refused", "The computer does not help here.", Retry.CHANGED,
        "The sentence says when it does.",
    )  # fmt: skip
    COMPUTER_BUSY = (
        "computer_busy", "The computer has no time at the moment.", Retry.LATER,
        "Try again in a few seconds.",
    )  # fmt: skip
    TEXT_REFUSED = (
        "text_refused", "The text is empty, too long, or has characters that cannot be shown.", Retry.NEVER,
        "Shorten it.",
    )  # fmt: skip


class CloseCode(IntEnum):
    """Why a connection was closed: what it means, and what a client should do then."""

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
        "The server stops or the page was left.",
        "Connect again, to another address if there is one.",
    )
    TOO_LARGE = (
        1009,
        "A message was larger than the server reads at all.",
        "Stay below the size given in welcome.",
    )
    RESTART = 1012, "The server restarts.", "Connect again at once, to another address if there is one."
    NO_HELLO = 4000, "No hello came in time, or something else came first.", "Say hello first."
    TOO_SLOW = (
        4001,
        "The connection could not take what was sent to it.",
        "Connect again; the room is sent whole.",
    )
    FLOOD = 4002, "Far more messages than the limit allows.", "Slow down, then connect again."
    TAKEN_OVER = (
        4003,
        "This session was continued on a newer connection.",
        "Do not reconnect: the other one lives.",
    )
    SIGNED_OUT = 4004, "The player signed out everywhere.", "Forget the token."


class Refusal(Exception):
    """Something asked for from outside was refused; `str()` is the sentence for people."""

    def __init__(self, code: ErrorCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
