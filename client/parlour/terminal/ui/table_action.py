"""The actions of a player or spectator at a table. A client maps each to a key or a command."""

from __future__ import annotations

from enum import StrEnum


class TableAction(StrEnum):
    """The value is the name of the action in the settings."""

    CHOOSE = "choose"  # pick the place at the cursor, or play a complete turn
    NEXT_PICK = "next_pick"
    BACK = "back"  # undo the last pick
    TYPE = "type"  # a move, as text
    MOVE_FIRST = "move_first"  # where the player decides who moves first
    MOVE_SECOND = "move_second"
    ACCEPT = "accept"  # the opponent's offer
    DECLINE = "decline"
    WITHDRAW = "withdraw"  # the player's own offer
    CLAIM = "claim"  # the win
    BERSERK = "berserk"  # halve the clock, in an arena
    HINT = "hint"
    DRAW = "draw"
    TAKEBACK = "takeback"
    RESIGN = "resign"
    ABORT = "abort"
    REMATCH = "rematch"
    NEW_GAME = "new_game"
    CHAT = "chat"
    REPLAY = "replay"
    ROTATE = "rotate"
    RULES = "rules"
    HELP = "help"
    LEAVE = "leave"
