"""Ratings converge on the strength of the players, in a simulated population of known strength."""

from __future__ import annotations

import pytest
from docs.population import SEED, simulate

DOCUMENTED = simulate(SEED)


def test_ratings_converge() -> None:
    """After 60 games each the order is nearly right, and the mean error is what the deviations predict."""
    last = DOCUMENTED.rounds[-1]
    assert DOCUMENTED.correlation == pytest.approx(0.98, abs=0.005)
    assert last.error == pytest.approx(48, abs=0.5)
    assert last.predicted == pytest.approx(last.error, rel=0.1)
    assert last.within == pytest.approx(0.94, abs=0.005)
    assert last.sure == 1


def test_the_error_shrinks() -> None:
    """Ratings improve with every ten games per player, and are about 100 points off after the first ten."""
    errors = [DOCUMENTED.rounds[played - 1].error for played in (1, 10, 20, 30, 40, 50)]
    assert errors == sorted(errors, reverse=True)
    assert errors[1] == pytest.approx(100, abs=5)


@pytest.mark.parametrize("seed", range(5))
def test_other_seeds(seed: int) -> None:
    """Ratings converge whatever the seed."""
    found = simulate(seed, players=100, rounds=40)
    assert found.correlation > 0.94
    assert found.rounds[-1].error < 75
    assert found.rounds[-1].within > 0.85


def test_the_seed_decides_everything() -> None:
    """The same seed gives the same games, so the picture can be redrawn."""
    assert simulate(3, 20, 5) == simulate(3, 20, 5)
    assert simulate(3, 20, 5) != simulate(4, 20, 5)
