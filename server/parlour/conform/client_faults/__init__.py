"""Faults that the scripted server injects, one per game, and what the client must do about them."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from parlour.conform.connection import Connection
from parlour.conform.script import Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.games.choices import BUDGET
from parlour.protocol import messages as wire

# Faults are injected from this ply on, when the game is well under way.
UNDER_WAY = 2


class Fault(Script):
    """A game with one fault, which decides one rule."""

    rule: ClassVar[str]
    shows: ClassVar[tuple[str, ...]] = ()  # rules that always hold and that this game tests best
    expected: ClassVar[str] = "the client did not react"  # reported if `kept` stays False
    budget: ClassVar[int] = BUDGET  # how many picks fit into one message

    def __init__(self) -> None:
        self.injected = ""  # describes the fault, once it has been injected
        self.kept = False  # whether the client has reacted as it must
        self.complaint = ""  # what the client did wrong
        self.decided = asyncio.Event()  # set with the first complaint: the rest of the game does not matter

    def complain(self, complaint: str) -> None:
        self.complaint = self.complaint or complaint
        self.decided.set()

    def ready(self, connection: Connection, update: wire.Message | wire.Moved) -> bool:
        """Return whether to inject the fault now: the update is a move that gives the turn to the opponent."""
        return not self.injected and isinstance(update, wire.Moved) and _opponent_thinks(connection.rooms[update.room])


def _opponent_thinks(room: ScriptedRoom) -> bool:
    return room.ply >= UNDER_WAY and room.to_move is not None and room.players[room.to_move] is None
