"""What is true of every tournament with rounds, whatever happens in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.protocol.errors import Refusal
from parlour.tournaments import commands
from parlour.tournaments.events import GameEnded
from parlour.tournaments.knockout import winner
from parlour.tournaments.log_file import faults
from parlour.tournaments.results import outcomes
from parlour.tournaments.standings import standings
from parlour.tournaments.state import Match, TournamentState
from tests.tournaments.playing import NOW, Played

EVENTFUL = 0.15  # the chance that something happens besides a result
FORFEITED = 0.1


class Eventful(Played):
    """A tournament in which players do not come, leave, pause, return and enter late, at any time."""

    def __init__(self, players: int, seed: int, **values: Any) -> None:
        self.chance = Random(seed)
        super().__init__(players, lambda _: self.chance.randrange(1000, 2400), **values)
        self._number = players

    def play_to_the_end(self) -> TournamentState:
        while not self.state.is_finished:
            if not any(self.state.unfinished):
                self.start_round()
                continue
            if self.chance.random() < EVENTFUL:
                self._happen()
            unfinished = list(self.state.unfinished)
            if unfinished:
                self._end_a_game(*self.chance.choice(unfinished))
        return self.state

    def _end_a_game(self, index: int, match: Match) -> None:
        number, game = len(self.state.rounds), len(match.winners)
        forfeit = self.chance.random() < FORFEITED
        won = self.chance.choice((match.first, match.second, *(() if forfeit else (None,))))
        self.apply(commands.report(self.state, number, index, game, won, NOW, forfeit=forfeit))

    def _happen(self) -> None:
        player = self.chance.choice(self.state.entries).player
        try:
            match self.chance.choice(("enter", "withdraw", "pause", "return")):
                case "enter":
                    self._number += 1
                    name = f"p{self._number}"
                    self.apply(commands.enter(self.state, name, name, self.chance.randrange(1000, 2400), NOW))
                case "withdraw":
                    self.apply(commands.withdraw(self.state, player, NOW))
                case "pause":
                    self.apply(commands.pause(self.state, player, NOW))
                case _:
                    self.apply(commands.rejoin(self.state, player, NOW))
        except Refusal:
            pass  # it is not for this player, or not in this format


def matches(state: TournamentState) -> Iterator[Match]:
    for played in state.rounds:
        yield from played.matches


def check_rounds(state: TournamentState) -> None:
    """No player is paired twice in a round, and each player is paired, has a bye, or is absent."""
    for played in state.rounds:
        here = [player for match in played.matches for player in (match.first, match.second)] + list(played.byes)
        assert len(here) == len(set(here))
        assert set(here) <= {entry.player for entry in state.entries}


def check_points(state: TournamentState) -> None:
    """The points of all players are those of all matches and byes, and nothing else."""
    decided = sum(len(match.forfeits) < len(match.winners) or match.leader is not None for match in matches(state))
    byes = 0 if state.settings.format == "round_robin" else sum(len(played.byes) for played in state.rounds)
    rows = standings(state)
    assert sum(row.points for row in rows) == decided + byes
    games = sum(match.points(match.first) + match.points(match.second) for match in matches(state))
    assert sum(row.games for row in rows) == games
    assert [row.rank for row in rows] == list(range(1, len(state.entries) + 1))


def balances(state: TournamentState) -> Iterator[int]:
    """Yield how many matches more each player has begun than not."""
    for entry in state.entries:
        sides = [match.is_first for match in outcomes(state, entry.player) if match.is_played]
        yield sides.count(True) - sides.count(False)


SEEDS = st.integers(0, 1 << 30)


@settings(max_examples=60, deadline=None)
@given(players=st.integers(4, 16), rounds=st.integers(1, 7), games=st.integers(1, 2), seed=SEEDS)
def test_swiss(players: int, rounds: int, games: int, seed: int) -> None:
    """No match that was played is played again, and no player begins three times more or less often than not."""
    played = Eventful(players, seed, format="swiss", rounds=min(rounds, players - 1), games=games)
    state = played.play_to_the_end()
    check_rounds(state)
    check_points(state)
    met = Counter(
        frozenset((match.first, match.second)) for match in matches(state) if len(match.forfeits) < len(match.winners)
    )
    assert set(met.values()) <= {1}
    byes = Counter(player for each in state.rounds for player in each.byes)
    assert set(byes.values()) <= {1}
    assert all(abs(balance) <= 3 for balance in balances(state))
    assert list(faults(played.log)) == []


@settings(max_examples=60, deadline=None)
@given(players=st.integers(2, 12), cycles=st.integers(1, 2), games=st.integers(1, 2), seed=SEEDS)
def test_round_robin(players: int, cycles: int, games: int, seed: int) -> None:
    """Each pair meets once in each cycle, and each player begins half of the matches."""
    played = Eventful(players, seed, format="round_robin", cycles=cycles, games=games)
    state = played.play_to_the_end()
    check_rounds(state)
    check_points(state)
    met = Counter(frozenset((match.first, match.second)) for match in matches(state))
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {cycles}
    begun = Counter(match.first for match in matches(state))
    assert all(abs(2 * begun[entry.player] - cycles * (players - 1)) <= 1 for entry in state.entries)
    assert list(faults(played.log)) == []


@settings(max_examples=60, deadline=None)
@given(players=st.integers(2, 17), games=st.integers(1, 3), third=st.booleans(), seed=SEEDS)
def test_knockout(players: int, games: int, third: bool, seed: int) -> None:
    """Each loses once at most, but for the third place; no pair meets twice; the sides change after each game."""
    played = Eventful(players, seed, format="knockout", games=games, third_place=third)
    state = played.play_to_the_end()
    check_rounds(state)
    check_points(state)
    met = Counter(frozenset((match.first, match.second)) for match in matches(state))
    assert set(met.values()) <= {1}
    has_third = third and players > 3
    assert len(list(matches(state))) == players - 1 + has_third
    final = state.rounds[-1].matches[0]
    rows = standings(state)
    assert [row.player for row in rows[:2]] == [winner(state, final), final.opponent(winner(state, final))]
    losses = Counter(match.opponent(winner(state, match)) for match in matches(state))
    assert set(losses.values()) <= {1, 2 if has_third else 1}
    assert winner(state, final) not in losses
    for match in matches(state):
        seats = Counter(match.seated(game)[0] for game in range(len(match.winners)))
        assert abs(seats[match.first] - seats[match.second]) <= 1
    ended = Counter((event.round, event.match, event.game) for event in played.log if isinstance(event, GameEnded))
    assert set(ended.values()) == {1}
    assert list(faults(played.log)) == []
