"""The sidebar of a table."""

from __future__ import annotations

from pathlib import Path

from parlour.client.drawing import Ink, Style
from parlour.client.terminal.sidebar import badge, chat_lines, heading, moves_lines, player_line, sidebar_lines
from parlour.protocol.messages import Said
from parlour.protocol.scene import BoardSpec
from parlour.protocol.types import Clock, Player, SeatedPlayer, Terms, TimeLeft
from tests.client.drawing.conftest import SEATS
from tests.client.terminal.screens import signed_in

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


def test_chat_is_wrapped() -> None:
    """Only the last lines are shown."""
    chat = [Said(room="r", name="fern", text="x" * 30), Said(room="r", name="moss", text="hello")]
    lines = [str(line) for line in chat_lines(chat, style=ASCII, width=20, height=2)]

    assert lines[-1] == " moss: hello"
    assert len(lines) == 2


async def test_the_whole_sidebar(address: str, tmp_path: Path) -> None:
    """The opponent is at the top, the own side at the bottom, and the height is kept."""
    async with signed_in(address, tmp_path) as session:
        view = await session.view(await session.client.play_computer(Terms("mapello"), "random"))
        lines = [str(line) for line in sidebar_lines(view, view.scene, style=ASCII, width=38, height=20)]

        assert "Computer" in lines[0]
        assert any("(you)" in line for line in lines[-4:])
        assert any(line.startswith("-- moves") for line in lines)
        assert len(lines) <= 20
