"""Limits of one connection, of one address, and of all connections together."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from msgspec import Struct

KIB = 1024


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of connections. Times are in seconds, sizes in bytes, rates in messages per second."""

    # -- counts and rates
    connections: int = 10_000
    connections_per_address: int = 256
    sockets: int = 1 << 30  # including connections that are only refused
    rate: float = 30.0  # of one connection
    burst: int = 60
    flood: float = 10.0  # a multiple of the rate: this many refusals within a second close the connection
    address_rate: float = 600.0  # of all connections of one address together, and its HTTP requests
    address_burst: int = 1200

    # -- sizes
    largest_frame: int = 64 * KIB  # larger frames close the connection; the codec refuses much smaller ones
    soft_buffer: int = 256 * KIB  # above it, broadcasts are dropped
    hard_buffer: int = 1024 * KIB  # above it, the connection is aborted
    kernel_buffer: int = 128 * KIB  # per socket, so that slow readers are noticed; 0: the system's default

    # -- times
    behind_for: float = 30.0  # a connection that misses broadcasts for longer is aborted
    ping_interval: float = 10.0  # a connection that has not answered a ping when the next one is due is aborted
    close_timeout: float = 1.5  # to wait for the other side's part in closing
    handshake_timeout: float = 5.0  # from the first byte to a complete request
    response_timeout: float = 30.0  # for a browser to take a file
    endpoint_timeout: float = 5.0  # for an HTTP endpoint to reply


class Rate:
    """A token bucket in one number: the time up to which the budget is spent.

    Every message advances that time by `step`. It may be ahead of the present by `slack`, which allows the burst.
    """

    __slots__ = ("slack", "step")

    def __init__(self, rate: float, burst: int) -> None:
        self.step = 1.0 / rate
        self.slack = (burst - 0.99) * self.step  # slightly more than burst - 1, to be safe from rounding

    def wait(self, ahead: float, messages: int = 1) -> float:
        """Return the seconds until these messages are within the rate, at most 0 if they are; `ahead`: spent already.

        An idle client may always send one message, however much it counts.
        """
        return ahead - self.slack + min((messages - 1) * self.step, self.slack)


class Source:
    """An address that connections come from, or an IPv6 network, since one client usually owns a whole one."""

    __slots__ = ("_rate", "connections", "key", "spent")

    def __init__(self, key: str, rate: Rate) -> None:
        self.key = key
        self.connections = 0
        self.spent = 0.0
        self._rate = rate

    def take(self, now: float) -> bool:
        """Return whether the address may send another message now; if so, count it."""
        spent = self.spent if self.spent > now else now  # max() costs three times as much
        if spent - now > self._rate.slack:
            return False
        self.spent = spent + self._rate.step
        return True

    def wait(self, now: float, messages: int = 1) -> float:
        """Return the seconds until the address may send this number of messages, at most 0 if it may now."""
        return self._rate.wait(max(0.0, self.spent - now), messages)

    def budget(self, now: float) -> tuple[int, int, float]:
        """Return the size of the burst, how much of it is left, and the seconds until all of it is."""
        ahead, rate = max(0.0, self.spent - now), self._rate
        left = int((rate.slack - ahead) / rate.step) + 1 if ahead <= rate.slack else 0
        return int(rate.slack / rate.step) + 1, left, ahead

    def charge(self, now: float, messages: int) -> None:
        """Count this number of messages."""
        self.spent = max(self.spent, now) + self._rate.step * messages


class ConnectionCounts:
    """The number of connections, in total and by address."""

    def __init__(self, limits: Limits) -> None:
        self.total = 0
        self._limits = limits
        self._rate = Rate(limits.address_rate, limits.address_burst)
        self._sources: dict[str, Source] = {}

    def enter(self, address: str) -> Source:
        """Count a connection; every `enter` needs a `leave`."""
        source = self.source(address)
        self._sources[source.key] = source
        source.connections += 1
        self.total += 1
        return source

    def leave(self, source: Source, now: float) -> None:
        """Uncount a connection. What its address has spent is remembered until it has expired."""
        source.connections -= 1
        self.total -= 1
        if not source.connections and source.spent <= now:
            self._sources.pop(source.key, None)

    def source(self, address: str) -> Source:
        """Return the counts of an address."""
        key = network(address)
        return self._sources.get(key) or Source(key, self._rate)

    def forget_idle(self, now: float) -> None:
        """Forget addresses without connections whose budget is full again. Call this periodically."""
        idle = [key for key, source in self._sources.items() if not source.connections and source.spent <= now]
        for key in idle:
            del self._sources[key]

    def refusal(self, source: Source, coming: int = 0) -> str:
        """Return why a connection is one too many; empty if it is not. `coming`: connections not counted yet."""
        if source.connections + coming > self._limits.connections_per_address:
            return f"This address has {self._limits.connections_per_address:,} connections: close one first."
        if self.total + coming > self._limits.connections:
            return "This server is full. Try again later, or use another server."
        return ""

    def is_overrun(self, source: Source) -> bool:
        """Return whether there are far too many connections to answer each with a refusal."""
        limits = self._limits
        return source.connections > 2 * limits.connections_per_address or self.total > min(
            2 * limits.connections, limits.sockets
        )


def network(address: str) -> str:
    """Return the network that counts as one source: an IPv4 address, or the /64 network of an IPv6 address."""
    parsed = parse(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Address(int(parsed) >> 64 << 64)) + "/64"
    return address if parsed is None else str(parsed)


def parse(address: str) -> IPv4Address | IPv6Address | None:
    """Return the address in a text, mapped IPv4 addresses as IPv4; None if it is not an address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    return parsed
