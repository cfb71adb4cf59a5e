"""How often players may do what costs others something: take names, sign in, ask for games."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import ceil

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.config import Settings
from parlour.server.store.budgets import Budget, Budgets
from parlour.server.store.clock import RedisTime
from parlour.server.transport.limits import network
from parlour.server.visitor import Visitor

MINUTE = 60_000  # milliseconds

# Many people can share one address: a school, a company, half a country behind one mobile network.
PLAYERS_PER_ADDRESS = 20


class Kind(Enum):
    """What is counted: the code of its refusal, and how the sentence calls it."""

    GUEST = ErrorCode.TOO_MANY_NAMES, "new guests"
    NAME = ErrorCode.TOO_MANY_NAMES, "new accounts and bots"
    SIGN_IN = ErrorCode.TOO_MANY_SIGN_INS, "sign-ins"
    SEEK = ErrorCode.TOO_MANY_SEEKS, "seeks and places in queues"
    CHALLENGE = ErrorCode.TOO_MANY_CHALLENGES, "invitations"

    def __init__(self, code: ErrorCode, words: str) -> None:
        self.code = code
        self.words = words


class Allowance:
    """Counts for all nodes together. A limit of 0 is none."""

    def __init__(self, budgets: Budgets, time: RedisTime, settings: Settings) -> None:
        self._budgets = budgets
        self._time = time
        self._rates = {
            Kind.GUEST: settings.guest_rate,
            Kind.NAME: settings.name_rate,
            Kind.SIGN_IN: settings.sign_in_rate,
            Kind.SEEK: settings.seek_rate,
            Kind.CHALLENGE: settings.challenge_rate,
        }

    async def check(self, kind: Kind, visitor: Visitor, name: str = "") -> None:
        """Count one more, or refuse it. `name` is the account, as names are compared, that somebody signs in to."""
        if self._rates[kind] == 0:
            return
        budgets = tuple(_budgets(kind, self._rates[kind], visitor.player, name, network(visitor.peer.address)))
        wait = await self._budgets.take(budgets, self._time.now())
        if wait:
            seconds = ceil(wait / 1000)
            again = "in a second" if seconds == 1 else f"in {seconds} seconds"
            raise Refusal(kind.code, f"Too many {kind.words} in a short time: try again {again}.")


def _budgets(kind: Kind, rate: int, player: str, name: str, address: str) -> Iterator[Budget]:
    """Whose budgets something is taken from, when a minute has `rate`."""
    what = kind.name.lower()
    match kind:
        case Kind.GUEST | Kind.NAME:
            yield Budget(f"{what}:address:{address}", rate, MINUTE)
            return
        case Kind.SIGN_IN:
            yield Budget(f"{what}:name:{name}", rate, MINUTE)
        case _:
            yield Budget(f"{what}:player:{player}", rate, MINUTE)
    yield Budget(f"{what}:address:{address}", rate * PLAYERS_PER_ADDRESS, MINUTE)
