"""Text in rows, measured in columns: some characters take two."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, get_character_cell_size

CUT = "..."  # where a text ends before its end


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


def shorten(text: str, width: int, most: int) -> str:
    """Return as much of the text as `most` rows can show, with dots at its end if that is not all of it."""
    rows = list(wrap(text, width))
    if len(rows) <= most:
        return text
    return f"{' '.join(rows[: most - 1])} {_head(rows[most - 1], width - len(CUT))}{CUT}".lstrip()


def _head(text: str, width: int) -> str:
    """The longest beginning of a text that fits; at least one character."""
    used = 0
    for count, char in enumerate(text):
        used += get_character_cell_size(char)
        if used > width and count:
            return text[:count]
    return text
