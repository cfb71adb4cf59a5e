"""Who may play whom in quick match. This is the rule; `join.lua` carries it out where all nodes meet.

Pure: the time is an argument. Whoever asks is paired with the one who has waited longest among those that fit. Two
fit if the difference of their ratings lies within what both put up with by now: little at first, more with every
second, and after half a minute anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

NEAR = 100  # points of difference that everybody puts up with
WIDER = 20  # points more for each second of waiting
ANYBODY_AFTER = 30_000  # milliseconds


class Waiting(Struct, frozen=True):
    """Somebody in a queue, as far as the rule cares."""

    player: str
    rating: int
    since: int  # milliseconds


def accepts(one: Waiting, difference: int, now: int) -> bool:
    """Whether this one puts up with that difference by now."""
    waited = now - one.since
    return waited >= ANYBODY_AFTER or difference * 1000 <= NEAR * 1000 + WIDER * waited


def fit(one: Waiting, other: Waiting, now: int) -> bool:
    """Whether the two may play each other."""
    difference = abs(one.rating - other.rating)
    return one.player != other.player and accepts(one, difference, now) and accepts(other, difference, now)


def opponent(asker: Waiting, queue: Iterable[Waiting], now: int) -> Waiting | None:
    """Whom the asker plays; the queue is in the order in which they came."""
    return next((other for other in queue if fit(asker, other, now)), None)
