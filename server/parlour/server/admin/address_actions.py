"""An operator's actions on addresses: ban a network, lift a ban."""

from __future__ import annotations

from ipaddress import ip_network

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.admin.control import AddressBansChanged, Control
from parlour.server.restrictions import Restriction, moment
from parlour.server.store.store import Store

MAX_BANS = 1_000
SHORTEST_PREFIX = {4: 8, 6: 16}  # by IP version: anything wider is a typing error


class AddressBan(Struct, frozen=True):
    """A banned network, as operators see it."""

    network: str
    until: int  # milliseconds since 1970; 0: for good
    reason: str


class AddressActions:
    """Bans networks and lifts bans. The coroutines raise Refusal and StoreUnavailable."""

    def __init__(self, store: Store, control: Control, audit: AuditWriter) -> None:
        self._store = store
        self._control = control
        self._audit = audit

    async def bans(self) -> list[AddressBan]:
        """Return the bans that are in force."""
        now = self._store.clock.now()
        found = (await self._store.address_bans.all()).items()
        return [AddressBan(network, ban.until, ban.reason) for network, ban in sorted(found) if ban.holds_at(now)]

    async def ban(self, context: ActionContext, prefix: str, until: int) -> None:
        """Refuse to serve players at an address or in a network, until a time, or with 0 for good."""
        network = parse_network(prefix)
        now = self._store.clock.now()
        known = await self._store.address_bans.all()
        over = [each for each, ban in known.items() if not ban.holds_at(now)]
        if len(known) - len(over) >= MAX_BANS and network not in known:
            sentence = f"At most {MAX_BANS:,} networks can be banned. Lift a ban first, or ban a wider network."
            raise Refusal(ErrorCode.LIMIT_REACHED, sentence)
        detail = f"until {moment(until)}" if until else "for good"
        await self._audit.write(context, "ban-address", network, detail=detail)
        await self._store.address_bans.remove(*over)
        await self._store.address_bans.set(network, Restriction(until, context.reason))
        self._control.send(AddressBansChanged())

    async def lift(self, context: ActionContext, prefix: str) -> None:
        """Lift a ban."""
        network = parse_network(prefix)
        if network not in await self._store.address_bans.all():
            raise Refusal(ErrorCode.OPTION_INVALID, f"{network} is not banned. The list shows which networks are.")
        await self._audit.write(context, "unban-address", network)
        await self._store.address_bans.remove(network)
        self._control.send(AddressBansChanged())


def parse_network(prefix: str) -> str:
    """Return a network in canonical form. Refuse a text that is not a network, and a network of almost everyone."""
    try:
        network = ip_network(prefix.strip(), strict=False)
    except ValueError:
        sentence = f"“{prefix[:60]}” is not an address or a network such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence) from None
    shortest = SHORTEST_PREFIX[network.version]
    if network.prefixlen < shortest:
        sentence = f"{network} is too wide: give a network with a prefix of at least /{shortest}."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence)
    return str(network)
