"""A bot's evaluation of a position, as a worker sends it to the node that asked."""

from __future__ import annotations

from msgspec import Struct

from parlour.bots.engine import Answer


class Evaluation(Struct, frozen=True, array_like=True):
    """The engine's answer to a node's request, or why there is none."""

    number: int  # of the request
    answer: Answer | None
    code: str = ""  # of the refusal, if there is no answer
    sentence: str = ""
