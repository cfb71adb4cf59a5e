"""Every refusal Parlour can give, in one place.

A refusal has a stable code, for programs, and a sentence, for people. Codes are never renamed or reused; sentences
may be improved at any time.
"""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """The stable name of a refusal; `meaning` says in general what went wrong."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> ErrorCode:
        code = str.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code

    # -- the request itself
    REQUEST_MALFORMED = "request_malformed", "The request is not of the documented form."

    # -- games and their options
    GAME_UNKNOWN = "game_unknown", "There is no game of that name here."
    OPTION_UNKNOWN = "option_unknown", "The game has no such option."
    OPTION_INVALID = "option_invalid", "The option exists, but not with that value."
    LAYOUT_INVALID = "layout_invalid", "The board layout breaks a rule of the game; the sentence names the row."

    # -- positions
    POSITION_MALFORMED = "position_malformed", "The text is not written as the game writes positions."
    POSITION_IMPOSSIBLE = "position_impossible", "The text can be read, but the game cannot stand like that."

    # -- moves
    MOVE_MALFORMED = "move_malformed", "The text is not written as the game writes moves."
    MOVE_ILLEGAL = "move_illegal", "The move can be read, but the rules do not allow it here."
    GAME_OVER = "game_over", "The game has ended, so nothing can be played."


class Refusal(Exception):
    """Something asked for from outside was refused; `str()` is the sentence for people."""

    def __init__(self, code: ErrorCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
