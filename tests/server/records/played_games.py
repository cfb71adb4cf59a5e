"""Games for tests: played by chance, with times, and ended in any way there is."""

from __future__ import annotations

from functools import reduce
from random import Random

from parlour.games.match import Match
from parlour.games.perft import random_move
from parlour.protocol.tables import Clock, OptionValue, Player, Result, Terms
from parlour.server.records.record import Entry, GameRecord
from parlour.server.rooms.core import Room, created, evolve
from parlour.server.rooms.events import AnyEvent, Created, Ended, Played
from parlour.server.rooms.opening import Guest, agreed, opening

NOON = 1_700_000_000_000
GAMES = ("isaac", "mapello", "mitsudomoe", "replica", "noughts")
ADA = Guest("id-of-ada", "Ada", 1612)
BEN = Guest("id-of-ben", "Ben “the \\ Bot”", 1500, bot=True, sure=False)
FISCHER = Clock("fischer", 300_000, 3_000)
CLOCKS = (Clock(), FISCHER, Clock("byoyomi", 60_000, 10_000, 3))

# A game that is written down: whatever is made of it must stay the same for ever.
KNOWN = GameRecord(
    room="aB3dEf",
    terms=Terms("noughts", {"misere": False}, Clock("fischer", 60_000, 1_000), rated=True),
    players=(Player("Ada", 1500), Player("Ben “the \\ Bot”", 1612, sure=False, bot=True)),
    moves=(Entry("b2", 1500), Entry("a1", 20), Entry("c3", 61_007)),
    rules_version=1,
    result=Result(0, "resigned"),
    started=NOON,
    ended=NOON + 65_000,
)


def table(key: str, seed: int = 1, options: dict[str, OptionValue] | None = None, position: str | None = None) -> Room:
    """A game that has begun at noon."""
    terms = Terms(key, options or {}, CLOCKS[seed % 3])
    settled, start = agreed(terms, position, Random(seed))
    first, *rest = opening(terms, settled, start, (ADA, BEN), NOON)
    assert isinstance(first, Created)
    return after(created("aB3dEf", first), *rest)


def after(room: Room, *events: AnyEvent) -> Room:
    return reduce(evolve, events, room)


def history(key: str, seed: int, most: int = 1000, position: str | None = None) -> list[Room]:
    """The room before the first move of a game by chance, after each, and after its end; resigned if it gets long."""
    chance = Random(seed)
    rooms = [table(key, seed, position=position)]
    room = rooms[0]
    match = Match(room.rules, room.options, room.state)
    at = NOON
    while match.outcome is None and len(match.moves) < most:
        move = random_move(room.rules, match.state, chance)
        match.play(move)
        at += chance.randrange(20_000)
        room = evolve(room, Played(at, move, 0, "id", len(match.moves)))
        rooms.append(room)
    outcome = match.outcome
    result = (
        Result(chance.randrange(2), "resigned", room.rules.scores(room.state))
        if outcome is None
        else Result(outcome.winner, outcome.reason, outcome.scores)
    )
    return [*rooms, evolve(room, Ended(at + chance.randrange(5_000), result))]


def finished(key: str, seed: int, most: int = 1000, position: str | None = None) -> Room:
    """The end of such a game."""
    return history(key, seed, most, position)[-1]
