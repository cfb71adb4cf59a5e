"""The move that a bot returns."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.client.turn import Turn

BotMove = Turn | Sequence[int] | str | None
"""A complete turn, its picks, or the move in the game's notation; None resigns."""


class NoMoveError(Exception):
    """Raised by `Bot.choose` when it has no move. The message says why and goes into the log."""
