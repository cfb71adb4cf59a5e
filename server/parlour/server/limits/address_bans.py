"""Refuses players whose address an operator has banned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.connections.limits import parse
from parlour.server.restrictions import Restriction, moment
from parlour.server.store.address_bans import AddressBanStore

Network = IPv4Network | IPv6Network


class AddressBans:
    """The bans, cached in memory on each node: a banned client costs the store nothing."""

    def __init__(self, store: AddressBanStore, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._bans: Mapping[Network, Restriction] = {}
        self._lengths: frozenset[int] = frozenset()  # of the prefixes that are banned

    async def load(self) -> None:
        """Read all bans from the store. Raise StoreUnavailable."""
        self._bans = {ip_network(network): ban for network, ban in (await self._store.all()).items()}
        self._lengths = frozenset(network.prefixlen for network in self._bans)

    def refusal(self, address: str) -> Refusal | None:
        """Return the answer to clients at an address; None if it is not banned."""
        parsed = parse(address)
        if parsed is None:
            return None
        for length in self._lengths:
            if length > parsed.max_prefixlen:
                continue
            ban = self._bans.get(ip_network((parsed, length), strict=False))
            if ban is not None and ban.holds_at(self._now()):
                return _refusal(ban)
        return None


def _refusal(ban: Restriction) -> Refusal:
    until = f" until {moment(ban.until)}" if ban.until else ""
    reason = f" Reason: {ban.reason}" if ban.reason else ""
    sentence = f"This server cannot be used from your network{until}.{reason} Ask the operator if this is a mistake."
    return Refusal(ErrorCode.SUSPENDED if ban.until else ErrorCode.BANNED, sentence)
