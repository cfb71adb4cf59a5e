"""How often a player may do what costs others something: create names, sign in, look for games."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import ceil

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.connections.limits import network
from parlour.server.sessions.session import Session
from parlour.server.settings import Settings
from parlour.server.store.budgets import Budget, BudgetStore
from parlour.server.store.clock import StoreClock

MINUTE = 60_000  # milliseconds

# Many players can share an address: a school, a company, a mobile network.
PLAYERS_PER_ADDRESS = 20


class Action(Enum):
    """A limited action, with the code of its refusal and its name in the sentence."""

    GUEST = ErrorCode.TOO_MANY_NAMES, "new guests"
    NAME = ErrorCode.TOO_MANY_NAMES, "new accounts and bots"
    SIGN_IN = ErrorCode.TOO_MANY_SIGN_INS, "sign-ins"
    SEEK = ErrorCode.TOO_MANY_SEEKS, "seeks and queued games"
    CHALLENGE = ErrorCode.TOO_MANY_CHALLENGES, "invitations"

    def __init__(self, code: ErrorCode, plural: str) -> None:
        self.code = code
        self.plural = plural


class RateLimits:
    """Limits actions per minute, across all nodes. A rate of 0 means no limit."""

    def __init__(self, budgets: BudgetStore, clock: StoreClock, settings: Settings) -> None:
        self._budgets = budgets
        self._clock = clock
        self._rates = {
            Action.GUEST: settings.guest_rate,
            Action.NAME: settings.name_rate,
            Action.SIGN_IN: settings.sign_in_rate,
            Action.SEEK: settings.seek_rate,
            Action.CHALLENGE: settings.challenge_rate,
        }

    async def check(self, action: Action, session: Session, folded_name: str = "") -> None:
        """Count an action, or refuse it. `folded_name` is the account that a player signs in to."""
        rate = self._rates[action]
        if rate == 0:
            return
        budgets = tuple(_budgets(action, rate, session.player, folded_name, network(session.connection.address)))
        wait = await self._budgets.spend(budgets, self._clock.now())
        if wait:
            seconds = ceil(wait / 1000)
            when = "in a second" if seconds == 1 else f"in {seconds} seconds"
            raise Refusal(action.code, f"Too many {action.plural} in a short time. Try again {when}.")


def _budgets(action: Action, rate: int, player: str, folded_name: str, address: str) -> Iterator[Budget]:
    """Yield the budgets that an action is counted in; `rate` is per minute."""
    prefix = action.name.lower()
    match action:
        case Action.GUEST | Action.NAME:
            yield Budget(f"{prefix}:address:{address}", rate, MINUTE)
            return
        case Action.SIGN_IN:
            yield Budget(f"{prefix}:name:{folded_name}", rate, MINUTE)
        case _:
            yield Budget(f"{prefix}:player:{player}", rate, MINUTE)
    yield Budget(f"{prefix}:address:{address}", rate * PLAYERS_PER_ADDRESS, MINUTE)
