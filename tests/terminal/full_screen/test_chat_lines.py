"""The chat of a table."""

from __future__ import annotations

from rich.cells import cell_len

from parlour.protocol.messages import Said
from parlour.terminal.drawing import Style
from parlour.terminal.full_screen.chat_lines import chat_height, chat_lines

LONG = Said(room="r", name="fern", text="what a long and winding sentence that needs several lines, really")
SHORT = Said(room="r", name="moss", text="good luck!")


def text(chat: list[Said], height: int, back: int = 0, width: int = 24) -> list[str]:
    return [str(line) for line in chat_lines(chat, style=Style(), width=width, height=height, back=back)]


def test_messages_are_shown_whole() -> None:
    """A message is wrapped at spaces, and its further lines are indented."""
    assert text([SHORT], 5) == [" moss: good luck!"]
    assert text([LONG], 9) == [
        " fern: what a long and",
        "   winding sentence that",
        "   needs several lines,",
        "   really",
    ]


def test_scrolling_back() -> None:
    """The last lines are shown first; earlier ones can be reached, but not more than there are."""
    chat = [LONG, SHORT]
    assert text(chat, 2) == ["   really", " moss: good luck!"]
    assert text(chat, 2, back=1) == ["   needs several lines,", "   really"]
    assert text(chat, 2, back=99) == [" fern: what a long and", "   winding sentence that"]
    assert text([], 3) == []
    assert chat_height(chat, style=Style(), width=24) == len(text(chat, 99))


def test_wide_characters_take_two_columns() -> None:
    """No line is wider than it may be, and nothing is lost."""
    shown = text([Said(room="r", name="棋士", text="よろしくお願いします\x1b[2J")], 9, width=16)
    assert all(cell_len(line) <= 16 for line in shown)
    assert "".join(line.strip() for line in shown) == "棋士:よろしくお願いします?[2J"
