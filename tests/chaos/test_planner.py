"""Plans of faults."""

from __future__ import annotations

from itertools import pairwise

import pytest

from parlour.chaos.faults import CLIENT_FAULTS, KINDS
from parlour.chaos.planner import plan

ALL = tuple(KINDS)


def test_the_seed_decides() -> None:
    """The same seed gives the same plan, another seed another one."""
    assert plan(ALL, 3, 300, seed=1) == plan(ALL, 3, 300, seed=1)
    assert plan(ALL, 3, 300, seed=1) != plan(ALL, 3, 300, seed=2)


def test_a_longer_run_begins_alike() -> None:
    """The first rounds do not depend on how many follow."""
    short, long = plan(ALL, 3, 60, seed=4), plan(ALL, 3, 600, seed=4)

    assert 0 < len(short) < len(long)
    assert long[: len(short)] == short


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("nodes", [2, 3])
def test_the_rules_of_a_plan(nodes: int, seed: int) -> None:
    """Two faults at most at a time, each within its limits, and one node is left alone unless the store is broken."""
    rounds = plan(ALL, nodes, 900, seed)

    assert rounds[-1].at < 900
    for one, following in pairwise(rounds):
        assert following.at >= one.at + max(fault.seconds for fault in one.faults)
    for one in rounds:
        assert 1 <= len(one.faults) <= 2
        hit = [fault.node for fault in one.faults if fault.node is not None]
        for fault in one.faults:
            shortest, longest = KINDS[fault.kind].seconds
            assert shortest <= fault.seconds <= longest
            assert (fault.node is None) == (KINDS[fault.kind].target == "store")
            assert (fault.amount != 0) == (fault.kind.endswith("-delay") or fault.kind == "store-clock")
        if len(hit) == len(one.faults):
            assert len(set(hit)) < nodes
        # Both would use the same proxy, and the end of one would end the other.
        of_clients = [fault.node for fault in one.faults if fault.kind in CLIENT_FAULTS]
        assert len(of_clients) == len(set(of_clients))


def test_every_kind_occurs() -> None:
    """Each kind is first in a round once before any is again."""
    firsts = [one.faults[0].kind for one in plan(ALL, 3, 1200, seed=5)]

    assert sorted(firsts[: len(ALL)]) == sorted(ALL)


def test_only_the_chosen_faults() -> None:
    """The plan has no others, and none at all if none is chosen."""
    rounds = plan(("node-kill", "client-cut"), 2, 300, seed=6)

    assert {fault.kind for one in rounds for fault in one.faults} == {"node-kill", "client-cut"}
    assert plan((), 2, 300, seed=6) == ()
