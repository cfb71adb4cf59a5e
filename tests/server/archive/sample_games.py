"""Random games with durations, ended in every way."""

from __future__ import annotations

from functools import reduce
from random import Random

from parlour.games.match import Match
from parlour.games.perft import random_move
from parlour.protocol.types import Clock, OptionValue, Player, Result, Terms
from parlour.server.archive.record import Entry, GameRecord
from parlour.server.rooms.events import AnyEvent, Ended, Participant, Played
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import RoomState, evolve, initial_state

NOON = 1_700_000_000_000
GAMES = ("isaac", "mapello", "mitsudomoe", "replica", "noughts")
ADA = Participant("id-of-ada", Player("Ada", 1612))
BEN = Participant("id-of-ben", Player("Ben “the \\ Bot”", 1500, bot=True, provisional=True))
FISCHER = Clock("fischer", 300_000, 3_000)
CLOCKS = (Clock(), FISCHER, Clock("byoyomi", 60_000, 10_000, 3))

# A game that is written down: whatever is made of it must stay the same for ever.
KNOWN = GameRecord(
    room="aB3dEf",
    terms=Terms("noughts", {"misere": False}, Clock("fischer", 60_000, 1_000), rated=True),
    players=(Player("Ada", 1500), Player("Ben “the \\ Bot”", 1612, provisional=True, bot=True)),
    moves=(Entry("b2", 1500), Entry("a1", 20), Entry("c3", 61_007)),
    rules_version=1,
    result=Result(0, "resigned"),
    started=NOON,
    ended=NOON + 65_000,
)


def new_game(
    key: str, seed: int = 1, options: dict[str, OptionValue] | None = None, position: str | None = None
) -> RoomState:
    """Return a game that started at noon."""
    terms = Terms(key, options or {}, CLOCKS[seed % 3])
    event = create(terms, complete_options(terms, position, Random(seed)), position, (ADA, BEN), NOON)
    return initial_state("aB3dEf", event)


def after(room: RoomState, *events: AnyEvent) -> RoomState:
    return reduce(evolve, events, room)


def history(key: str, seed: int, most: int = 1000, position: str | None = None) -> list[RoomState]:
    """Return the room before the first move of a random game, after each move, and after the end."""
    chance = Random(seed)
    rooms = [new_game(key, seed, position=position)]
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


def finished(key: str, seed: int, most: int = 1000, position: str | None = None) -> RoomState:
    """Return the end of such a game."""
    return history(key, seed, most, position)[-1]
