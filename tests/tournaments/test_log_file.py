"""The log as a file, and what makes it invalid."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.protocol.errors import Refusal
from parlour.tournaments import commands
from parlour.tournaments.events import Entered, Event, GameEnded, RoundStarted
from parlour.tournaments.log_file import faults, is_log, read, write
from tests.tournaments.playing import NOW, Played, settings


def log(kind: str = "swiss") -> list[Event]:
    """Return the log of a whole tournament that a player has left."""
    played = Played(6, format=kind)
    played.start_round()
    played.apply(commands.withdraw(played.state, "p3", NOW))
    played.play()
    return played.log


@pytest.mark.parametrize("kind", ["round_robin", "swiss", "knockout", "simul"])
def test_a_real_log_is_valid(kind: str) -> None:
    """Every pairing and every result follows from what happened before."""
    events = log(kind)
    text = "".join(write(event) for event in events)
    assert is_log(text)
    assert read(text) == events
    assert list(faults(events)) == []


def test_other_texts_are_refused() -> None:
    """The sentence names the line."""
    for text in ("", "{}\n", write(log()[1]), write(log()[0]) + "nonsense\n"):
        with pytest.raises(Refusal) as caught:
            read(text)
        assert caught.value.code == "record_broken"
    assert "Line 2" in caught.value.sentence


def test_a_changed_log_is_invalid() -> None:
    """Another pairing, another winner, a missing or a repeated event, and impossible times are found."""
    events = log()
    started = next(index for index, event in enumerate(events) if isinstance(event, RoundStarted))
    ended = next(index for index, event in enumerate(events) if isinstance(event, GameEnded))
    paired, result = events[started], events[ended]
    assert isinstance(paired, RoundStarted)
    swapped = replace(paired, pairs=tuple((second, first) for first, second in paired.pairs))
    changes: list[list[Event]] = [
        [*events[:started], swapped, *events[started + 1 :]],
        [*events[:ended], replace(result, winner="p9"), *events[ended + 1 :]],
        [*events[:ended], *events[ended + 1 :]],
        [*events[: ended + 1], result, *events[ended + 1 :]],
        [*events[:ended], replace(result, at=0), *events[ended + 1 :]],
        [*events, Entered(NOW, "p9", "Player 9")],
        [*events, events[0]],
        [replace(events[0], settings=settings(games=0)), *events[1:]],
    ]
    for changed in changes:
        assert list(faults(changed)), changed


def test_a_round_that_begins_too_early() -> None:
    """Before the start, in the pause between two rounds, or before there are enough players."""
    for values in ({"start": NOW + 1}, {"pause": 1_000}, {"min_players": 5}):
        played = Played(4, format="swiss", rounds=2, **values)  # type: ignore[arg-type]
        played.play()
        assert any("too early" in fault for fault in faults(played.log)), values
