"""Players with equal points meet, and never twice."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.tournaments import commands
from parlour.tournaments.swiss import rounds
from tests.tournaments.playing import Played


def test_the_first_round() -> None:
    """The upper half meets the lower half in order, and the sides alternate from board to board."""
    played = Played(8, format="swiss")
    played.start_round()
    found = [(match.first, match.second) for match in played.state.rounds[0].matches]
    assert found == [("p1", "p5"), ("p6", "p2"), ("p3", "p7"), ("p8", "p4")]


@pytest.mark.parametrize(("players", "expected"), [(2, 1), (3, 2), (8, 3), (9, 4), (16, 4)])
def test_as_many_rounds_as_it_needs(players: int, expected: int) -> None:
    """Without a chosen number there are enough rounds for one player to win all matches."""
    played = Played(players, format="swiss")
    assert rounds(played.state) == expected
    assert len(played.play().rounds) == expected


@settings(max_examples=25, deadline=None)
@given(players=st.integers(4, 14), seed=st.integers(0, 1 << 30), left=st.booleans())
def test_the_laws_of_swiss_tournaments(players: int, seed: int, left: bool) -> None:
    """Whatever the results: no pair meets twice, no player has two byes, and no side is chosen thrice in a row."""
    chance = Random(seed)
    played = Played(players, format="swiss", rounds=3)
    played.start_round()
    played.play_round(lambda match: chance.choice((match.first, match.second, None)))
    if left:
        played.apply(commands.withdraw(played.state, "p2", 1_700_000_000_000))
    state = played.play(lambda match: chance.choice((match.first, match.second, None)))

    pairs = Counter(frozenset((match.first, match.second)) for each in state.rounds for match in each.matches)
    assert set(pairs.values()) == {1}
    byes = Counter(player for each in state.rounds for player in each.byes)
    assert all(count == 1 for count in byes.values())
    for each in state.rounds:
        here = [player for match in each.matches for player in (match.first, match.second)] + list(each.byes)
        assert len(here) == len(set(here))
    for entry in state.entries:
        sides = [
            match.first == entry.player
            for each in state.rounds
            for match in each.matches
            if entry.player in (match.first, match.second)
        ]
        assert sides not in ([True] * 3, [False] * 3)


def test_a_player_who_has_left_is_not_paired() -> None:
    """The others go on, one of them with a bye."""
    played = Played(6, format="swiss", rounds=3)
    played.start_round()
    played.play_round()
    played.apply(commands.withdraw(played.state, "p3", 1_700_000_000_000))
    played.start_round()
    paired = {player for match in played.state.rounds[1].matches for player in (match.first, match.second)}
    assert "p3" not in paired
    assert len(paired) == 4
    assert len(played.state.rounds[1].byes) == 1
