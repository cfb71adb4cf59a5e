"""The costs of commands: the processor time of the work behind each, for every game, with long random games.

    .venv/bin/python -m bench.costs [--seconds 1]

The figures for records are the basis of the table in `limits/costs.py`. What takes longer than 2 ms must not run on the
event loop.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import thread_time

from msgspec import Struct

from parlour import games
from parlour.games.match import Match
from parlour.games.perft import random_move
from parlour.games.rulebook import rulebook
from parlour.protocol.codec import MAX_MESSAGE_SIZE, MSGPACK
from parlour.protocol.messages import Rules
from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.archive import storage, verify, wire
from parlour.server.game_queries.lessons import lesson_of
from parlour.server.rooms import view
from parlour.server.rooms.events import AnyEvent, Ended, Participant, Played, decode, encode
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import RoomState, evolve, initial_state, unpack

LOOP_LIMIT = 0.002  # seconds that a command may keep the event loop busy
NOON = 1_700_000_000_000
PLAYERS = Participant("ada", Player("Ada", 1500)), Participant("ben", Player("Ben", 1500))
ROOM_FOR_TEXT = MAX_MESSAGE_SIZE - 200  # bytes of a record that fit into one message


class Work(Struct, frozen=True):
    """A piece of work behind a command."""

    name: str
    run: Callable[[], object]
    in_thread: bool  # outside the event loop


class LongGame(Struct, frozen=True):
    """A long random game whose record fits into a message: running, over, and its log."""

    running: RoomState
    over: RoomState
    log: tuple[AnyEvent, ...]


def long_game(key: str, seed: int = 1) -> LongGame:
    """Return a random game that is as long as a record may be."""
    chance = Random(seed)
    terms = Terms(key, {}, Clock("fischer", 300_000, 3_000))
    created = create(terms, complete_options(terms, None, chance), None, PLAYERS, NOON)
    room = initial_state("aB3dEf", created)
    log: list[AnyEvent] = [created]
    match = Match(room.rules, room.options, room.state)
    size, at = 1_000, NOON
    while match.outcome is None:
        move = random_move(room.rules, match.state, chance)
        size += len(room.rules.write(match.state, move)) + 12
        if size > ROOM_FOR_TEXT:
            break
        match.play(move)
        if match.outcome is not None:
            break
        at += chance.randrange(20_000)
        event = Played(at, move, 0, "session", len(match.moves))
        log.append(event)
        room = evolve(room, event)
    ended = Ended(at + 1_000, Result(0, "resigned", room.rules.scores(room.state)))
    return LongGame(room, evolve(room, ended), (*log, ended))


def works(key: str, game: LongGame) -> Iterator[Work]:
    """Yield the work behind the commands that take longest."""
    running, over = game.running, game.over
    record = storage.record_of(over)
    text, packed, snapshot = verify.write_json(record), storage.pack(over), running.pack()
    entries = [encode(event) for event in game.log]
    shown = view.scene(running)

    def read() -> object:
        return MSGPACK.encode(wire.record_message(verify.read(text), 1))

    def fold() -> object:
        first, *rest = map(decode, entries)
        room = initial_state("aB3dEf", first)
        for event in rest:
            room = evolve(room, event)
        return room

    yield Work("read_record", read, True)
    yield Work("get_record: restore", partial(storage.restore, packed), True)
    yield Work("get_record: draw", lambda: MSGPACK.encode(wire.room_message(over, 1)), True)
    yield Work("open a room: its whole log", fold, False)
    yield Work("open a room: its snapshot", partial(unpack, snapshot), False)
    yield Work("join: the whole room", lambda: MSGPACK.encode(view.snapshot(running, shown, 0, 1, NOON, 1)), False)
    yield Work("join, explore: choices", lambda: MSGPACK.encode(view.choices(running)), False)
    yield Work("get_rules", lambda: MSGPACK.encode(_rules(key)), False)
    yield Work("get_lesson", lambda: MSGPACK.encode(lesson_of(key)), False)


def _rules(key: str) -> Rules:
    book = rulebook(key)
    return Rules(id=1, game=key, text=book.text, examples=book.examples)


def fastest(run: Callable[[], object], seconds: float) -> float:
    """Return the processor time of the fastest of some calls."""
    run()
    best, spent = float("inf"), 0.0
    while spent < seconds:
        began = thread_time()
        run()
        took = thread_time() - began
        best, spent = min(best, took), spent + max(took, 1e-5)
    return best


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.2, help="to measure each (default: %(default)s)")
    arguments = parser.parse_args()
    for key in games.keys():
        game = long_game(key)
        size = len(verify.write_json(storage.record_of(game.over)))
        print(f"{key}: {game.running.ply} moves, record of {size:,} bytes")
        for work in works(key, game):
            took = fastest(work.run, arguments.seconds)
            where = "in a thread" if work.in_thread else "on the loop" + (" TOO LONG" if took > LOOP_LIMIT else "")
            print(f"  {work.name:28} {took * 1000:8.2f} ms  {where}")


if __name__ == "__main__":
    main()
