"""The games. A folder in here (or in a folder given to `add_folder`) that is a package with a `GAME` is a game."""

from __future__ import annotations

import pkgutil
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from parlour.games.api import Game
from parlour.protocol.errors import ErrorCode, Refusal

__all__ = ["add_folder", "find", "folders", "keys"]


@lru_cache(maxsize=1)
def keys() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


# A game's own state type is nobody's business here, hence Any.
@cache
def find(key: str) -> Game[Any]:
    """The game of that name; refuses when there is none."""
    if key not in keys():
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"There is no game “{key}”. Games here: {', '.join(keys())}.")
    game: Game[Any] | None = getattr(import_module(f"{__name__}.{key}"), "GAME", None)
    if game is None:
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"The folder “{key}” has no GAME, so it is no game.")
    return game


def add_folder(folder: Path) -> None:
    """Also look for games in `folder`; they become `parlour.games.<name>` like all others."""
    if str(folder) not in __path__:
        __path__.append(str(folder))
        keys.cache_clear()


def folders() -> tuple[str, ...]:
    """The folders that were added."""
    return tuple(__path__[1:])
