"""The pairings of the Dutch system."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.tournaments import dutch
from tests.tournaments.playing import Played


def test_the_upper_half_meets_the_lower_half() -> None:
    """In the first round the best player meets the first of the lower half, and so on; the last has a bye."""
    played = Played(5, format="swiss")
    pairs, byes = dutch.pairings(played.state, 3) or ((), ())
    assert {frozenset(pair) for pair in pairs} == {frozenset(("p1", "p3")), frozenset(("p2", "p4"))}
    assert byes == ("p5",)


def test_an_absent_player_is_not_paired() -> None:
    """A player who has left is not paired and has no bye."""
    state = Played(5, format="swiss").state
    first, *others = state.entries
    pairs, byes = dutch.pairings(replace(state, entries=(replace(first, is_withdrawn=True), *others)), 3) or ((), ())
    assert first.player not in {*byes, *(player for pair in pairs for player in pair)}
    assert len(pairs) == 2


def test_no_pairing_is_left() -> None:
    """Two players who have met cannot meet again."""
    played = Played(2, format="swiss", rounds=3)
    played.start_round()
    played.play_round(lambda match: match.first)
    assert dutch.pairings(played.state, 3) is None
