"""The kinds of faults."""

from __future__ import annotations

from parlour.chaos.faults import CLIENT_FAULTS, KINDS, NEEDS_FAKETIME, Fault
from parlour.chaos.players import CLOCK


def test_every_fault_ends() -> None:
    """Each kind has a longest time, and is listed under its own name."""
    for name, kind in KINDS.items():
        shortest, longest = kind.seconds

        assert name == kind.name
        assert 0 <= shortest < longest <= 20
        assert kind.sentence


def test_a_fault_of_a_node_leaves_time_for_a_move() -> None:
    """Players whose node is killed, suspended or unreachable have most of their time left when it is over."""
    for kind in KINDS.values():
        if kind.name.startswith(("node-", "client-")):
            assert kind.seconds[1] * 1000 <= CLOCK.main / 2


def test_an_outage_may_be_longer_than_a_move() -> None:
    """Otherwise a build that charges outages to the players could not be told from a correct one."""
    assert KINDS["store-freeze"].seconds[1] * 1000 > CLOCK.main


def test_the_faults_of_the_clients_network() -> None:
    """They hit a node."""
    assert "client-stall" in CLIENT_FAULTS
    assert {KINDS[name].target for name in CLIENT_FAULTS} == {"node"}
    assert NEEDS_FAKETIME in KINDS


def test_a_fault_as_text() -> None:
    """It names the node, counted from 1."""
    assert str(Fault("node-kill", 1.0, 0)) == "node-kill on node 1"
    assert str(Fault("store-kill", 1.0)) == "store-kill"
