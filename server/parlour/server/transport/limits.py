"""How much one connection, one address, and everybody together may ask of a node."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from msgspec import Struct

KIB = 1024


class Limits(Struct, frozen=True, kw_only=True):
    """The settings. Times are in seconds, sizes in bytes, rates in messages a second."""

    # -- how many
    connections: int = 10_000
    connections_per_address: int = 256
    rate: float = 30.0  # of one connection
    burst: int = 60
    flood: float = 10.0  # so many times the rate, refused within a second, closes the connection
    address_rate: float = 600.0  # of all connections of one address together, and its HTTP requests
    address_burst: int = 1200

    # -- how large
    largest_frame: int = 64 * KIB  # larger ones close the connection; the codec refuses well before
    soft_buffer: int = 256 * KIB  # above it, broadcasts are dropped
    hard_buffer: int = 1024 * KIB  # above it, the connection is aborted
    kernel_buffer: int = 128 * KIB  # asked for each socket, so that slow readers are noticed; 0: as the system likes

    # -- how long
    behind_for: float = 30.0  # a peer that misses broadcasts for longer is aborted
    ping_interval: float = 10.0  # a peer that has not answered a ping when the next one is due is aborted
    close_timeout: float = 1.5  # to wait for the other side's part in closing
    handshake_timeout: float = 5.0  # from the first byte to a complete request
    response_timeout: float = 30.0  # for a browser to take a file
    page_timeout: float = 5.0  # for the node to answer an HTTP request


class Rate:
    """A token bucket in one number: the moment up to which the budget is spent.

    Every message moves that moment on by `step`. It may run ahead of the present by `slack`, which is the burst.
    """

    __slots__ = ("slack", "step")

    def __init__(self, rate: float, burst: int) -> None:
        self.step = 1.0 / rate
        self.slack = (burst - 0.99) * self.step  # a little more than burst - 1, to keep clear of rounding


class Source:
    """Where connections come from: one address, or one IPv6 network, which is as easy to have."""

    __slots__ = ("_rate", "connections", "key", "spent")

    def __init__(self, key: str, rate: Rate) -> None:
        self.key = key
        self.connections = 0
        self.spent = 0.0
        self._rate = rate

    def take(self, now: float) -> bool:
        """Whether the address may send one more message now."""
        spent = self.spent if self.spent > now else now  # max() costs three times as much
        if spent - now > self._rate.slack:
            return False
        self.spent = spent + self._rate.step
        return True


class Crowd:
    """Everybody who is connected, counted by where they come from."""

    def __init__(self, limits: Limits) -> None:
        self.total = 0
        self._limits = limits
        self._rate = Rate(limits.address_rate, limits.address_burst)
        self._sources: dict[str, Source] = {}

    def enter(self, address: str) -> Source:
        """Count one more connection. Whoever enters must leave."""
        source = self.source(address)
        self._sources[source.key] = source
        source.connections += 1
        self.total += 1
        return source

    def leave(self, source: Source, now: float) -> None:
        """The connection is gone. What its address has spent is remembered until it would be forgiven anyway."""
        source.connections -= 1
        self.total -= 1
        if not source.connections and source.spent <= now:
            self._sources.pop(source.key, None)

    def source(self, address: str) -> Source:
        """What is known about an address."""
        key = network(address)
        return self._sources.get(key) or Source(key, self._rate)

    def forget(self, now: float) -> None:
        """Let go of addresses that have left and owe nothing. Call this now and then."""
        idle = [key for key, source in self._sources.items() if not source.connections and source.spent <= now]
        for key in idle:
            del self._sources[key]

    def refusal(self, source: Source, coming: int = 0) -> str:
        """Why a connection is one too many; empty if it is not. `coming`: those that are not counted yet."""
        if source.connections + coming > self._limits.connections_per_address:
            return f"This address has {self._limits.connections_per_address:,} connections already: close one first."
        if self.total + coming > self._limits.connections:
            return "This server has as many connections as it takes. Try again later, or another server."
        return ""

    def is_overrun(self, source: Source) -> bool:
        """Whether there are so many that not even a refusal is worth writing."""
        limits = self._limits
        return source.connections > 2 * limits.connections_per_address or self.total > 2 * limits.connections


def network(address: str) -> str:
    """What counts as one place: an IPv4 address, or the /64 network of an IPv6 address."""
    parsed = parse(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Address(int(parsed) >> 64 << 64)) + "/64"
    return address if parsed is None else str(parsed)


def parse(address: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, IPv4 addresses in their own form; None if it is none."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    return parsed
