"""A record tells a game from its beginning, and to watchers no more than they may see."""

from __future__ import annotations

from functools import reduce
from random import Random

import pytest

from parlour import games
from parlour.games.match import random_match
from parlour.protocol.messages import Record, RecordedMove
from parlour.protocol.tables import Clock, OptionValue, Player, Result, Terms
from parlour.server.record import record
from parlour.server.rooms.core import Room, created, evolve
from parlour.server.rooms.events import AnyEvent, Created, Ended, Played, TakenBack
from parlour.server.rooms.opening import Guest, agreed, opening

NOON = 1_700_000_000_000
ADA, BEN = Guest("id-of-ada", "Ada", 1600), Guest("id-of-ben", "easy", None, bot=True)
FISCHER = Clock("fischer", 300_000, 3_000)


def table(key: str, options: dict[str, OptionValue] | None = None, position: str | None = None, delay: int = 0) -> Room:
    """A game that has begun at noon."""
    terms = Terms(key, options or {}, FISCHER, rated=True)
    settled, start = agreed(terms, position, Random(1))
    first, *rest = opening(terms, settled, start, (ADA, BEN), NOON, delay=delay)
    assert isinstance(first, Created)
    return after(created("room", first), *rest)


def after(room: Room, *events: AnyEvent) -> Room:
    return reduce(evolve, events, room)


def played(room: Room, moves: int) -> Room:
    """So many moves of a random game later, each of which took a second more than the one before."""
    match = random_match(room.rules, room.options, Random(3))
    at = NOON
    for number, move in enumerate(match.moves[:moves], 1):
        at += number * 1000
        room = evolve(room, Played(at, move, 0, "id", number))
    return room


@pytest.mark.parametrize("key", ["isaac", "mapello", "mitsudomoe", "replica"])
def test_a_record_leads_to_the_same_position(key: str) -> None:
    """With options, first scene and moves anybody can play the game through again."""
    room = played(table(key), 6)
    told = record(room, 7)
    game = games.find(key)
    state = game.initial(game.options(told.options))
    assert told.first == game.scene(state)
    for move in told.moves:
        state = game.apply(state, game.read(state, move.move))
    assert state == room.state
    assert (told.id, told.room, told.started, told.result) == (7, "room", NOON, None)
    assert told.rules_version == game.info.rules_version
    assert told.board == game.board(room.options)
    assert told.terms == Terms(key, dict(room.options), FISCHER, rated=True)
    assert told.players == (Player("Ada", 1600), Player("easy", bot=True))


def test_a_record_tells_the_time_of_each_move() -> None:
    """In milliseconds, beside the move, in the order of the game."""
    room = played(table("mapello"), 3)
    assert record(room, 0).moves == tuple(map(RecordedMove, room.texts, (1000, 2000, 3000)))


def test_a_record_keeps_the_seed_of_a_random_board() -> None:
    """The board that was drawn can be drawn again."""
    room = table("mapello", {"board": "random"})
    told = record(room, 0)
    game = games.find("mapello")
    assert told.options["board"] == "random"
    assert game.scene(game.initial(game.options(told.options))) == told.first


def test_a_record_begins_where_the_game_began() -> None:
    """A game from a position of its own says so, and its first scene is that position."""
    game = games.find("replica")
    state = random_match(game, game.options({}), Random(5)).states[8]
    told = record(table("replica", position=game.print(state)), 0)
    assert told.position == game.print(state)
    assert told.first == game.scene(state)


def test_what_was_taken_back_is_not_in_it() -> None:
    """Only the moves that count are told."""
    room = played(table("mapello"), 4)
    again = after(room, TakenBack(NOON + 60_000, 0, 2, "id", 99))
    assert [move.move for move in record(again, 0).moves] == list(room.texts[:2])


def seen_by(room: Room, *, for_player: bool) -> int:
    told: Record = record(room, 0, for_player=for_player)
    return len(told.moves)


def test_watchers_who_are_kept_behind_cannot_look_ahead() -> None:
    """In a game with a delay the moves are for the players alone until it is over."""
    room = played(table("mapello", delay=5_000), 4)
    assert seen_by(room, for_player=True) == 4
    assert seen_by(room, for_player=False) == 0
    over = after(room, Ended(NOON + 60_000, Result(0, "resigned"), 1))
    assert seen_by(over, for_player=False) == 4
    assert record(over, 0).result == Result(0, "resigned")
    assert seen_by(played(table("mapello"), 4), for_player=False) == 4
