"""The sidebar of a table."""

from __future__ import annotations

import pytest

from parlour.protocol.messages import Said
from parlour.protocol.scene import BoardSpec
from parlour.protocol.types import Clock, Player, Result, SeatedPlayer, TimeLeft
from parlour.terminal.drawing import Ink, Style
from parlour.terminal.full_screen.board_cursor import top_seat
from parlour.terminal.full_screen.sidebar import (
    Sidebar,
    above_lines,
    badge,
    banner,
    heading,
    moves_lines,
    player_line,
    sidebar_lines,
)
from tests.terminal.drawing.conftest import SEATS
from tests.terminal.offline_table import offline_view

BOARD = BoardSpec("any", 3, 3, "felt", SEATS, (), "{0}")
ASCII, UNICODE = Style(False), Style(True)


def test_a_player_with_a_clock() -> None:
    """The line has a pointer, a badge, the name and the time, which changes colour when it is low."""
    clock = Clock("fischer", 600_000, 0)

    def line(left: int, online: bool = True) -> tuple[str, Ink]:
        drawn = player_line(
            BOARD, SeatedPlayer(Player("fern", 1587), online), 0, style=ASCII, width=40, to_move=True, you=True,
            left=TimeLeft(left, 0), clock=clock,
        )  # fmt: skip
        return str(drawn), drawn.spans[-1].ink

    assert line(278_000) == ("> (o) fern 1587 (you)               4:38", Ink.TEXT)
    assert line(15_000)[1] == Ink.GOLD
    assert "(offline)" in line(278_000, online=False)[0]


def test_a_long_name_is_shortened() -> None:
    """What stands behind it is shown whole: it says which of the two is you, and who is offline."""

    def line(you: bool, online: bool, width: int) -> str:
        seated = SeatedPlayer(Player("Bartholomew Longstride", 1587), online)
        drawn = player_line(
            BOARD, seated, 0, style=ASCII, width=width, to_move=False, you=you, left=TimeLeft(600_000, 0)
        )
        assert len(str(drawn)) == width
        return str(drawn)

    assert line(True, True, 33) == "  (o) Bartholomew Lo~ (you) 10:00"
    assert line(False, False, 33) == "  (o) Bartholome~ (offline) 10:00"
    assert line(True, False, 24) == "  (o) ~ (you) (off 10:00"


def test_a_badge_shows_the_side() -> None:
    """Dark and light differ without colours, also in ASCII."""
    assert [badge(BOARD, seat, ASCII) for seat in (0, 1)] == ["(o)", "<x>"]
    assert [badge(BOARD, seat, UNICODE) for seat in (0, 1)] == ["(●)", "<◆>"]
    assert str(heading("moves", 12, ASCII)) == "-- moves ---"


def test_the_last_moves_fit() -> None:
    """The list ends with the last move, which is highlighted, and is as high as asked."""
    moves = [f"m{number}" for number in range(1, 21)]
    lines = moves_lines(moves, style=ASCII, width=30, height=3)

    assert len(lines) == 3
    assert str(lines[-1]).split() == ["10", "m19", "m20"]
    assert [span.ink for span in lines[-1].spans][-1] == Ink.LAST
    assert len(moves_lines([], style=ASCII, width=30, height=3)) == 3


def test_the_result_is_in_a_box() -> None:
    """It is wrapped, and every line of the box has the same width."""
    lines = [str(line) for line in banner("You won: three balls have arrived.", 20, ASCII)]

    assert lines == [
        "+==================+",
        "| You won: three   |",
        "| balls have       |",
        "| arrived.         |",
        "+==================+",
    ]
    assert banner("", 20, ASCII) == []


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("flipped", [False, True])
def test_players_are_where_their_sides_of_the_board_are(seat: int | None, flipped: bool) -> None:
    """In Replica White sits at the top of a board that is not rotated, for players and spectators alike."""
    view = offline_view("replica", seat=seat)
    top = top_seat(view.board, seat, flipped)
    shown = Sidebar(ASCII, 38, 24, top_seat=top)
    lines = [str(line) for line in sidebar_lines(view, view.scene, shown)]

    assert ("Ann" in lines[0]) == (not flipped)
    assert "Bob" in lines[0 if flipped else -2]
    stacked = [str(line) for line in sidebar_lines(view, view.scene, shown, is_stacked=True)]
    assert ("Bob" in stacked[0]) == (not flipped)
    assert ("Ann" in str(above_lines(view, view.scene, shown)[0])) == (not flipped)


@pytest.mark.parametrize("height", range(12, 40, 3))
def test_the_whole_sidebar(height: int) -> None:
    """Players, moves, the last move, the result and the chat fit into the height, whatever it is."""
    view = offline_view(result=Result(0, "resigned"))
    for number in range(9):
        view.table.handle(Said(room="R", name="Bob", text=f"message {number} " * 5))
    shown = Sidebar(ASCII, 38, height, result="You won: Bob resigned.", last_move="Bob played g7.", is_writing=True)
    lines = [str(line) for line in sidebar_lines(view, view.scene, shown)]

    assert len(lines) == height
    assert all(len(line) <= 38 for line in lines)
    assert "| You won: Bob resigned.             |" in lines
    assert "Bob" in lines[0]
    assert any("Ann (you)" in line for line in lines[-3:])
    if height > 20:
        assert any("message 8" in line for line in lines)


def test_a_result_that_does_not_fit_is_left_out() -> None:
    """The line below the board says it anyway, and half a box looks broken."""
    view = offline_view(result=Result(0, "resigned"))
    for height in range(4, 12):
        shown = Sidebar(ASCII, 38, height, result="You won: Bob resigned.")
        lines = [str(line) for line in sidebar_lines(view, view.scene, shown, is_stacked=True)]
        assert sum(line.startswith("+") for line in lines[:height]) in (0, 2)
