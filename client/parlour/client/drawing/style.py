"""What a terminal can show: which characters, and how many colours."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping
from enum import IntEnum

from msgspec import Struct


class Colours(IntEnum):
    """How many colours there are. `NONE` means text without a single escape code."""

    NONE = 0
    SIXTEEN = 16
    MANY = 256
    TRUE = 1 << 24


class Style(Struct, frozen=True):
    """How to draw. Colours are only ever an addition, so a drawing without them says the same."""

    unicode: bool = True
    colours: Colours = Colours.NONE

    def legible(self, text: str) -> str:
        """Foreign text made safe to draw: one column for each character, no control codes, ASCII if asked."""
        if not self.unicode:
            text = "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))
            return "".join(char if " " <= char <= "~" else "?" for char in text)
        return "".join(char if _is_one_column(char) else "?" for char in text)


def style_for(environ: Mapping[str, str], isatty: bool, encoding: str | None) -> Style:
    """The style of a terminal with that environment and encoding; `isatty` is false for a pipe or a file."""
    return Style(_speaks_utf8(encoding), _colours(environ) if isatty else Colours.NONE)


def _speaks_utf8(encoding: str | None) -> bool:
    try:
        return codecs.lookup(encoding or "ascii").name in ("utf-8", "utf-8-sig")
    except LookupError:
        return False


def _colours(environ: Mapping[str, str]) -> Colours:
    terminal = environ.get("TERM", "")
    if environ.get("NO_COLOR") or terminal in ("", "dumb"):
        return Colours.NONE
    if environ.get("COLORTERM") in ("truecolor", "24bit"):
        return Colours.TRUE
    return Colours.MANY if "256color" in terminal else Colours.SIXTEEN


def _is_one_column(char: str) -> bool:
    return (
        char.isprintable()
        and unicodedata.east_asian_width(char) not in "WF"
        and not unicodedata.category(char).startswith("M")
    )
