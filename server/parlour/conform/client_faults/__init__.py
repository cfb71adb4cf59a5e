"""Faults that the scripted server injects, one per game, and the reactions that it expects of the client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import ClassVar

from parlour.conform.connection import Connection
from parlour.conform.profiles import Profile
from parlour.conform.script import Outgoing, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.games.choices import BUDGET
from parlour.protocol import messages as wire
from parlour.protocol.types import Clock

# Faults are injected from this ply on, when the game is well under way.
UNDER_WAY = 2


class Fault(Script):
    """A game with one fault, which decides one rule."""

    rule: ClassVar[str]
    profiles: ClassVar[tuple[Profile, ...] | None] = None  # to which it applies; None: all those of the rule
    shows: ClassVar[tuple[str, ...]] = ()  # rules that always hold and that this game tests best
    expected: ClassVar[str] = "the client did not react"  # reported if `kept` stays False
    must_end: ClassVar[bool] = True  # whether the client must reach the end of the game and exit with 0
    extra: ClassVar[float] = 0.0  # seconds that the fault takes, beside those of the game
    budget: ClassVar[int] = BUDGET  # how many picks fit into one message
    nodes: ClassVar[int] = 0  # addresses besides the first
    clock: ClassVar[Clock | None] = None  # of the game
    diverges: ClassVar[bool] = False  # whether the client is made to distrust what it knows

    def __init__(self) -> None:
        self._injected = ""
        self.kept = False  # whether the client has reacted as it must
        self.complaint = ""  # what the client did wrong
        self.decided = asyncio.Event()  # set by the first complaint: the rest of the game does not matter

    @property
    def injected(self) -> str:
        """Describes the fault, once it has been injected."""
        return self._injected

    @injected.setter
    def injected(self, fault: str) -> None:
        if not self._injected:
            self.mark(fault)
        self._injected = fault

    def complain(self, complaint: str) -> None:
        if not self.complaint:
            self.mark(complaint)
        self.complaint = self.complaint or complaint
        self.decided.set()

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        """Schedule an action, which is dropped if the verdict is in by then."""
        asyncio.get_running_loop().call_later(seconds, lambda: self.decided.is_set() or act())

    def ready(self, connection: Connection, message: wire.Message | wire.Moved) -> bool:
        """Return whether to inject the fault now: at a move that gives the turn to an opponent played by the kit, or at
        the whole lobby.
        """
        if self.injected:
            return False
        if self.server.profile is Profile.LOBBY:
            return isinstance(message, wire.Lobby)
        return isinstance(message, wire.Moved) and _opponent_thinks(connection.rooms[message.room])


class AtReady(Fault):
    """A fault that changes the message at which it is injected."""

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        return self.inject(connection, message) if self.ready(connection, message) else (message,)

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        """Set `injected`, and return what to send instead of the message."""
        raise NotImplementedError


def _opponent_thinks(room: ScriptedRoom) -> bool:
    return room.ply >= UNDER_WAY and room.to_move is not None and room.players[room.to_move] is None
