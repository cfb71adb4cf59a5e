"""The chat of a table as lines: wrapped by columns, because some characters take two, and scrolled back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len, get_character_cell_size

from parlour.client.drawing import Ink, Line, Span, Style
from parlour.protocol.messages import Said


def chat_lines(chat: Iterable[Said], *, style: Style, width: int, height: int, back: int = 0) -> list[Line]:
    """Return the last `height` lines of the chat, or those `back` lines before them. Every message is shown whole."""
    lines: list[Line] = []
    for said in chat:
        words = style.legible(f"{said.name}: {said.text}", wide=True)
        rows = list(wrap(words, width - 1))
        lines += [Line((Span(f" {row}", Ink.TEXT),)) for row in rows[:1]]
        lines += [Line((Span(f"   {row}", Ink.TEXT),)) for row in wrap(words[len(rows[0]) :].strip(), width - 3)]
    end = max(min(height, len(lines)), len(lines) - back)
    return lines[max(0, end - height) : end]


def wrap(text: str, width: int) -> Iterator[str]:
    """Yield the text in rows of at most `width` columns, broken at spaces where possible."""
    row = ""
    for word in text.split(" "):
        joined = f"{row} {word}" if row else word
        if cell_len(joined) <= width:
            row = joined
            continue
        if row:
            yield row
        row = word
        while cell_len(row) > width:
            head = _head(row, width)
            yield head
            row = row[len(head) :]
    if row:
        yield row


def _head(text: str, width: int) -> str:
    """The longest beginning of a text that fits; at least one character."""
    used = 0
    for count, char in enumerate(text):
        used += get_character_cell_size(char)
        if used > width and count:
            return text[:count]
    return text
