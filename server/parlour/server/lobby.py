"""How players find each other: a queue for each kind of game, and invitations."""

from __future__ import annotations

from collections.abc import Callable
from random import SystemRandom

from msgspec import Struct

from parlour.protocol.messages import Queue
from parlour.protocol.tables import OptionValue, Terms
from parlour.server.house import House
from parlour.server.rooms.opening import Guest
from parlour.server.store import Store
from parlour.server.visitor import Visitor

INVITE_LASTS = 24 * 3600  # seconds


class Invite(Struct, frozen=True):
    """An open invitation."""

    host: Guest
    terms: Terms
    options: dict[str, OptionValue]
    position: str | None
    seat: str


class Lobby:
    """Makes rooms for players who want to play each other."""

    def __init__(self, store: Store, house: House, now: Callable[[], int]) -> None:
        self._store = store
        self._house = house
        self._now = now
        self._chance = SystemRandom()
        self.visitors: dict[str, set[Visitor]] = {}

    async def queue(self, visitor: Visitor, command: Queue) -> None:
        raise NotImplementedError
