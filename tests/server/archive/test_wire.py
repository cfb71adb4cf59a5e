"""Clients are sent games from their first move on, and spectators no more than they may see."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour import games
from parlour.protocol.messages import RecordedMove
from parlour.protocol.scene import patch
from parlour.protocol.types import Result, Terms
from parlour.server.archive import text_format
from parlour.server.archive.storage import record_of
from parlour.server.archive.verify import read
from parlour.server.archive.wire import record_message, room_message, summary
from parlour.server.rooms import view
from parlour.server.rooms.events import Ended, TakenBack
from parlour.server.rooms.state import RoomState
from tests.server.archive.sample_games import ADA, BEN, GAMES, NOON, after, finished, history, new_game


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_record_replays_every_scene(key: str, seed: int) -> None:
    """The first scene and the changes yield what the players saw after each move, including the marks."""
    rooms = history(key, seed, 40)
    told = room_message(rooms[-1], 7)
    scene = told.initial_scene
    assert scene == view.scene(rooms[0])
    for move, room in zip(told.moves, rooms[1:-1], strict=True):
        assert move.change is not None
        scene = patch(scene, move.change)
        assert scene == view.scene(room)


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_saved_record_is_sent_like_its_game(key: str, seed: int) -> None:
    """Reading the text of a record yields the same message."""
    room = finished(key, seed, 40)
    told = room_message(room, 7)
    assert told.text == text_format.write(record_of(room))
    assert told.chain == record_of(room).chain
    assert record_message(read(told.text), 7) == told


@pytest.mark.parametrize("key", GAMES)
def test_a_record_is_complete(key: str) -> None:
    """It has the terms, the players, the board, and the times of start and end."""
    room = finished(key, 4)
    told = room_message(room, 7)
    game = games.find(key)
    assert (told.id, told.room, told.started, told.ended) == (7, "aB3dEf", NOON, room.ended)
    assert told.result == room.result
    assert told.rules_version == game.info.rules_version
    assert told.board == game.board(room.options)
    assert told.options == dict(room.options)
    assert told.terms == Terms(key, dict(room.options), room.clock)
    assert told.players == (ADA.player, BEN.player)


def test_a_running_game_has_no_result() -> None:
    """It has no chain and no text yet."""
    room = history("mapello", 3, 5)[4]
    told = room_message(room, 0)
    assert [move.move for move in told.moves] == list(room.texts)
    assert [move.duration for move in told.moves] == [ply.took for ply in room.plies]
    assert (told.result, told.chain, told.text, told.ended) == (None, "", "", 0)


def test_a_record_starts_where_the_game_started() -> None:
    """A given position is part of the record, and the first scene shows it."""
    start = finished("replica", 5, 8)
    position = start.rules.print(start.state)
    told = room_message(new_game("replica", position=position), 0)
    assert told.position == position
    assert told.initial_scene == start.rules.scene(start.state)


def test_moves_that_were_taken_back_are_left_out() -> None:
    """Only the remaining moves are sent."""
    room = history("mapello", 3, 5)[4]
    again = after(room, TakenBack(NOON + 600_000, 0, 2, "id", 99))
    assert [move.move for move in room_message(again, 0).moves] == list(room.texts[:2])


def seen(room: RoomState, *, for_player: bool) -> tuple[RecordedMove, ...]:
    return room_message(room, 0, for_player=for_player).moves


def test_delayed_spectators_cannot_look_ahead() -> None:
    """In a game with a delay, only the players are sent the moves before the end."""
    room = replace(history("mapello", 3, 5)[4], delay=5_000)
    assert len(seen(room, for_player=True)) == 4
    assert len(seen(room, for_player=False)) == 0
    over = after(room, Ended(NOON + 600_000, Result(0, "resigned"), 1))
    assert len(seen(over, for_player=False)) == 4
    assert len(seen(replace(room, delay=0), for_player=False)) == 4


def test_the_summary_of_a_game() -> None:
    """It says who played what, how it ended, and when."""
    room = finished("isaac", 4)
    told = summary(record_of(room))
    assert (told.room, told.game, told.plies, told.ended) == ("aB3dEf", "isaac", room.ply, room.ended)
    assert (told.result, told.rated, told.clock) == (room.result, False, room.clock)
    assert told.players == room_message(room, 0).players
