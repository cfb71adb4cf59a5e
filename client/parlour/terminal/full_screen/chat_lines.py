"""The chat of a table as lines: wrapped by columns, because some characters take two, and scrolled back."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.protocol.messages import Said
from parlour.terminal.drawing import Ink, Line, Span, Style
from parlour.terminal.full_screen.wrapping import wrap


def chat_lines(chat: Iterable[Said], *, style: Style, width: int, height: int, back: int = 0) -> list[Line]:
    """Return the last `height` lines of the chat, or those `back` lines before them. Every message is shown whole."""
    lines = _all_lines(chat, style, width)
    end = max(min(height, len(lines)), len(lines) - back)
    return lines[max(0, end - height) : end]


def chat_height(chat: Iterable[Said], *, style: Style, width: int) -> int:
    """Return how many lines the whole chat has."""
    return len(_all_lines(chat, style, width))


def _all_lines(chat: Iterable[Said], style: Style, width: int) -> list[Line]:
    lines: list[Line] = []
    for said in chat:
        words = style.legible(f"{said.name}: {said.text}", wide=True)
        rows = list(wrap(words, width - 1))
        lines += [Line((Span(f" {row}", Ink.TEXT),)) for row in rows[:1]]
        lines += [Line((Span(f"   {row}", Ink.TEXT),)) for row in wrap(words[len(rows[0]) :].strip(), width - 3)]
    return lines
