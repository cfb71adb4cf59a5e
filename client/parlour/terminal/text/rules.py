"""The rules of a game as lines of text, with boards drawn in place of the images.

The rules are Markdown with headings, paragraphs, lists, tables and code. Other markup is shown unchanged. A renderer
of our own, because a Markdown library gives a document tree, and most of this file is about laying out boards, tables
and wrapped lines in a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from parlour.protocol.messages import Rules
from parlour.terminal.drawing import Ink, Line, Span, Style, draw

_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]*)\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"\*\*([^*]+)\*\*|`([^`]+)`|(?<!\*)\*([^*\s][^*]*)\*(?!\*)")
_ITEM = re.compile(r"(- |\d+\. )(.*)", re.DOTALL)
_SEPARATOR = re.compile(r"\|?[\s:|-]+\|?")


def rules_lines(rules: Rules, *, style: Style, width: int) -> list[Line]:
    """Return the rules in lines of at most `width` columns, unless a board is wider."""
    boards = {example.name: example for example in rules.examples}
    lines: list[Line] = []
    for block in rules.text.split("\n\n"):
        rest = block.strip("\n")
        pictures = _PICTURE.findall(rest)
        words = _PICTURE.sub("", rest).strip("\n")
        if words.strip():
            lines += [*_block(words, style, width), Line()]
        for caption, name in pictures:
            if name in boards:
                shown = boards[name]
                lines += draw(shown.board, shown.scene, style=style, picks=shown.picks)
            lines += [*_text(caption, style, width, Ink.LAST), Line()]
    return lines


def _block(block: str, style: Style, width: int) -> Iterator[Line]:
    if block.startswith("```"):
        yield from _code(block.splitlines()[1:-1], style, width)
    elif block.startswith("    "):
        yield from _code([row.removeprefix("    ") for row in block.splitlines()], style, width)
    elif block.startswith("#"):
        yield _line(_clean(block.lstrip("# ")).upper() if block.startswith("# ") else _clean(block.lstrip("# ")), style,
                    Ink.GOLD)  # fmt: skip
    elif block.startswith("|"):
        yield from _table(block, style, width)
    elif _ITEM.match(block):
        yield from _list(block, style, width)
    else:
        yield from _text(block, style, width)


def _code(rows: Sequence[str], style: Style, width: int) -> Iterator[Line]:
    """Yield code unchanged; lines that are too long are continued on the next one."""
    for row in rows:
        for start in range(0, max(1, len(row)), width - 4):
            yield _line(f"    {row[start : start + width - 4]}", style)


def _text(block: str, style: Style, width: int, ink: Ink = Ink.TEXT) -> Iterator[Line]:
    for row in wrap(_clean(" ".join(block.split())), width):
        yield _line(row, style, ink)


def _list(block: str, style: Style, width: int) -> Iterator[Line]:
    """Yield a list. Items may continue on indented lines."""
    items: list[str] = []
    for row in block.splitlines():
        if _ITEM.match(row):
            items.append(row)
        elif items:
            items[-1] += f" {row.strip()}"
    for item in items:
        found = _ITEM.match(item)
        assert found is not None
        lead = f"  {found[1].strip():2} "
        for number, row in enumerate(wrap(_clean(found[2]), width - len(lead)) or [""]):
            yield _line(f"{lead if number == 0 else ' ' * len(lead)}{row}", style)


def _table(block: str, style: Style, width: int) -> Iterator[Line]:
    """Yield a table. The last column is wrapped to the remaining width."""
    rows = [[_clean(cell.strip()) for cell in row.strip().strip("|").split("|")] for row in block.splitlines()]
    rows = [row for row, source in zip(rows, block.splitlines(), strict=True) if not _SEPARATOR.fullmatch(source)]
    count = max(len(row) for row in rows)
    most = max(8, (width - 20) // max(1, count - 1))
    widths = [min(most, max(len(row[n]) for row in rows if n < len(row))) for n in range(count - 1)]
    for row in rows:
        cells = [wrap(cell, widths[n]) if n < count - 1 else [] for n, cell in enumerate(row[: count - 1])]
        cells.append(wrap(row[-1], max(12, width - sum(widths) - 2 * count)) if len(row) == count else [""])
        for number in range(max(1, *map(len, cells))):
            parts = [
                (cell[number] if number < len(cell) else "").ljust(widths[n] if n < count - 1 else 0)
                for n, cell in enumerate(cells)
            ]
            yield _line("  " + "  ".join(parts).rstrip(), style)


def _clean(text: str) -> str:
    """Remove inline Markdown. A link becomes its text, because a terminal cannot follow it."""
    return _EMPHASIS.sub(lambda found: found[1] or found[2] or found[3], _LINK.sub(r"\1", text))


def _line(text: str, style: Style, ink: Ink = Ink.TEXT) -> Line:
    return Line((Span(style.legible(text), ink),))
