"""Plans which faults happen when. Pure: the same seed gives the same plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from random import Random

from msgspec import Struct

from parlour.chaos.faults import CLIENT_FAULTS, KINDS, Fault

FIRST_AFTER = (2.0, 4.0)  # seconds of undisturbed play before the first fault
PAUSE = (2.0, 5.0)  # seconds of recovery between the faults
SECOND_FAULT = 0.35  # how often a fault comes with a second one
DELAY = (0.1, 0.6)  # seconds
CLOCK_SHIFT = (5.0, 30.0)  # seconds


class Round(Struct, frozen=True):
    """One fault, or two at the same time. The next round begins when both have ended."""

    at: float  # seconds after the beginning, or later if earlier rounds took longer
    faults: tuple[Fault, ...]


def plan(kinds: Sequence[str], nodes: int, seconds: float, seed: int) -> tuple[Round, ...]:
    """Return the rounds that begin within a time. Every kind occurs once before any occurs again.

    At least one node and its connections are left alone at any time, unless the store is broken: nothing can work
    without it, and the server has to excuse that.
    """
    return tuple(takewhile(lambda one: one.at < seconds, _rounds(kinds, nodes, Random(seed))))


def _rounds(kinds: Sequence[str], nodes: int, rng: Random) -> Iterator[Round]:
    at = rng.uniform(*FIRST_AFTER)
    companions = [kind for kind in kinds if kind in CLIENT_FAULTS]
    while kinds:
        for kind in rng.sample(kinds, len(kinds)):
            first = _fault(kind, rng.randrange(nodes), rng)
            others = _nodes_for_second(first, nodes)
            faults = [first]
            if companions and others and rng.random() < SECOND_FAULT:
                faults.append(_fault(rng.choice(companions), rng.choice(others), rng))
            yield Round(at, tuple(faults))
            at += max(fault.seconds for fault in faults) + rng.uniform(*PAUSE)


def _nodes_for_second(first: Fault, nodes: int) -> list[int]:
    """Return the nodes whose clients may have a fault of the network at the same time."""
    allowed = [first.node] if first.node is not None and nodes == 2 else range(nodes)
    return [node for node in allowed if node != first.node or first.kind not in CLIENT_FAULTS]


def _fault(name: str, node: int, rng: Random) -> Fault:
    kind = KINDS[name]
    seconds, amount = rng.uniform(*kind.seconds), 0.0
    if name.endswith("-delay"):
        amount = rng.uniform(*DELAY)
    elif name == "store-clock":
        amount = rng.uniform(*CLOCK_SHIFT) * rng.choice((-1, 1))
    return Fault(name, round(seconds, 2), node if kind.target == "node" else None, round(amount, 2))
