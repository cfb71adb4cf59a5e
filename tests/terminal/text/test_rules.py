"""Rules as lines of text."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.games.rulebook import rulebook
from parlour.protocol.messages import Rules
from parlour.terminal.drawing import Style, draw
from parlour.terminal.text.rules import rules_lines


@pytest.mark.parametrize("key", games.keys())
@pytest.mark.parametrize("width", [60, 76])
def test_the_rules_of_every_game(key: str, width: int) -> None:
    """Nothing is wider than asked, but a board; every picture has a board; no sign of Markdown is left."""
    book = rulebook(key)
    rules = Rules(id=0, game=key, text=book.text, examples=book.examples)
    lines = [str(line) for line in rules_lines(rules, style=Style(unicode=False), width=width)]
    text = "\n".join(lines)

    assert text.isascii()
    assert max(map(len, lines)) <= width
    for example in book.examples:
        board = draw(example.board, example.scene, style=Style(unicode=False), picks=example.picks)
        assert "\n".join(map(str, board)) in text, example.name
    for sign in ("](", "|---", "<!--", "```"):
        assert sign not in text


def test_tables_lists_and_code() -> None:
    """Columns side by side, items with their signs, code as it stands."""
    table = "| a | b |\n|---|---|\n| one | two words |"
    source = f"# Go\n\nA **game**.\n\n{table}\n\n- first\n  goes on\n- second\n\n```\nx = 1\n```"
    lines = [str(line) for line in rules_lines(Rules(id=0, game="go", text=source), style=Style(), width=40)]

    assert lines == [
        "GO", "", "A game.", "", "  a    b", "  one  two words", "", "  -  first goes on", "  -  second", "",
        "    x = 1", "",
    ]  # fmt: skip


def test_no_letter_of_a_list_is_lost() -> None:
    """Items are wrapped behind their sign, whatever its length and the width."""
    items = ["one two three four five six seven eight nine ten eleven twelve"] * 11
    source = "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    for width in range(20, 60):
        lines = [str(line) for line in rules_lines(Rules(id=0, game="go", text=source), style=Style(), width=width)]
        words = " ".join(lines).split()
        assert [word for word in words if word.isalpha()] == " ".join(items).split()
        assert max(map(len, lines)) <= width
