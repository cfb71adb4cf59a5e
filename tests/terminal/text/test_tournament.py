"""Tournaments in words."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from parlour.protocol.messages import (
    RoundResult,
    StandingRow,
    Tournament,
    TournamentGame,
    TournamentSummary,
    YourTournament,
)
from parlour.protocol.types import Clock, Player, Terms, TournamentSettings
from parlour.terminal.text.tournament import (
    format_points,
    next_step,
    ordinal,
    pairing_lines,
    progress,
    settings_line,
    standing_lines,
    summary_line,
    takes_entries,
    withdrawal,
)

TERMS = Terms("mapello", clock=Clock("fischer", 300_000, 3_000), rated=True)
ARENA = TournamentSettings(name="Lunch", format="arena", terms=TERMS, duration=1_800_000)
SWISS = TournamentSettings(name="Autumn", format="swiss", terms=TERMS, ratings=(1200, 1800))
ADA, BEN = Player("Ada", 1900), Player("Ben", 1820, bot=True)


def summary(settings: TournamentSettings = SWISS, status: str = "running", **values: object) -> TournamentSummary:
    return TournamentSummary("t", settings, status, **{"players": 22, **values})  # type: ignore[arg-type]


def test_points_and_places() -> None:
    """Points are written with halves, places as ordinals."""
    assert [format_points(each) for each in (0, 50, 350, 825, 1000, 575)] == ["0", "½", "3½", "8.25", "10", "5.75"]
    assert [ordinal(each) for each in (1, 2, 3, 11, 22, 113)] == ["1st", "2nd", "3rd", "11th", "22nd", "113th"]


def test_the_settings_on_one_line() -> None:
    """The format, the game, the clock, and who may enter."""
    assert settings_line(ARENA, None) == "Arena, 30 min  mapello  5 min + 3 s  rated  people and bots"
    assert settings_line(SWISS, None).endswith("people and bots  rating 1200 to 1800")
    for every, words in [(5_400_000, "90 minutes"), (86_400_000, "day"), (1_209_600_000, "2 weeks")]:
        assert settings_line(replace(ARENA, every=every), None).endswith(f"people and bots  every {words}")
    coded = summary(ARENA, "open", needs_code=True, start=65_000)
    assert summary_line(coded, None, 0).endswith("22 players, by code, starts in 1:05")


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (summary(ARENA, "open", players=1), "waits for 1 more"),
        (summary(ARENA, "open", start=2 * 86_400_000), "starts in 2 d 0 h"),
        (summary(ARENA, "open", start=3_900_000), "starts in 1 h 5 min"),
        (summary(ARENA, end=60_000), "ends in 1:00"),
        (summary(ARENA, end=-1), "time is up, last games"),
        (summary(ARENA, "finished", winner=ADA), "Ada won"),
        (summary(ARENA, "cancelled"), "cancelled"),
    ],
)
def test_how_far_a_tournament_is(shown: TournamentSummary, words: str) -> None:
    """What it waits for, or how it ended."""
    assert progress(shown, 0) == words


def test_how_far_the_rounds_are() -> None:
    """The current round, or the time until the next one."""
    whole = Tournament(n=1, summary=summary(), round=2, rounds=5)
    assert progress(whole.summary, 0, whole) == "round 2 of 5"
    pausing = Tournament(n=1, summary=summary(), round=2, rounds=5, next_round=10_000)
    assert progress(pausing.summary, 0, pausing) == "round 3 in 0:10"


def test_the_standings_are_a_table() -> None:
    """Each result has the points, who began, and the rank of the opponent; the reader's row is marked."""
    rows = (
        StandingRow(1, ADA, 150, (RoundResult("won", 100, 2, 0), RoundResult("drawn", 50, 2, 1)), (825,)),
        StandingRow(
            2, BEN, 50, (RoundResult("lost", 0, 1, 1, forfeit=True), RoundResult("bye", 50)), (75,), state="paused"
        ),
    )
    whole = Tournament(n=1, summary=summary(), standings=rows, tie_breaks=("Buchholz",))
    assert standing_lines(whole, rows, "Ben") == [
        "    Player                   Points    R1    R2  Buchholz",
        " 1  Ada 1900                     1½   1w2   ½b2      8.25",
        "*2  Ben (bot) 1820 (paused)       ½  0fb1  ½bye      0.75",
    ]
    assert standing_lines(whole, ()) == ["No players yet."]


def test_an_arena_shows_the_last_games() -> None:
    """Only their points, the newest last."""
    rows = (StandingRow(1, ADA, 600, (RoundResult("won", 200, 2), RoundResult("won", 400, 2), RoundResult("playing"))),)
    assert standing_lines(Tournament(n=1, summary=summary(ARENA)), rows)[1].endswith("6     2 4 ...")


def test_a_performance_is_shown_after_the_first_game() -> None:
    """Before, the place in the table is empty."""
    rows = (StandingRow(1, ADA, 0, tie_breaks=(190_000,), performance=1900), StandingRow(2, BEN, 0, tie_breaks=(0,)))
    whole = Tournament(n=1, summary=summary(ARENA), standings=rows, tie_breaks=("Performance",))
    _, known, unknown = standing_lines(whole, rows)
    assert known.split()[-1] == "1900"
    assert unknown.split() == ["2", "Ben", "(bot)", "1820", "0"]


def test_a_simul() -> None:
    """The host's results are in one column; the host plays several games at once, the others one."""
    simul = summary(TournamentSettings(name="Simul", format="simul", terms=TERMS), players=3)
    host = StandingRow(1, ADA, 100, (RoundResult("won", 100, 2, 0), RoundResult("playing", 0, 3, 1)))
    loser = StandingRow(2, BEN, 0, (RoundResult("lost", 0, 1, 1),))
    assert standing_lines(Tournament(id=1, n=1, summary=simul), (host, loser)) == [
        "   Player          Points  Results",
        "1  Ada 1900             1  1w2 ...",
        "2  Ben (bot) 1820       0      0b1",
    ]
    both = StandingRow(1, ADA, 0, (RoundResult("playing", 0, 2, 0), RoundResult("playing", 0, 3, 1)))
    busy = YourTournament(tournament="t", state="playing", row=both, opponent=BEN)
    assert next_step(busy, simul) == "You play 2 games at once."
    done = YourTournament(tournament="t", state="waiting", row=loser)
    assert next_step(done, simul) == "Your game is over. You are 2nd of 3."
    hosted = replace(simul, organiser="Ada")
    over = YourTournament(tournament="t", state="finished", row=host)
    assert next_step(over, hosted) == "The tournament is over."


def test_pairings() -> None:
    """A running game has its room, a decided one its score."""
    games = (
        TournamentGame(1, (ADA, BEN), (1, 2), room="m4Tq"),
        TournamentGame(2, (BEN, ADA), (2, 1), points=(100, 0), over=True, forfeit=True),
    )
    assert pairing_lines(games, (Player("Cleo"),)) == [
        "   1  Ada 1900 (1) - Ben (bot) 1820 (2)  playing  m4Tq",
        "   2  Ben (bot) 1820 (2) - Ada 1900 (1)  1:0 not played",
        "      Cleo  no opponent in this round",
    ]
    assert pairing_lines(games, has_rooms=False)[0].endswith("  playing")


def test_the_standings_fit_a_narrow_window() -> None:
    """The last tie-breaks are left out first, then the oldest rounds; the points are always there."""
    results = tuple(RoundResult("won", 100, 2, 0) for _ in range(9))
    rows = (StandingRow(1, ADA, 900, results, (4500, 2025)), StandingRow(2, BEN, 850, results, (4400, 1980)))
    cup = Tournament(n=1, summary=summary(SWISS), round=9, tie_breaks=("Buchholz", "Sonneborn-Berger"))
    whole = standing_lines(cup, rows)
    assert standing_lines(cup, rows, width=len(whole[0])) == whole
    heads = {width: standing_lines(cup, rows, width=width)[0].split() for width in (90, 70, 40, 10)}
    assert heads[90][-2:] == ["R9", "Buchholz"]
    assert heads[70][-2:] == ["R8", "R9"]
    assert heads[40][1:3] == ["Points", "R7"]
    assert heads[10] == ["Player", "Points"]
    for width in (90, 70, 40):
        assert max(map(len, standing_lines(cup, rows, width=width))) <= width


def test_the_last_results_of_a_simul_fit() -> None:
    """Where all results are in one column, the newest ones stay."""
    simul = summary(TournamentSettings(name="Simul", format="simul", terms=TERMS), players=30)
    host = StandingRow(1, ADA, 2900, tuple(RoundResult("won", 100, rank, 0) for rank in range(2, 31)))
    head, row = standing_lines(Tournament(id=1, n=1, summary=simul), (host,), width=40)
    assert head.endswith("Results")
    assert row == "1  Ada 1900      29  ... 1w28 1w29 1w30"
    assert len(row) <= 40


def test_the_next_step() -> None:
    """A sentence for each state of the player."""
    row = StandingRow(5, ADA, 0)
    states: tuple[Any, ...] = ("playing", "entered", "waiting", "paused", "withdrawn", "eliminated", "finished")
    told = [next_step(YourTournament(tournament="t", state=each, row=row), summary(ARENA)) for each in states]
    assert told == [
        "You play empty seat now.",
        "You take part. Wait for the start.",
        "You are about to be paired. You are 5th of 22.",
        "You are not paired until you resume.",
        "You have withdrawn. Your results remain.",
        "You are out. You are 5th of 22.",
        "The tournament is over. You are 5th of 22.",
    ]
    paired = YourTournament(tournament="t", state="playing", opponent=BEN)
    assert next_step(paired, summary()) == "You play Ben (bot) 1820 now."


def test_entries_and_withdrawals() -> None:
    """Arenas and Swiss tournaments take late entries unless declined, and a withdrawal says whether it is final."""
    running = summary(replace(SWISS, late_entry=True))
    final = summary(replace(SWISS, late_entry=False))
    knockout = summary(replace(SWISS, format="knockout"))
    for each in (running, summary(status="open"), summary(replace(SWISS, format="knockout"), "open")):
        assert takes_entries(each)
        assert "You can join again" in withdrawal(each)
    for each in (final, knockout):
        assert not takes_entries(each)
        assert withdrawal(each).endswith("You cannot join again.")
    assert not takes_entries(summary(status="finished"))
