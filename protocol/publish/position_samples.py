"""Examples of the messages by which a position is set up by hand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from parlour.protocol import messages as m
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import PaletteItem, PositionNumber
from publish.sample_people import PLAIN


def from_clients(position: str) -> Iterator[Struct]:
    """Yield a command that changes everything, and one that changes nothing."""
    yield m.EditPosition(
        id=138, terms=PLAIN, position=position, clear=True, item=1, places=(12,), number=0, value=3, turn=1
    )
    yield m.EditPosition(id=139, terms=PLAIN)


def from_server(position: str, board: BoardSpec, scene: Scene) -> Iterator[Struct]:
    """Yield an answer with all that there can be, and one with a game that takes positions as text only."""
    yield m.PositionEdited(
        id=138, board=board, scene=scene, position=position,
        palette=(PaletteItem("White ring", 0), PaletteItem("Black bar", 2, 2), PaletteItem("Take the top")),
        numbers=(PositionNumber("Black’s points", 3, 24, 3), PositionNumber("Phase", 0, 1, choices=("Bars", "Points"))),
        slots=(25, 26), refusal="White has 9 rings, those in supply included; each side has 8.",
    )  # fmt: skip
    yield m.PositionEdited(id=139, board=board, scene=scene, position=position)
