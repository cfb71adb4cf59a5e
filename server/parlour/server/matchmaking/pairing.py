"""The rule by which quick match pairs players. `join_queue.lua` implements it inside the store.

Pure: the time is an argument. A player is paired with the longest-waiting acceptable opponent. Two players accept each
other if neither has blocked the other, and if their rating difference is within the tolerance of both, which grows
while they wait.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct


class Tolerance(NamedTuple):
    """The rating difference that a player accepts."""

    initial: int  # points
    per_second: int  # points more for each second of waiting
    unlimited_after: int  # milliseconds after which any opponent is accepted


TOLERANCE = Tolerance(initial=100, per_second=20, unlimited_after=30_000)

# Two players of the same network may be one person, or know each other. They wait for others first.
SAME_NETWORK_AFTER = 10_000  # milliseconds


class WaitingPlayer(Struct, frozen=True):
    """A player in a queue."""

    player: str
    rating: int
    since: int  # milliseconds
    avoids: frozenset[str] = frozenset()  # players whom this one has blocked
    network: str = ""  # empty: unknown


def accepts(waiting: WaitingPlayer, difference: int, now: int) -> bool:
    """Return whether a player accepts a rating difference at this time."""
    waited = now - waiting.since
    tolerated = TOLERANCE.initial * 1000 + TOLERANCE.per_second * waited
    return waited >= TOLERANCE.unlimited_after or difference * 1000 <= tolerated


def can_pair(one: WaitingPlayer, other: WaitingPlayer, now: int) -> bool:
    """Return whether two players accept each other."""
    if one.player == other.player or one.player in other.avoids or other.player in one.avoids:
        return False
    if one.network and one.network == other.network and now - max(one.since, other.since) < SAME_NETWORK_AFTER:
        return False
    difference = abs(one.rating - other.rating)
    return accepts(one, difference, now) and accepts(other, difference, now)


def find_opponent(player: WaitingPlayer, queue: Iterable[WaitingPlayer], now: int) -> WaitingPlayer | None:
    """Return the first acceptable opponent in a queue, which is in the order of arrival."""
    return next((other for other in queue if can_pair(player, other, now)), None)
