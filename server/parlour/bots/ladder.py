"""The measured ratings of the levels, from the table that `parlour ladder` writes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


@cache
def _measured() -> dict[str, dict[str, int]]:
    table = files("parlour.bots").joinpath("ladder.json")
    return msgspec.json.decode(table.read_bytes(), type=dict[str, dict[str, int]]) if table.is_file() else {}


def rating(game: str, level: str) -> int | None:
    """Return the rating of a level in a game; None if it was not measured."""
    return _measured().get(game, {}).get(level)
