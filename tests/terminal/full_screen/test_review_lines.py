"""The list of moves of a game that is reviewed."""

from __future__ import annotations

from parlour.terminal.drawing import Ink, Style
from parlour.terminal.full_screen.review_lines import review_lines
from tests.terminal.ui.test_replay import reviewed

ASCII = Style(False)


def test_each_move_has_its_assessment() -> None:
    """The chance of the mover before it, the better move, and a mark for a mistake; nothing before it is assessed."""
    replay = reviewed()
    lines = review_lines(replay, style=ASCII, width=34, height=3)
    assert str(lines[1]).split() == ["2", f"{replay.record.moves[1].move}??", "40", "%", "best", "x9"]
    del replay.assessments[2]
    replay.go(2)
    lines = review_lines(replay, style=ASCII, width=34, height=5)
    moves = [move.move for move in replay.record.moves]
    assert [str(line).split() for line in lines] == [
        ["1", moves[0], "60", "%"],
        ["2", moves[1], "40", "%", "best", "x9"],
        ["3", moves[2]],
        [],
        [],
    ]
    assert [line.spans[1].ink for line in lines[:3]] == [Ink.TEXT, Ink.LAST, Ink.TEXT]


def test_the_current_move_is_in_the_middle() -> None:
    """What fits is shown around it, and nothing is wider than the sidebar."""
    replay = reviewed()
    replay.go(3)
    (line,) = review_lines(replay, style=ASCII, width=20, height=1)
    assert str(line).split() == ["3", replay.move, "95", "%"]
    assert all(len(str(line)) <= 24 for line in review_lines(replay, style=ASCII, width=24, height=3))
