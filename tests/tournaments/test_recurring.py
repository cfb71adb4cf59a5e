"""After a recurring tournament comes the next one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.errors import Refusal
from parlour.tournaments import commands
from parlour.tournaments.events import Created, Entered
from parlour.tournaments.log_file import faults
from parlour.tournaments.recurring import following, goes_on
from parlour.tournaments.settings import MAX_EVERY, MIN_EVERY
from tests.tournaments.playing import NOW, Played, settings

HOUR = 3_600_000


def weekly(players: int = 2) -> Played:
    return Played(players, format="swiss", start=NOW + HOUR, every=HOUR)


@given(late=st.integers(0, 50 * HOUR))
def test_the_next_one_begins_a_whole_number_of_intervals_later(late: int) -> None:
    """In the future, and as soon as possible, with the same settings and the levels of the computer."""
    played = weekly()
    played.apply(commands.enter(played.state, "Computer 3", "Computer 3", 1300, NOW, level="3"))
    state = played.play()
    now = NOW + HOUR + late
    created, entered = following(state, now)
    assert isinstance(created, Created)
    assert isinstance(entered, Entered)
    start = created.settings.start
    assert now < start <= now + HOUR
    assert (start - state.settings.start) % HOUR == 0
    assert (entered.player, entered.level) == ("Computer 3", "3")
    assert list(faults([created, entered])) == []


def test_when_a_series_ends() -> None:
    """The organiser cancels a tournament before its start, or no player has come."""
    assert not goes_on(weekly().state)
    for players, at, expected in [(1, NOW, False), (1, NOW + HOUR, True), (0, NOW + HOUR, False)]:
        played = weekly(players)
        played.apply(commands.advance(played.state, at) or commands.cancel(played.state, at))
        assert played.state.status == "cancelled"
        assert goes_on(played.state) == expected
    assert following(Played(2, format="swiss").play(), NOW) == []


@pytest.mark.parametrize("every", [MIN_EVERY - 1, MAX_EVERY + 1])
def test_intervals_have_limits(every: int) -> None:
    """A series does not fill the list, and needs a start to be counted from."""
    for values in ({"start": NOW, "every": every}, {"every": HOUR}, {"start": NOW, "every": HOUR, "format": "simul"}):
        with pytest.raises(Refusal) as caught:
            commands.create(settings(**values), NOW)
        assert caught.value.code == "tournament_invalid"
