"""Charges players and addresses for what their commands cost, across all nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    ChangePassword,
    CreateRecoveryCodes,
    Message,
    RecoverAccount,
    RequestRecovery,
    SetEmail,
    SignIn,
)  # fmt: skip
from parlour.server.configuration.settings import Settings
from parlour.server.connections.limits import network, parse
from parlour.server.limits.costs import SHARED_COSTS, Resource, cost
from parlour.server.players.names import fold_name
from parlour.server.sessions.session import Session
from parlour.server.store.budgets import Budget, BudgetStore
from parlour.server.store.clock import StoreClock
from parlour.server.store.seeks import MAX_LISTED, Owner

MINUTE = 60_000  # milliseconds

# The addresses of many players create few names and chat little: a quarter of the players chat at the same time.
ADDRESS_ONLY = (Resource.GUESTS, Resource.NAMES)
CHATTING = 0.25


class Accounting:
    """The budgets per minute of players and addresses. A rate of 0 means no limit."""

    def __init__(self, budgets: BudgetStore, clock: StoreClock, settings: Settings) -> None:
        self._budgets = budgets
        self._clock = clock
        self._unlimited = settings.unlimited_networks
        self._players_per_address = settings.players_per_address
        self._seeks = settings.seeks_per_player, settings.seeks_per_address
        self._limits = {each: _units(each, getattr(settings, each.setting)) for each in Resource}

    async def charge(self, session: Session, message: Message) -> None:
        """Charge the player and the address of a session for a message, or raise Refusal."""
        if type(message) in SHARED_COSTS:
            await self._charge(cost(message), session.connection.address, _payer(session, message))

    def owner(self, session: Session) -> Owner:
        """Return a session as the owner of seeks, with the number that its player and its address may have open."""
        address = session.connection.address
        per_player, per_address = self._seeks
        if self._is_unlimited(address):
            per_address = MAX_LISTED
        return Owner(session.player, network(address), per_player, per_address)

    def limited_network(self, session: Session) -> str:
        """Return the network whose limits hold for a session; empty if it has none."""
        address = session.connection.address
        return "" if self._is_unlimited(address) else network(address)

    def network_of(self, session: Session) -> str:
        """Return the network of a session; empty if it does not help to tell players apart.

        That is so for networks without limits, and for private addresses, which may be those of a proxy.
        """
        address = session.connection.address
        parsed = parse(address)
        is_telling = parsed is not None and parsed.is_global and not self._is_unlimited(address)
        return network(address) if is_telling else ""

    async def charge_address(self, address: str, costs: Mapping[Resource, int]) -> None:
        """Charge an address for an HTTP request, or raise Refusal."""
        await self._charge(costs, address, None)

    async def _charge(self, costs: Mapping[Resource, int], address: str, payer: str | None) -> None:
        if not costs or self._is_unlimited(address):
            return
        address = network(address)
        charged = {
            budget: resource
            for resource, amount in costs.items()
            for budget in self._budgets_of(resource, amount, address, payer)
        }
        refused = await self._budgets.spend(tuple(charged), self._clock.now())
        if refused is not None:
            budget, wait = refused
            raise over_limit(charged[budget], wait)

    def _budgets_of(self, resource: Resource, amount: int, address: str, payer: str | None) -> Iterator[Budget]:
        limit = self._limits[resource]
        if limit == 0:
            return
        name = resource.name.lower()
        if resource in ADDRESS_ONLY:
            yield Budget(f"{name}:address:{address}", limit, MINUTE, min(amount, limit))
            return
        if payer is not None:
            yield Budget(f"{name}:{payer}", limit, MINUTE, min(amount, limit))
        share = CHATTING if resource is Resource.CHAT else 1
        of_address = ceil(limit * self._players_per_address * share)
        yield Budget(f"{name}:address:{address}", of_address, MINUTE, min(amount, of_address))

    def _is_unlimited(self, address: str) -> bool:
        parsed = parse(address)
        return parsed is not None and any(
            parsed.version == network.version and parsed in network for network in self._unlimited
        )


def over_limit(resource: Resource, wait: int) -> Refusal:
    """Return the refusal of a command whose budget recovers in `wait` milliseconds."""
    sentence = f"Too many {resource.plural} in a short time. Try again {in_words(wait)}."
    return Refusal(resource.code, sentence, wait)


def too_fast(wait: float) -> Refusal:
    """Return the refusal of a command that is over the message rate for `wait` more seconds."""
    milliseconds = max(1, ceil(wait * 1000))
    sentence = f"Too many messages in a short time. Send this again {in_words(milliseconds)}."
    return Refusal(ErrorCode.TOO_FAST, sentence, milliseconds)


def in_words(wait: int) -> str:
    """Return when to try again, in whole seconds."""
    seconds = ceil(wait / 1000)
    return "in a second" if seconds == 1 else f"in {seconds} seconds"


def _units(resource: Resource, rate: float) -> int:
    """Return a limit in the unit of the costs."""
    return round(rate * 1000) if resource in (Resource.PROCESSOR, Resource.ENGINE) else round(rate)


def _payer(session: Session, message: Message) -> str | None:
    """Return who pays besides the address: the player, or the account whose password may be guessed; None: no one."""
    match message:
        case SignIn() | RecoverAccount() | RequestRecovery():
            return f"name:{fold_name(message.name)}"
        case ChangePassword() | CreateRecoveryCodes() | SetEmail():
            return f"name:{fold_name(session.name)}"
        case _:
            return f"player:{session.player}" if session.player else None
