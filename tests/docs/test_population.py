"""Ratings find out how strong players are: a population of known strength, from a fixed seed."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from docs.drawing.population import SEED, draw, simulated

FULL = simulated(SEED)


def test_ratings_converge() -> None:
    """After 60 games each the order is nearly right, and the mean error is what the deviations say."""
    last = FULL.rounds[-1]
    assert FULL.correlation == pytest.approx(0.98, abs=0.005)
    assert last.error == pytest.approx(48, abs=0.5)
    assert last.claimed == pytest.approx(last.error, rel=0.1)
    assert last.within == pytest.approx(0.94, abs=0.005)
    assert last.sure == 1


def test_the_error_shrinks() -> None:
    """With every ten games that everybody plays the ratings get better, and they are about 100 points off after ten."""
    errors = [FULL.rounds[played - 1].error for played in (1, 10, 20, 30, 40, 50)]
    assert errors == sorted(errors, reverse=True)
    assert errors[1] == pytest.approx(100, abs=5)


@pytest.mark.parametrize("seed", range(5))
def test_other_seeds(seed: int) -> None:
    """It is not the luck of one seed."""
    found = simulated(seed, players=100, rounds=40)
    assert found.correlation > 0.94
    assert found.rounds[-1].error < 75
    assert found.rounds[-1].within > 0.85


def test_the_same_games_every_time() -> None:
    """A seed decides about everything, so the picture can be drawn again."""
    assert simulated(3, 20, 5) == simulated(3, 20, 5)
    assert simulated(3, 20, 5) != simulated(4, 20, 5)


def test_the_picture_shows_everybody() -> None:
    """A dot for each player."""
    found = simulated(3, 20, 10)
    drawn = ElementTree.fromstring(draw(found, "title"))
    assert len(drawn.findall(".//{http://www.w3.org/2000/svg}circle")) == 20
