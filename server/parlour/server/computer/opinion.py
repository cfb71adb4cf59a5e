"""What the computer thinks of a position, on its way from a worker to the node that asked."""

from __future__ import annotations

from msgspec import Struct

from parlour.bots.engine import Answer


class Opinion(Struct, frozen=True, array_like=True):
    """The answer to a question of a node, or why there is none."""

    number: int
    thought: Answer | None
    code: str = ""
    sentence: str = ""
