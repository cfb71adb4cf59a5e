"""Which names look alike: letters of any alphabet that are drawn alike, and digits that pass for letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files

import msgspec
from msgspec import Struct

# Missing in Unicode's list: digits that stand for letters, and lower-case letters whose capitals look alike.
DIGITS_AS_LETTERS = str.maketrans("01234578", "oizeastb")
LATIN = str.maketrans({"i": "l", "m": "rn", "w": "vv"})
INVISIBLE_MARK = "\u200e"  # around letters that are written from right to left, in the file


class _Homoglyph(Struct, frozen=True):
    c: str


def skeleton(folded: str) -> str:
    """Return a text that is the same for all names that look alike. The name is as compared (see `players/names.py`).

    This is the skeleton of Unicode Technical Standard 39, made coarser. It is never shown or used to find a player, so
    it may change with a new version of Unicode's list: see `version`.
    """
    plain = unicodedata.normalize("NFD", folded).translate(_confusables())
    return unicodedata.normalize("NFD", plain).translate(DIGITS_AS_LETTERS).translate(LATIN)


@cache
def version() -> str:
    """Return a text that changes when skeletons do."""
    tables = sorted((*_confusables().items(), *DIGITS_AS_LETTERS.items(), *LATIN.items()), key=str)
    return blake2b(repr(tables).encode(), digest_size=8).hexdigest()


@cache
def _confusables() -> Mapping[int, str]:
    """Return what each letter, accent and digit of Unicode's list of confusable characters looks like."""
    data = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    listed = msgspec.json.decode(data, type=dict[str, list[_Homoglyph]])
    found = {key.strip(INVISIBLE_MARK): [each.c.strip(INVISIBLE_MARK) for each in same] for key, same in listed.items()}
    table: dict[str, str] = {}
    for letter, same in found.items():
        # In each group of the file, the plainest character lists all others, and each of the others lists the plainest.
        is_plainest = len(same) > 1 or (len(found.get(same[0], ())) == 1 and (len(same[0]), same[0]) > (1, letter))
        if len(letter) == 1 and not is_plainest and unicodedata.category(letter)[0] in "LMN":
            table[letter] = same[0].casefold()
    # Names are compared without case, so a small letter looks like its capital unless it is listed itself.
    for letter, shape in list(table.items()):
        small = letter.casefold()
        if len(small) == 1 and not small.isascii():
            table.setdefault(small, shape)
    return {ord(letter): "".join(table.get(each, each) for each in shape) for letter, shape in table.items()}
