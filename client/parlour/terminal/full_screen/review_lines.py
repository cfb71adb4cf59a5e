"""The list of moves of a game that is reviewed: one move in a row, with the computer's assessment."""

from __future__ import annotations

from parlour.terminal.drawing import Ink, Line, Span, Style
from parlour.terminal.ui.replay import Replay

MOVE_WIDTH = 12
CHANCE_WIDTH = 7


def review_lines(replay: Replay, *, style: Style, width: int, height: int) -> list[Line]:
    """Return as many moves as fit, around the current one, which is highlighted.

    Each has the mover's chance of winning before it, and the move that looks best if it was another one.
    """
    last = min(replay.length, max(height, replay.ply + height // 2))
    first = max(0, last - height)
    lines = [_line(replay, number, style, width) for number in range(first + 1, last + 1)]
    return [*lines, *[Line()] * (height - len(lines))]


def _line(replay: Replay, number: int, style: Style, width: int) -> Line:
    played, found = replay.record.moves[number - 1].move, replay.assessments.get(number - 1)
    move = style.legible(f"{played}{replay.mark(number)}")
    move = move if len(move) < MOVE_WIDTH else move[: MOVE_WIDTH - 2] + "~"
    chance = "" if found is None else f"{found.chance / 10:.0f} %"
    best = "" if found is None or found.move == played else style.legible(f"best {found.move}")
    room = max(0, width - 5 - MOVE_WIDTH - CHANCE_WIDTH)
    best = best if len(best) <= room else f"{best[: max(0, room - 1)]}~"[:room]
    return Line(
        (
            Span(f"{number:>4} ", Ink.FAINT),
            Span(f"{move:{MOVE_WIDTH}}", Ink.LAST if number == replay.ply else Ink.TEXT),
            Span(f"{chance:{CHANCE_WIDTH}}"),
            Span(best, Ink.FAINT),
        )
    )
