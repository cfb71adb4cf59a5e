"""The services that an open room uses, and the messages that nodes send each other about a room."""

from __future__ import annotations

from asyncio import TimerHandle
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from parlour.protocol.messages import Rated, Said
from parlour.server.metrics import Metrics
from parlour.server.rooms.events import AnyEvent
from parlour.server.rooms.state import RoomState
from parlour.server.rooms.work_queue import Services


class ChatLine(Said, frozen=True, kw_only=True, tag="said"):
    """A line of chat with the id of the player who said it, which no client gets."""

    by: str = ""

    def shown(self) -> Said:
        """Return the line as clients get it."""
        return Said(room=self.room, name=self.name, text=self.text, at=self.at, seat=self.seat)


class WhoHasPlayer(Struct, frozen=True, tag_field="t", tag="who_has_player"):
    """Asks the other nodes whether the player in a seat is connected to one of them."""

    room: str
    seat: int


class PlayerHere(Struct, frozen=True, tag_field="t", tag="player_here"):
    """Answers that the player in a seat is connected to this node."""

    room: str
    seat: int


RoomMessage = ChatLine | Rated | WhoHasPlayer | PlayerHere


class RoomContext(Services, Protocol):
    """The services of a node that its rooms use."""

    metrics: Metrics

    def now(self) -> int: ...  # milliseconds since 1970, the same on every node
    def call_later(self, seconds: float, callback: Callable[[], None]) -> TimerHandle: ...
    def tell_nodes(self, message: RoomMessage) -> None: ...  # the other ones that have the room open
    def tell_absent_players(self, state: RoomState, event: AnyEvent) -> None: ...  # those who are not in the room
    def schedule_check(self, room: str, at: int | None) -> None: ...  # by whichever node is alive then
    def request_move(self, state: RoomState) -> None: ...  # ask a bot worker for the bot's turn
    def start_rematch(self, state: RoomState) -> None: ...
    def finish(self, state: RoomState) -> None: ...  # rate and archive a game that is over
    def save_snapshot(self, state: RoomState) -> None: ...  # a snapshot only makes loading faster
