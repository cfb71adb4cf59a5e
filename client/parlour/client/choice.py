"""What a bot answers when it is asked for a move."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.client.turn import Turn

# A whole turn, its picks, or the move as the game writes it; None: resign.
Choice = Turn | Sequence[int] | str | None


class NoChoice(Exception):
    """Raise this in `choose`, with a sentence that says why, if there is nothing to play."""
