"""Which players an outage concerns."""

from __future__ import annotations

import pytest

from parlour.server.outages import SILENCE, Outage, SeatNode

START = 1_700_000_000_000
OUTAGE = Outage(START, START + SILENCE, "there")


@pytest.mark.parametrize(
    ("player", "hit"),
    [
        (SeatNode("there", "", START - 60_000), True),
        (SeatNode("here", "", START - 60_000), False),
        (SeatNode(), False),
        (SeatNode("here", "there", START + SILENCE + 500), True),
        (SeatNode("here", "there", START + 500), False),
        (SeatNode("here", "there", START - 60_000), False),
        (SeatNode("there", "here", START + 60_000), False),
    ],
    ids=[
        "on that node", "on another node", "on no node", "released by that node", "moved before it was noticed",
        "left that node before", "came to that node afterwards",
    ],
)  # fmt: skip
def test_an_outage_of_a_node_hits_the_players_it_served(player: SeatNode, hit: bool) -> None:
    """A player is hit if it was on that node and could not leave it in time."""
    assert player.was_hit_by(OUTAGE) is hit


def test_an_outage_of_all_nodes_hits_every_player() -> None:
    """It does not matter where they were."""
    everything = Outage(START, START + SILENCE)
    assert all(player.was_hit_by(everything) for player in (SeatNode(), SeatNode("here"), SeatNode("", "there", START)))


@pytest.mark.parametrize(
    ("player", "beats", "uncertain"),
    [
        (SeatNode("here"), {"here": START - 400}, False),
        (SeatNode("there"), {"there": START - 400}, True),
        (SeatNode("there"), {"there": START + 100}, False),
        (SeatNode("there"), {}, False),
        (SeatNode("here", "there", START - 200), {"there": START - 400}, True),
        (SeatNode("here", "there", START - 200), {"there": START}, False),
        (SeatNode("here", "there", START - 90_000), {"there": START - 400}, False),
        (SeatNode(), {"there": START - 400}, False),
    ],
    ids=[
        "on this node", "on a node that may be silent", "on a node that has beaten since", "on a node that has stopped",
        "left a node that may be silent", "left a node that has beaten since", "left before the turn", "on no node",
    ],
)  # fmt: skip
def test_an_outage_may_not_be_known_yet(player: SeatNode, beats: dict[str, int], uncertain: bool) -> None:
    """As long as the player's node may have been silent, it is not certain that the player was served."""
    assert player.may_be_hit(START, START - 60_000, "here", beats) is uncertain
