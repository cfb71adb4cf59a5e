"""How long players wait after a fault of their node."""

from __future__ import annotations

import pytest

from parlour.chaos.faults import Fault
from parlour.chaos.observations import Attempt, FaultRun, Observations, Placement
from parlour.chaos.takeover import percentile, takeover_times

ONE, TWO = "ws://one", "ws://two"


def attempt(sent: float, answered: float, player: str = "ada", seq: int | None = 7) -> Attempt:
    return Attempt(player, "room", 3, sent - 1, sent, None, answered, 99, seq, None if seq else "stale_ply")


def observed(*attempts: Attempt, placements: tuple[Placement, ...] = ()) -> Observations:
    """A node that is killed at 10 and ready again at 15; its player reconnects at 12."""
    return Observations(
        attempts=list(attempts),
        placements=list(placements) or [Placement("ada", 1, ONE), Placement("ada", 12, TWO)],
        faults=[FaultRun(Fault("node-kill", 1.0, 0), ONE, 10, 15)],
    )


@pytest.mark.parametrize(
    ("sent", "answered", "wait"),
    [
        (9, 12.5, 2.5),  # in flight when the fault began
        (11, 12.5, 1.5),  # sent before the client noticed or had another connection
    ],
)
def test_a_player_that_had_to_wait(sent: float, answered: float, wait: float) -> None:
    """The wait begins with the fault, or with the command if that was sent later."""
    assert takeover_times(observed(attempt(sent, answered))) == {"node-kill": [pytest.approx(wait)]}


@pytest.mark.parametrize(
    "seen",
    [
        observed(attempt(8, 9.5)),  # answered before the fault
        observed(attempt(13, 13.1)),  # sent on the new connection
        observed(attempt(9, 12.5, seq=None)),  # refused
        observed(attempt(9, 12.5), placements=(Placement("ada", 1, TWO),)),  # on another node
        observed(attempt(9, 12.5, player="bob")),  # not connected yet
    ],
)
def test_a_player_that_had_not(seen: Observations) -> None:
    """Only commands that the fault delayed are counted."""
    assert takeover_times(seen) == {"node-kill": []}


def test_only_the_first_command_counts() -> None:
    """Each player counts once for each fault."""
    times = takeover_times(observed(attempt(9, 12.5), attempt(11.9, 12.6)))

    assert times == {"node-kill": [2.5]}


def test_a_fault_of_the_store_hits_no_node() -> None:
    """It is not counted."""
    seen = observed(attempt(9, 12.5))
    seen.faults[0] = FaultRun(Fault("store-kill", 1.0), "", 10, 15)

    assert takeover_times(seen) == {}


def test_a_fault_during_an_outage() -> None:
    """No node can take over while the store is broken, so the wait says nothing about them."""
    seen = observed(attempt(9, 12.5))
    seen.faults.append(FaultRun(Fault("store-freeze", 5.0), "", 8, 11))

    assert takeover_times(seen) == {}


def test_an_outage_after_the_fault() -> None:
    """A wait that reaches into it says nothing either; others do."""
    seen = observed(attempt(14.9, 20), attempt(9, 12.5, player="bob"), placements=(Placement("ada", 1, ONE),))
    seen.placements.append(Placement("bob", 1, ONE))
    seen.faults.append(FaultRun(Fault("store-freeze", 5.0), "", 15.5, 19))

    assert takeover_times(seen) == {"node-kill": [2.5]}


def test_percentiles() -> None:
    """A percentile is one of the times."""
    times = [float(number) for number in range(100, 0, -1)]

    assert percentile(times, 50) == 50
    assert percentile(times, 99) == 99
    assert percentile([3.0], 99) == 3.0
