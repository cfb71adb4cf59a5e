"""How help is laid out: wrapped to the width of the terminal, never in the middle of a word."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from textwrap import TextWrapper

EXAMPLES = "examples:"
CONTINUED = " \\"  # at the end of a shell command that continues on the next line

_COLUMNS = re.compile(r"(\s*\S+(?: \S+)*\s{2,})(?=\S)")  # the first of two columns, and the space behind it


class HelpFormatter(argparse.HelpFormatter):
    """Wraps paragraphs. Indented lines keep their indent, and the second of two columns stays in its column."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(_lines(text, width))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _wrapper(width).wrap(" ".join(text.split()))


def _lines(text: str, width: int) -> Iterator[str]:
    paragraph: list[str] = []
    in_examples = False
    for line in [*text.rstrip().splitlines(), ""]:
        if line and not line[0].isspace() and line != EXAMPLES:
            paragraph.append(line)
            in_examples = False
            continue
        if paragraph:
            yield from _wrapper(width).wrap(" ".join(paragraph))
            paragraph = []
        in_examples = in_examples or line == EXAMPLES
        yield from _indented(line, width, in_examples=in_examples) if line.strip() else [""]


def _indented(line: str, width: int, *, in_examples: bool) -> list[str]:
    """Return an indented line, continued with a deeper indent if it is too long."""
    if len(line) <= width:
        return [line]
    indent = len(line) - len(line.lstrip())
    columns = _COLUMNS.match(line)
    if columns is not None and len(columns[1]) <= width // 2:
        return _wrapper(width, columns[1], len(columns[1])).wrap(line[len(columns[1]) :])
    if columns is not None:  # the first column takes the whole line
        rest = _wrapper(width, " " * (indent + 8), indent + 8).wrap(line[len(columns[1]) :])
        return [*_indented(columns[1].rstrip(), width, in_examples=in_examples), *rest]
    is_command = in_examples and indent <= 2
    if not is_command:
        return _wrapper(width, " " * indent, indent).wrap(line.strip())
    rows = _wrapper(width - len(CONTINUED), " " * indent, indent + 4).wrap(line.strip())
    return [*(row + CONTINUED for row in rows[:-1]), rows[-1]]


def _wrapper(width: int, first: str = "", hanging: int = 0) -> TextWrapper:
    return TextWrapper(
        width=max(width, 20),
        initial_indent=first,
        subsequent_indent=" " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
