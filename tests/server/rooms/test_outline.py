"""What a node knows about a room whose rules it does not support."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode
from parlour.protocol.types import Clock, Player, Result
from parlour.server.rooms.events import AnyEvent, Chose, Created, Ended, Participant, Played, Started
from parlour.server.rooms.outline import Outline, outline
from tests.server.rooms.sample_rooms import ADA, BEN, NOON

CREATED = Created(NOON, "chess", {"pieces": 32}, Clock(), (ADA, BEN), rated=True, private=True, rules_version=7)
MOVE = Played(NOON + 5, (1, 2, 3), 0, ADA.id, 1)


def outlined(*events: AnyEvent) -> Outline:
    found = outline("r", (CREATED, *events))
    assert found is not None
    return found


def test_a_running_game() -> None:
    """Moves are counted but not understood."""
    assert outlined(MOVE) == Outline("r", 2, "chess", 7, (ADA, BEN), rated=True, private=True)
    assert not outlined(MOVE).is_over
    assert outline("r", ()) is None


def test_players_by_seat() -> None:
    """A choice of who moves first may have swapped the seats; bots of the server are no people."""
    swapped = outlined(Chose(NOON, True, BEN.id, 1), Started(NOON))
    assert [swapped.seat_of(id) for id in (ADA.id, BEN.id, "another")] == [1, 0, None]
    assert outlined(Chose(NOON, False, BEN.id, 1)).players == (ADA, BEN)
    bot = Participant("computer 3 1", Player("Computer 3", bot=True), "3")
    found = outline("r", [replace(CREATED, players=(ADA, bot))])
    assert found is not None
    assert found.people == [ADA.id]


def test_a_game_that_is_over() -> None:
    """The result and the time of the end are known."""
    room = outlined(MOVE, Ended(NOON + 9, Result(0, "mate", (1, 0)), 1))
    assert room.is_over
    assert (room.seq, room.result, room.ended) == (3, Result(0, "mate", (1, 0)), NOON + 9)


@pytest.mark.parametrize(
    ("events", "code", "words"),
    [
        ((), ErrorCode.RULES_UNSUPPORTED, "Another node may."),
        ((Ended(NOON, Result(None, "aborted")),), ErrorCode.GAME_OVER, "The game was aborted."),
        ((Ended(NOON, Result(1, "resigned")),), ErrorCode.GAME_OVER, "See its record."),
    ],
    ids=["running", "aborted", "finished"],
)
def test_why_it_cannot_be_opened(events: tuple[AnyEvent, ...], code: ErrorCode, words: str) -> None:
    """Only a running game is worth another node."""
    refusal = outlined(*events).refusal()
    assert refusal.code is code
    assert words in refusal.sentence
    assert "version 7 of the rules of “chess”" in refusal.sentence
