"""Long lines in several rows, for a terminal: never broken in the middle of a word."""

from __future__ import annotations

import re
from textwrap import TextWrapper

REMARK_INDENT = 10  # of a second column that has to stand below the first

_COLUMNS = re.compile(r"(\s*\S+(?: \S+)*\s{2,})(?=\S)(.*)")  # the first of two columns, the space behind it, the rest


def wrap_line(line: str, width: int) -> list[str]:
    """Return a line in rows of at most `width` characters. Rows keep the indent, and columns their place.

    Of two columns the second one stays where it is if the first leaves it half of the width, and otherwise stands
    below it. A line with more gaps is a drawing or a table, and stays whole.
    """
    if len(line) <= width:
        return [line]
    first, second = split_columns(line)
    if "  " in second.strip():
        return [line]
    if not second:
        indent = len(line) - len(line.lstrip())
        return wrapper(width, " " * indent, indent).wrap(line.strip())
    if len(first) <= width // 2:
        return wrapper(width, first, len(first)).wrap(second)
    return [*wrap_line(first.rstrip(), width), *wrapper(width, " " * REMARK_INDENT, REMARK_INDENT).wrap(second)]


def split_columns(line: str) -> tuple[str, str]:
    """Return the first column with the space behind it, and what follows: nothing if there is one column only."""
    found = _COLUMNS.match(line)
    return (line, "") if found is None else (found[1], found[2])


def wrapper(width: int, first: str = "", hanging: int = 0) -> TextWrapper:
    """Return what wraps words: the first row begins with `first`, all others with spaces."""
    return TextWrapper(
        width=max(width, 20),
        initial_indent=first,
        subsequent_indent=" " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
