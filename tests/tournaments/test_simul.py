"""The host plays each other player once, all at the same time."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.protocol.errors import Refusal
from parlour.protocol.types import HostSide
from parlour.tournaments import commands
from parlour.tournaments.cross_table import cross_table
from parlour.tournaments.log_file import faults
from parlour.tournaments.standings import standings
from parlour.tournaments.trf import report
from tests.tournaments.playing import NOW, Played, first_wins

SIDES: tuple[HostSide, ...] = ("first", "second", "alternating", "random")


@settings(max_examples=60, deadline=None)
@given(
    opponents=st.integers(1, 12),
    side=st.sampled_from(SIDES),
    late=st.sets(st.integers(1, 13), max_size=3),
    seed=st.integers(0, 1 << 30),
)
def test_the_laws_of_a_simul(opponents: int, side: HostSide, late: set[int], seed: int) -> None:
    """The host meets each opponent once in one round, whatever happens all games end, and the points add up."""
    chance = Random(seed)
    played = Played(opponents + 1, rating=lambda number: chance.randrange(3000), format="simul", host_side=side)
    played.start_round()
    for number in late & set(range(1, opponents + 2)):
        played.apply(commands.withdraw(played.state, f"p{number}", NOW))
    state = played.play(lambda match: chance.choice((match.first, match.second, None)))

    [only] = state.rounds
    met = Counter(match.opponent("p1") for match in only.matches)
    assert met == Counter(f"p{number}" for number in range(2, opponents + 2))
    assert all("p1" in (match.first, match.second) for match in only.matches)
    begun = sum(match.first == "p1" for match in only.matches)
    assert begun in {
        "first": {opponents}, "second": {0}, "alternating": {(opponents + 1) // 2}, "random": range(opponents + 1)
    }[side]  # fmt: skip

    rows = standings(state)
    assert rows[0].player == "p1"
    assert [row.rank for row in rows] == list(range(1, opponents + 2))
    assert sum(row.points for row in rows) == opponents
    assert list(faults(played.log)) == []


def test_the_lots_differ() -> None:
    """Drawn by lot, the host begins some games and not others."""
    played = Played(40, format="simul", host_side="random")
    played.start_round()
    assert {match.first == "p1" for match in played.state.rounds[0].matches} == {True, False}


def test_the_host_is_the_organiser() -> None:
    """Another player cannot enter first, and there is no simul without its host."""
    played = Played(0, format="simul")
    with pytest.raises(Refusal) as caught:
        commands.enter(played.state, "p2", "Player 2", 0, NOW)
    assert caught.value.code == "entry_refused"
    played = Played(3, format="simul")
    with pytest.raises(Refusal) as caught:
        commands.withdraw(played.state, "p1", NOW)
    assert caught.value.code == "entry_refused"
    played.apply(commands.withdraw(played.state, "p2", NOW))
    assert [entry.player for entry in played.state.entries] == ["p1", "p3"]


def test_a_host_who_leaves() -> None:
    """The running games go on."""
    played = Played(3, format="simul")
    played.start_round()
    played.apply(commands.withdraw(played.state, "p1", NOW))
    assert len(list(played.state.running)) == 2


def test_reports() -> None:
    """The table has the results of the host on one line; FIDE's format is not for a simul."""
    played = Played(3, format="simul")
    state = played.play(first_wins)
    assert cross_table(state) == [
        "   player    points    results",
        "1  Player 1       2  1 w2 1 w3",
        "2  Player 2       0       0 b1",
        "3  Player 3       0       0 b1",
    ]
    with pytest.raises(Refusal):
        report(state, NOW, NOW)
