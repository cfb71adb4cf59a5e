"""What a room that is open on a node needs of it, and what nodes say to each other about a room."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from parlour.protocol.messages import Rated, Said
from parlour.server.rooms.core import Room
from parlour.server.rooms.journal import Desk
from parlour.server.store.heartbeat import Heartbeat


class RollCall(Struct, frozen=True, tag_field="t", tag="roll_call"):
    """Whoever has this player, say so."""

    room: str
    seat: int


class Here(Struct, frozen=True, tag_field="t", tag="here"):
    """This player is connected to me."""

    room: str
    seat: int


class Surroundings(Desk, Protocol):
    """What a room needs of its node."""

    heartbeat: Heartbeat

    def now(self) -> int: ...  # milliseconds, the same on every node
    def remind(self, room: str, at: int | None) -> None: ...  # have the room looked into then, by whatever node lives
    def rematch(self, room: Room) -> None: ...  # both want another game
    def ended(self, room: Room) -> None: ...  # the game is over
    def think(self, room: Room) -> None: ...  # it is the computer's turn
    def talk(self, message: Said | Rated | RollCall | Here) -> None: ...  # to the other nodes
