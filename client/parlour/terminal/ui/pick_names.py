"""The names by which players type what they pick."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.protocol.scene import BoardSpec
from parlour.protocol.types import Pick

MAX_NAME = 12  # characters of a typed word that can name a pick


def find_pick(board: BoardSpec, picks: Iterable[Pick], name: str) -> Pick | None:
    """Return the pick that a player means by a name: `e4`, `bar of 5` or just `5`, `+3`."""
    name = name.lower()
    for pick in picks:
        names = (board.place_name(pick.place).lower(), pick.label.lower())
        if any(f" {known}".endswith(f" {name}") for known in names if known):
            return pick
    return None


def split_names(text: str) -> list[str]:
    """Return the words of a typed line if each of them can name a pick, and otherwise none: it is a whole move."""
    words = text.replace(",", " ").split()
    return words if all(len(word) < MAX_NAME for word in words) else []
