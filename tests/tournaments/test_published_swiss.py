"""The pairings are those that others have published.

The example is a regression test of bbpPairings (https://github.com/BieremaBoyzProgramming/bbpPairings, Apache-2.0):
60 players play 15 rounds by the rules that were valid until 2026, and some games are not played. In the file, each
player has a line, best first: the rating, and for each round the opponent, the colour and the result as in a report to
FIDE. Of the last round only the pairing is published.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from re import fullmatch
from typing import NamedTuple

import pytest

from parlour.tournaments import commands, swiss
from parlour.tournaments.events import Entered, Event, GameEnded, RoundStarted
from parlour.tournaments.state import fold
from tests.tournaments.playing import NOW, settings

ROUNDS = 15


class Game(NamedTuple):
    """A round of a player."""

    opponent: int
    is_first: bool
    result: str


class Player(NamedTuple):
    rating: int
    games: list[Game]


@cache
def players() -> dict[int, Player]:
    lines = Path(__file__).with_name("published_swiss.txt").read_text("utf-8").splitlines()
    return {number: read(line) for number, line in enumerate(lines, 1)}


def read(line: str) -> Player:
    rating, *games = line.split()
    found = [fullmatch(r"(\d+)([wb])([-10=+]?)", game) for game in games]
    return Player(int(rating), [Game(int(each[1]), each[2] == "w", each[3]) for each in found if each])


def pairs(number: int) -> list[tuple[int, int]]:
    """Return the published pairs of a round; the first player of each begins."""
    rounds = ((player, each.games[number - 1]) for player, each in players().items())
    return [(player, game.opponent) for player, game in rounds if game.is_first]


def played(rounds: int) -> list[Event]:
    """Return the log of the tournament after some rounds."""
    log = commands.create(settings(format="swiss", rounds=ROUNDS), NOW)
    log += [Entered(NOW, str(number), str(number), player.rating) for number, player in players().items()]
    for number in range(1, rounds + 1):
        log.append(RoundStarted(NOW, number, tuple((str(one), str(two)) for one, two in pairs(number))))
        for match, pair in enumerate(pairs(number)):
            results = [players()[player].games[number - 1].result for player in pair]
            winner = next((str(player) for player, result in zip(pair, results, strict=True) if result in "1+"), None)
            log.append(GameEnded(NOW, number, match, 0, winner, forfeit=results[0] in "+-"))
    return log


# The sides of the first round are drawn by lot.
@pytest.mark.parametrize("number", range(2, ROUNDS + 1))
def test_each_round_is_paired_as_published(number: int) -> None:
    """Every pair, and who begins."""
    found = swiss.pairings(fold(played(number - 1)))
    assert found is not None
    assert sorted(found[0]) == sorted((str(one), str(two)) for one, two in pairs(number))
    assert found[1] == ()
