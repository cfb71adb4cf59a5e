"""What the scripted server does to a client, one fault a game, and what the client must do about it."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from parlour.conform.connection import Connection
from parlour.conform.script import Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.games.choices import BUDGET
from parlour.protocol import messages as wire

# Faults strike from this ply on, when a game is well under way.
UNDER_WAY = 2


class Fault(Script):
    """A game with one fault in it, which decides one rule."""

    rule: ClassVar[str]
    shows: ClassVar[tuple[str, ...]] = ()  # rules that always hold and of which this game is the best proof
    wanted: ClassVar[str] = "nothing that the client did showed it"  # what is said if `kept` stays False
    budget: ClassVar[int] = BUDGET  # how many picks fit into one message

    def __init__(self) -> None:
        self.struck = ""  # what was done to the client, once it is done
        self.kept = False  # whether the client has done what it must
        self.complaint = ""  # what it did wrong
        self.decided = asyncio.Event()  # set with the first complaint: the rest of the game can change nothing

    def complain(self, complaint: str) -> None:
        self.complaint = self.complaint or complaint
        self.decided.set()

    def ready(self, connection: Connection, update: wire.Message | wire.Moved) -> bool:
        """Whether this update is one to strike at: a move that gives the turn to the opponent, for the first time."""
        return not self.struck and isinstance(update, wire.Moved) and _opponent_thinks(connection.rooms[update.room])


def _opponent_thinks(room: ScriptedRoom) -> bool:
    return room.ply >= UNDER_WAY and room.to_move is not None and room.players[room.to_move] is None
