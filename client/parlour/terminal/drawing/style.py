"""The capabilities of a terminal: its characters and its number of colours."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping
from enum import IntEnum

from msgspec import Struct


class Colours(IntEnum):
    """The number of colours. `NONE` means text without any escape code."""

    NONE = 0
    SIXTEEN = 16
    MANY = 256
    TRUE = 1 << 24


class Theme(IntEnum):
    """The theme, which selects a colour of an ink or a ground."""

    DARK = 0
    LIGHT = 1
    CONTRAST = 2


class Style(Struct, frozen=True):
    """A style of drawing. Colours only add to it: a drawing without them says the same."""

    unicode: bool = True
    colours: Colours = Colours.NONE
    theme: Theme = Theme.DARK

    def legible(self, text: str, *, wide: bool = False) -> str:
        """Return text from outside made safe to draw: one column for each character, no control codes, ASCII if
        requested.

        `wide`: keep characters of two columns, where the caller counts columns and not characters.
        """
        if not self.unicode:
            text = "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))
            return "".join(char if " " <= char <= "~" else "?" for char in text)
        return "".join(char if _is_one_column(char) or (wide and _is_wide(char)) else "?" for char in text)


def style_for(environ: Mapping[str, str], isatty: bool, encoding: str | None) -> Style:
    """Return the style of a terminal with that environment and encoding; `isatty` is false for a pipe or a file."""
    unicode = _speaks_utf8(encoding) and not _has_c_locale(environ)
    return Style(unicode, _colours(environ) if isatty else Colours.NONE, _theme(environ))


def _has_c_locale(environ: Mapping[str, str]) -> bool:
    """Return whether the user asked for the C locale. Python still uses UTF-8 then, and may say so in LC_CTYPE."""
    asked = environ.get("LC_ALL") or environ.get("LANG", "")
    if not environ.get("LC_ALL") and environ.get("LC_CTYPE", "C.UTF-8") != "C.UTF-8":
        asked = environ["LC_CTYPE"]
    return asked in ("C", "POSIX")


def _theme(environ: Mapping[str, str]) -> Theme:
    """Return the theme. Some terminals name their colours: `15;0` is white on black, and `0;15` black on white."""
    return Theme.LIGHT if environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15") else Theme.DARK


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


def _is_wide(char: str) -> bool:
    return char.isprintable() and unicodedata.east_asian_width(char) in "WF"


def _is_one_column(char: str) -> bool:
    return (
        char.isprintable()
        and unicodedata.east_asian_width(char) not in "WF"
        and not unicodedata.category(char).startswith("M")
    )
