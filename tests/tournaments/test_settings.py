"""Settings with which no tournament can be played are refused."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.protocol.errors import Refusal
from parlour.tournaments.settings import check
from tests.tournaments.playing import settings


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"format": "swiss", "rounds": 5, "max_players": 256},
        {"format": "knockout", "games": 4, "third_place": True},
        {"cycles": 2},
        {"format": "arena", "duration": 3_600_000, "max_players": 1_000, "berserk": True},
        {"format": "simul", "host_side": "random"},
    ],
)
def test_sensible_settings_are_accepted(values: dict[str, Any]) -> None:
    """Every format has its own choices."""
    check(settings(**values))


@pytest.mark.parametrize(
    "values",
    [
        {"name": " "},
        {"name": "x" * 61},
        {"name": "two\nlines"},
        {"games": 0},
        {"games": 21},
        {"rounds": 3},
        {"format": "swiss", "rounds": -1},
        {"format": "swiss", "rounds": 31},
        {"cycles": 3},
        {"format": "swiss", "cycles": 2},
        {"third_place": True},
        {"max_players": 1},
        {"min_players": 1},
        {"format": "swiss", "max_players": 4, "min_players": 5},
        {"pause": 25 * 3_600_000},
        {"ratings": (1500, 1400)},
        {"teams": ("Owls",)},
        {"teams": ("Owls", "Owls")},
        {"duration": 60_000},
        {"berserk": True},
        {"host_side": "second"},
        {"format": "simul", "games": 2},
        {"format": "simul", "pause": 1_000},
        {"format": "simul", "teams": ("Owls", "Foxes")},
        {"format": "arena"},
        {"format": "arena", "duration": 25 * 3_600_000},
        {"format": "arena", "duration": 60_000, "games": 2},
        {"format": "arena", "duration": 60_000, "pause": 1_000},
        {"max_players": 65},
        {"format": "knockout", "max_players": 257},
    ],
)
def test_nonsense_is_refused(values: dict[str, Any]) -> None:
    """Each refusal has the same code and its own sentence."""
    with pytest.raises(Refusal) as caught:
        check(settings(**values))
    assert caught.value.code == "tournament_invalid"
    assert caught.value.sentence.endswith(".")
