"""A tournament as text."""

from __future__ import annotations

import pytest

from parlour.tournaments import commands
from parlour.tournaments.cross_table import arena_cross_table, cross_table, points
from tests.tournaments.playing import NOW, Played


def test_a_round_robin_has_a_column_for_each_opponent() -> None:
    """The points of the games are under the opponent's rank."""
    assert cross_table(
        Played(3, games=2).play(lambda match: None if "p1" in (match.first, match.second) else "p3")
    ) == [
        "   player    1  2  3  points  games  Buchholz  S-B",
        "1  Player 3  ×  1  2      1½      3        1½    1",
        "2  Player 1  1  ×  1       1      2         2    1",
        "3  Player 2  0  1  ×       ½      1        2½    ½",
    ]


def test_a_swiss_tournament_has_a_column_for_each_round() -> None:
    """A cell has the points, the side and the opponent's rank, or says why there was no match."""
    played = Played(5, format="swiss", rounds=2)
    played.start_round()
    played.apply(commands.withdraw(played.state, "p4", NOW))
    played.apply(commands.report(played.state, 1, 0, 0, played.state.match(1, 0).first, NOW, forfeit=True))
    lines = cross_table(played.play())
    assert lines[0].split() == ["player", "R1", "R2", "points", "games", "Buchholz", "S-B"]
    assert any("bye" in line for line in lines)
    assert any("1f w" in line or "1f b" in line for line in lines)
    (withdrawn,) = [line for line in lines if "Player 4" in line]
    assert "–" in withdrawn


def test_an_arena_has_a_column_for_each_opponent() -> None:
    """The points of the games of two players, who met twice, without the one that runs. The third one rests."""
    played = Played(3, format="arena", duration=600_000, max_players=3)
    played.apply(commands.pause(played.state, "p3", NOW))
    for winner in ("p1", None):
        played.apply(commands.start_round(played.state, NOW + 10_000 * len(played.state.rounds)))
        pair = played.state.match(len(played.state.rounds), 0)
        won = winner and pair.first
        played.apply(commands.report(played.state, len(played.state.rounds), 0, 0, won, played.state.changed + 10_000))
    played.apply(commands.start_round(played.state, played.state.changed + 10_000))
    head, *lines = arena_cross_table(played.state)
    assert head.split() == ["player", "1", "2", "3"]
    cells = [line[len("1  Player 1") :].split() for line in lines]
    assert sorted(cell for line in cells for cell in line if cell != "×") == ["1½/2", "½/2"]


def test_wide_letters_keep_the_columns_aligned() -> None:
    """A name in Chinese takes two columns for each letter."""
    played = Played(0)
    for player, name in (("a", "三つ巴"), ("b", "Ada")):
        played.apply(commands.enter(played.state, player, name, 0, NOW))
    head, first, second = cross_table(played.state)
    assert len(first) + 3 == len(second) == len(head)


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (0.5, "½"), (1, "1"), (2.5, "2½"), (1.25, "1.25")])
def test_half_points(value: float, text: str) -> None:
    """Halves are written as fractions."""
    assert points(value) == text
