"""What clients are told of a game from its beginning, and to watchers no more than they may see."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour import games
from parlour.protocol.messages import RecordedMove
from parlour.protocol.scene import patch
from parlour.protocol.tables import Player, Result, Terms
from parlour.server.records import notation
from parlour.server.records.document import read
from parlour.server.records.keeping import record_of
from parlour.server.records.telling import line, tell, tell_read
from parlour.server.rooms import presenter
from parlour.server.rooms.core import Room
from parlour.server.rooms.events import Ended, TakenBack
from tests.server.records.played_games import ADA, BEN, GAMES, NOON, after, finished, history, table


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_replay_shows_what_was_shown(key: str, seed: int) -> None:
    """With the first scene and the changes anybody sees at each move what the players saw, marks and all."""
    rooms = history(key, seed, 40)
    told = tell(rooms[-1], 7)
    scene = told.first
    assert scene == presenter.scene(rooms[0])
    for move, room in zip(told.moves, rooms[1:-1], strict=True):
        assert move.change is not None
        scene = patch(scene, move.change)
        assert scene == presenter.scene(room)


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_record_that_was_saved_is_told_like_the_game(key: str, seed: int) -> None:
    """Whoever reads a text again gets the very message that he got when he saved it."""
    room = finished(key, seed, 40)
    told = tell(room, 7)
    assert told.text == notation.write(record_of(room))
    assert told.chain == record_of(room).chain
    assert tell_read(read(told.text), 7) == told


@pytest.mark.parametrize("key", GAMES)
def test_everything_around_the_moves(key: str) -> None:
    """Terms, players, board, and when it began and ended."""
    room = finished(key, 4)
    told = tell(room, 7)
    game = games.find(key)
    assert (told.id, told.room, told.started, told.ended) == (7, "aB3dEf", NOON, room.ended)
    assert told.result == room.result
    assert told.rules_version == game.info.rules_version
    assert told.board == game.board(room.options)
    assert told.options == dict(room.options)
    assert told.terms == Terms(key, dict(room.options), room.clock)
    assert told.players == (Player(ADA.name, 1612), Player(BEN.name, 1500, sure=False, bot=True))


def test_a_running_game() -> None:
    """Has neither result nor chain nor text yet."""
    room = history("mapello", 3, 5)[4]
    told = tell(room, 0)
    assert [move.move for move in told.moves] == list(room.texts)
    assert [move.took for move in told.moves] == list(room.used)
    assert (told.result, told.chain, told.text, told.ended) == (None, "", "", 0)


def test_a_record_begins_where_the_game_began() -> None:
    """A game from a position of its own says so, and its first scene is that position."""
    start = finished("replica", 5, 8)
    position = start.rules.print(start.state)
    told = tell(table("replica", position=position), 0)
    assert told.position == position
    assert told.first == start.rules.scene(start.state)


def test_what_was_taken_back_is_not_in_it() -> None:
    """Only the moves that count are told."""
    room = history("mapello", 3, 5)[4]
    again = after(room, TakenBack(NOON + 600_000, 0, 2, "id", 99))
    assert [move.move for move in tell(again, 0).moves] == list(room.texts[:2])


def seen(room: Room, *, for_player: bool) -> tuple[RecordedMove, ...]:
    return tell(room, 0, for_player=for_player).moves


def test_watchers_who_are_kept_behind_cannot_look_ahead() -> None:
    """In a game with a delay the moves are for the players alone until it is over."""
    room = replace(history("mapello", 3, 5)[4], delay=5_000)
    assert len(seen(room, for_player=True)) == 4
    assert len(seen(room, for_player=False)) == 0
    over = after(room, Ended(NOON + 600_000, Result(0, "resigned"), 1))
    assert len(seen(over, for_player=False)) == 4
    assert len(seen(replace(room, delay=0), for_player=False)) == 4


def test_a_line_in_a_list() -> None:
    """Who, what, how it ended, and when."""
    room = finished("isaac", 4)
    told = line(record_of(room))
    assert (told.room, told.game, told.plies, told.ended) == ("aB3dEf", "isaac", room.ply, room.ended)
    assert (told.result, told.rated, told.clock) == (room.result, False, room.clock)
    assert told.players == tell(room, 0).players
