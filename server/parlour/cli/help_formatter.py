"""The layout of help: wrapped to the width of the terminal, never in the middle of a word."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from parlour.terminal.text.line_wrap import REMARK_INDENT, split_columns, wrap_line, wrapper

EXAMPLES = "examples:"
CONTINUED = " \\"  # at the end of a shell command that continues on the next line


class HelpFormatter(argparse.HelpFormatter):
    """Wraps paragraphs. Indented lines keep their indent, and the second of two columns stays in its column."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(_lines(text, width))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapper(width).wrap(" ".join(text.split()))


def _lines(text: str, width: int) -> Iterator[str]:
    paragraph: list[str] = []
    in_examples = False
    for line in [*text.rstrip().splitlines(), ""]:
        if line and not line[0].isspace() and line != EXAMPLES:
            paragraph.append(line)
            in_examples = False
            continue
        if paragraph:
            yield from wrapper(width).wrap(" ".join(paragraph))
            paragraph = []
        in_examples = in_examples or line == EXAMPLES
        yield from _indented(line, width, in_examples=in_examples) if line.strip() else [""]


def _indented(line: str, width: int, *, in_examples: bool) -> list[str]:
    """Return an indented line, continued with a deeper indent if it is too long."""
    if len(line) <= width:
        return [line]
    indent = len(line) - len(line.lstrip())
    if indent > width // 2:  # the second column of the line before, which is below it then
        return wrapper(width, " " * REMARK_INDENT, REMARK_INDENT).wrap(line.strip())
    command, remark = split_columns(line)
    if not in_examples or indent > 2 or (remark and len(command) <= width // 2):
        return wrap_line(line, width)
    rows = [command.rstrip()]
    if len(rows[0]) > width:
        rows = wrapper(width - len(CONTINUED), " " * indent, indent + 4).wrap(command.strip())
        rows = [*(row + CONTINUED for row in rows[:-1]), rows[-1]]
    return [*rows, *wrapper(width, " " * REMARK_INDENT, REMARK_INDENT).wrap(remark)]
