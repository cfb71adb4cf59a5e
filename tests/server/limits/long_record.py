"""A record that takes many milliseconds to replay."""

from __future__ import annotations

from random import Random

from parlour.games.match import Match
from parlour.games.perft import random_move
from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.archive import storage, verify
from parlour.server.rooms.events import Ended, Participant, Played
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import evolve, initial_state


def long_record() -> str:
    """Return the record of a long game, which takes many milliseconds to replay."""
    chance = Random(1)
    terms = Terms("mitsudomoe", {}, Clock("fischer", 300_000, 3_000))
    players = Participant("ada", Player("Ada")), Participant("ben", Player("Ben"))
    room = initial_state("aB3dEf", create(terms, complete_options(terms, None, chance), None, players, 1_000))
    match = Match(room.rules, room.options, room.state)
    while len(match.moves) < 240:
        move = random_move(room.rules, match.state, chance)
        match.play(move)
        if match.outcome is not None:
            break
        room = evolve(room, Played(1_000, move, 0, "session", len(match.moves)))
    ended = Ended(2_000, Result(0, "resigned", room.rules.scores(room.state)))
    return verify.write_json(storage.record_of(evolve(room, ended)))
