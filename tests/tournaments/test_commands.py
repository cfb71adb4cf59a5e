"""What players and organisers can do, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from parlour.protocol.errors import Refusal
from parlour.tournaments import commands
from parlour.tournaments.commands import MAX_AHEAD, OPEN_FOR
from parlour.tournaments.events import Cancelled, Finished, GameEnded
from parlour.tournaments.log_file import faults
from parlour.tournaments.results import outcomes
from parlour.tournaments.settings import MAX_PLAYERS
from parlour.tournaments.standings import standings, team_points
from tests.tournaments.playing import NOW, Played, settings


def code(action: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        action()
    return caught.value.code


def test_entries_are_refused() -> None:
    """A player enters once, before the start, as long as there is room."""
    played = Played(2, max_players=3)
    state = played.state
    assert code(lambda: commands.enter(state, "p1", "Player 1", 0, NOW)) == "already_entered"
    played.apply(commands.enter(state, "p3", "Player 3", 0, NOW))
    assert code(lambda: commands.enter(played.state, "p4", "Player 4", 0, NOW)) == "tournament_full"
    played.start_round()
    assert code(lambda: commands.enter(played.state, "p5", "Player 5", 0, NOW)) == "entry_refused"


def test_players_who_leave_make_room_but_not_without_end() -> None:
    """A return needs a free place, too, and a log does not grow without end by players who come and go."""
    played = Played(2, format="arena", duration=60_000, max_players=2)
    played.start_round()
    played.apply(commands.withdraw(played.state, "p1", NOW))
    played.apply(commands.enter(played.state, "p3", "Player 3", 0, NOW))
    assert code(lambda: commands.rejoin(played.state, "p1", NOW)) == "tournament_full"
    for number in range(4, MAX_PLAYERS["arena"] + 1):
        played.apply(commands.withdraw(played.state, f"p{number - 1}", NOW))
        played.apply(commands.enter(played.state, f"p{number}", f"Player {number}", 0, NOW))
    played.apply(commands.withdraw(played.state, "p1000", NOW))
    assert code(lambda: commands.enter(played.state, "p1001", "Player 1001", 0, NOW)) == "tournament_full"


def test_a_tournament_that_stays_empty_is_cancelled() -> None:
    """It has no start, and nothing has happened for a week."""
    played = Played(1, min_players=2)
    due = commands.deadline(played.state)
    assert due == NOW + OPEN_FOR
    assert commands.advance(played.state, due - 1) == []
    assert commands.advance(played.state, due) == [Cancelled(due)]


def test_withdrawals_are_refused() -> None:
    """Only players who take part can leave, and only until the end."""
    played = Played(3)
    assert code(lambda: commands.withdraw(played.state, "p9", NOW)) == "not_entered"
    played.start_round()
    played.apply(commands.withdraw(played.state, "p2", NOW))
    assert code(lambda: commands.withdraw(played.state, "p2", NOW)) == "not_entered"
    played.play()
    assert code(lambda: commands.withdraw(played.state, "p1", NOW)) == "tournament_over"


def test_players_pause_and_return() -> None:
    """A player who pauses or leaves is not paired until the return, and can do either only once."""
    played = Played(4, format="swiss", rounds=3, late_entry=True)
    played.start_round()
    played.apply(commands.pause(played.state, "p2", NOW))
    assert commands.pause(played.state, "p2", NOW) == []
    assert "p2" not in played.state.active
    played.apply(commands.rejoin(played.state, "p2", NOW))
    assert code(lambda: commands.rejoin(played.state, "p2", NOW)) == "already_entered"
    played.apply(commands.withdraw(played.state, "p2", NOW))
    played.apply(commands.rejoin(played.state, "p2", NOW))
    assert "p2" in played.state.active


def test_a_pause_needs_pairings_that_follow() -> None:
    """In a round robin every player meets every other one, so there is nothing to pause."""
    assert code(lambda: commands.pause(Played(3).state, "p1", NOW)) == "entry_refused"


def test_a_tournament_is_cancelled_before_it_begins() -> None:
    """After that nothing can be done in it; one that has begun goes on."""
    played = Played(2)
    played.apply(commands.cancel(played.state, NOW))
    assert code(lambda: commands.enter(played.state, "p3", "Player 3", 0, NOW)) == "tournament_over"
    begun = Played(2)
    begun.start_round()
    assert code(lambda: commands.cancel(begun.state, NOW)) == "entry_refused"


def test_an_operator_calls_off_what_has_begun() -> None:
    """Nothing follows after that, and the log is valid."""
    played = Played(3)
    played.start_round()
    assert code(lambda: commands.cancel(played.state, NOW)) == "entry_refused"
    played.apply(commands.terminate(played.state, NOW))
    assert played.state.status == "cancelled"
    assert commands.advance(played.state, NOW + 1) == []
    assert code(lambda: commands.terminate(played.state, NOW)) == "tournament_over"
    assert list(faults(played.log)) == []


def test_a_player_is_sent_away() -> None:
    """Once, like a player who withdraws; a simul that has not begun does not take place without its host."""
    played = Played(3)
    played.start_round()
    played.apply(commands.expel(played.state, "p2", NOW))
    assert "p2" not in played.state.active
    assert commands.expel(played.state, "p2", NOW) == []
    simul = Played(3, format="simul")
    for player, status in (("p2", "open"), ("p1", "cancelled")):
        simul.apply(commands.expel(simul.state, player, NOW))
        assert simul.state.status == status
    assert list(faults(played.log)) == list(faults(simul.log)) == []


def test_a_tournament_does_not_start_in_the_past() -> None:
    """The start is now, or later."""
    assert code(lambda: commands.create(settings(start=NOW - 1), NOW)) == "tournament_invalid"
    assert commands.create(settings(start=NOW + 1), NOW)


def test_a_tournament_does_not_wait_for_years() -> None:
    """It would keep the place of another one for all that time."""
    assert code(lambda: commands.create(settings(start=NOW + MAX_AHEAD + 1), NOW)) == "tournament_invalid"
    assert commands.create(settings(start=NOW + MAX_AHEAD), NOW)


def test_teams_are_chosen_from_the_list() -> None:
    """A player belongs to one of the teams, if there are any, and brings it the points."""
    played = Played(0, teams=("Reds", "Blues"))
    assert code(lambda: commands.enter(played.state, "p1", "Player 1", 0, NOW)) == "entry_refused"
    assert code(lambda: commands.enter(Played(0).state, "p1", "Player 1", 0, NOW, team="Reds")) == "entry_refused"
    for number, team in enumerate(("Reds", "Blues", "Reds"), 1):
        played.apply(commands.enter(played.state, f"p{number}", f"Player {number}", 0, NOW, team=team))
    played.start_round()
    state = played.play()
    rows = standings(state)
    assert {name: players for name, _, players in team_points(state, rows)} == {"Reds": 2, "Blues": 1}
    assert sum(points for _, points, _ in team_points(state, rows)) == sum(row.points for row in rows)


def test_a_code_is_kept_as_a_digest() -> None:
    """The log does not contain what players have to know."""
    assert commands.code_digest("") == ""
    assert commands.code_digest("open sesame") == commands.code_digest("open sesame") != "open sesame"


def test_rounds_are_refused() -> None:
    """A round needs two players and the end of the round before."""
    assert code(lambda: commands.start_round(Played(1).state, NOW)) == "tournament_invalid"
    played = Played(2)
    played.start_round()
    assert code(lambda: commands.start_round(played.state, NOW)) == "tournament_invalid"
    played.play_round()
    played.start_round()
    assert isinstance(played.log[-1], Finished)
    assert code(lambda: commands.start_round(played.state, NOW)) == "tournament_over"


def test_a_pause_is_between_rounds() -> None:
    """The tournament is over at once after its last round."""
    played = Played(3, pause=60_000)
    for pause in (60_000, 60_000, 0):
        played.start_round()
        assert commands.deadline(played.state) is None
        played.play_round()
        assert commands.deadline(played.state) == NOW + pause


@pytest.mark.parametrize(
    ("number", "match", "game", "winner"),
    [(2, 0, 0, "p1"), (0, 0, 0, "p1"), (1, 2, 0, "p1"), (1, -1, 0, "p1"), (1, 0, 1, "p1"), (1, 0, 0, "p2")],
)
def test_results_are_refused(number: int, match: int, game: int, winner: str) -> None:
    """A result has to be that of an awaited game, and the winner one of its players."""
    played = Played(4)
    assert code(lambda: commands.report(played.state, number, match, game, winner, NOW)) == "result_refused"
    played.start_round()
    assert code(lambda: commands.report(played.state, number, match, game, winner, NOW)) == "result_refused"


def test_a_result_counts_once() -> None:
    """The same result, reported again, is refused."""
    played = Played(2)
    played.start_round()
    played.apply(commands.report(played.state, 1, 0, 0, "p1", NOW))
    assert code(lambda: commands.report(played.state, 1, 0, 0, "p1", NOW)) == "result_refused"


def test_a_player_who_leaves_loses_the_rest() -> None:
    """After the running game, the others of the match and, in a round robin, of all later ones are lost."""
    played = Played(4, games=2)
    played.start_round()
    played.apply(commands.withdraw(played.state, "p1", NOW))
    played.apply(commands.report(played.state, 1, 0, 0, "p1", NOW))
    assert played.log[-1] == GameEnded(NOW, 1, 0, 1, "p4", forfeit=True)
    state = played.play()
    assert [each.code for each in outcomes(state, "p1")] == ["=", "-", "-"]


def test_two_players_who_both_left() -> None:
    """Neither of them gets a point for their match."""
    played = Played(4)
    played.start_round()
    for player in ("p1", "p3"):
        played.apply(commands.withdraw(played.state, player, NOW))
    played.play_round()
    played.start_round()
    played.play_round()
    assert [outcomes(played.state, player)[1].points for player in ("p1", "p3")] == [0, 0]


@hypothesis_settings(max_examples=40, deadline=None)
@given(
    players=st.integers(2, 9),
    kind=st.sampled_from(["round_robin", "swiss", "knockout"]),
    games=st.integers(1, 3),
    leaves=st.sets(st.integers(1, 9), max_size=3),
    seed=st.integers(0, 1 << 30),
)
def test_the_laws_of_every_format(players: int, kind: str, games: int, leaves: set[int], seed: int) -> None:
    """Whatever happens, no player is paired twice in a round, every tournament ends, and the points add up."""
    chance = Random(seed)
    played = Played(players, format=kind, games=games)
    played.start_round()
    for number in leaves & set(range(1, players + 1)):
        played.apply(commands.withdraw(played.state, f"p{number}", NOW))
    played.play(lambda match: chance.choice((match.first, match.second, None)))
    state = played.state
    for each in state.rounds:
        here = [player for match in each.matches for player in (match.first, match.second)] + list(each.byes)
        assert len(here) == len(set(here))
    matches = [match for each in state.rounds for match in each.matches]
    won = sum(any(match.winners) or len(match.forfeits) < len(match.winners) for match in matches)
    byes = 0 if kind == "round_robin" else sum(len(each.byes) for each in state.rounds)
    rows = standings(state)
    assert [row.rank for row in rows] == list(range(1, players + 1))
    assert sum(row.points for row in rows) == won + byes
    assert sum(row.games for row in rows) == sum(
        match.points(match.first) + match.points(match.second) for match in matches
    )
