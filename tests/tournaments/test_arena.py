"""Players of an arena are paired as soon as they are free, and streaks and halved clocks bring more points."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.tournaments import commands
from parlour.tournaments.arena import REPEAT_AFTER
from parlour.tournaments.events import GameEnded, RoundStarted
from parlour.tournaments.log_file import faults
from parlour.tournaments.standings import standings
from tests.tournaments.playing import NOW, Played

MINUTE = 60_000


def arena(players: int, duration: int = MINUTE) -> Played:
    return Played(players, format="arena", duration=duration, max_players=50, berserk=True)


def play(played: Played, winners: list[str | None], *, berserk: tuple[str, ...] = ()) -> None:
    """Let the only two players meet again and again, a moment apart."""
    for winner in winners:
        now = max(played.state.changed + commands.PAIR_EVERY, NOW)
        played.apply(commands.start_round(played.state, now))
        number = len(played.state.rounds)
        played.apply(commands.report(played.state, number, 0, 0, winner, now, berserk=berserk))


def points(played: Played) -> dict[str, float]:
    return {row.player: row.points for row in standings(played.state)}


def test_points_double_after_two_wins() -> None:
    """A win brings 2 points and a draw 1, after two wins in a row twice as many, until the streak ends."""
    played = arena(2)
    play(played, ["p1", "p1", "p1", None, None, "p1"])
    assert [each.points for each in played.state.arena["p1"].results] == [2, 4, 2, 1, 2]
    assert points(played) == {"p1": 13, "p2": 2}


def test_a_halved_clock() -> None:
    """Brings a point more for a win, and nothing for a draw or a loss."""
    played = arena(2)
    play(played, ["p1", "p2", None], berserk=("p1",))
    assert points(played) == {"p1": 4, "p2": 3}


def test_an_absent_player_is_not_paired_again() -> None:
    """The player loses, and has to come back before the next game."""
    played = arena(2)
    played.apply(commands.start_round(played.state, NOW))
    played.apply(commands.report(played.state, 1, 0, 0, "p1", NOW, forfeit=True))
    assert points(played) == {"p1": 2, "p2": 0}
    assert played.state.active == ["p1"]
    played.apply(commands.rejoin(played.state, "p2", NOW))
    assert played.state.active == ["p1", "p2"]


def test_the_same_opponent_after_a_while() -> None:
    """Two of four players who have just met wait for the others, but not for ever."""
    played = arena(4)
    played.apply(commands.start_round(played.state, NOW))
    first = played.state.rounds[0].matches[0]
    played.apply(commands.report(played.state, 1, 0, 0, first.first, NOW + 1_000))
    assert commands.advance(played.state, NOW + 3_000) == []
    (started,) = commands.advance(played.state, NOW + 1_000 + REPEAT_AFTER)
    assert isinstance(started, RoundStarted)
    assert set(started.pairs[0]) == {first.first, first.second}


def test_three_players_take_turns() -> None:
    """However well two of them play, the third one is paired as often."""
    played = arena(3)
    for game in range(6):
        now = NOW + (game + 1) * commands.PAIR_EVERY
        (started,) = commands.advance(played.state, now)
        assert isinstance(started, RoundStarted)
        played.apply([started])
        played.apply(commands.report(played.state, game + 1, 0, 0, min(started.pairs[0]), now))
    assert [each.games for each in played.state.arena.values()] == [4, 4, 4]


def test_the_end_waits_for_the_last_games() -> None:
    """No game begins after the time is up, and those that are running still count."""
    played = arena(4)
    played.apply(commands.start_round(played.state, NOW))
    played.apply(commands.report(played.state, 1, 0, 0, None, NOW + MINUTE))
    assert commands.advance(played.state, NOW + MINUTE) == []
    played.apply(commands.report(played.state, 1, 1, 0, None, NOW + MINUTE + 5_000))
    played.apply(commands.advance(played.state, NOW + MINUTE + 5_000))
    assert played.state.status == "finished"
    assert sum(points(played).values()) == 4


@settings(max_examples=40, deadline=None)
@given(players=st.integers(2, 12), seed=st.integers(0, 1 << 30))
def test_the_laws_of_arenas(players: int, seed: int) -> None:
    """Whatever happens: no player is in two games, sides alternate, points add up, and the log is valid."""
    chance = Random(seed)
    played = arena(players)
    now = NOW
    while not played.state.is_finished and now < NOW + 3 * MINUTE:
        now += chance.randrange(0, 2_000)
        played.apply(commands.advance(played.state, now))
        running = list(played.state.running)
        busy = [name for _, _, match in running for name in (match.first, match.second)]
        assert len(busy) == len(set(busy))
        for number, index, match in running:
            if chance.random() < 0.4:
                winner = chance.choice((match.first, match.second, None))
                played.apply(commands.report(played.state, number, index, 0, winner, now))
        player = f"p{chance.randrange(1, players + 1)}"
        entry = next(entry for entry in played.state.entries if entry.player == player)
        if chance.random() < 0.1 and played.state.status == "running":
            act = commands.pause if entry.is_active else commands.rejoin
            played.apply(act(played.state, player, now))
    assert played.state.is_finished
    assert list(faults(played.log)) == []
    assert all(abs(player.balance) <= 3 for player in played.state.arena.values())
    ended = [event for event in played.log if isinstance(event, GameEnded)]
    assert len({(event.round, event.match) for event in ended}) == len(ended)
    assert sum(len(played.matches) for played in played.state.rounds) == len(ended)
    assert sum(player.games for player in played.state.arena.values()) == 2 * len(ended)
    assert sum(player.halves for player in played.state.arena.values()) == 2 * len(ended)
