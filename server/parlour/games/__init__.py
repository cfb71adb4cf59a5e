"""The games: a package with a `GAME` here, in a folder given to `add_folder`, or installed with an entry point.

Create a game, list the moves, play one, print the board:

>>> from parlour import games
>>> match = games.start("mapello")
>>> match.legal_moves
['d5', 'e4', 'f7', 'g6']
>>> match.play_text("d5")
>>> print(match)
10         &
 9   # . * . . * . #
 8   . . . . . # . .
 7 & * # . . . . . * &
 6 & . . . x o . . .
 5   . . x x x . . *
 4   * . . . . . # . &
 3 & . . # . . . . .
 2   # . * . . . * #
 1       &       &
   a b c d e f g h i j
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from parlour.games.api import Game
from parlour.games.installed import Fault, Installed, installed_games
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal

__all__ = ["add_folder", "faults", "find", "find_version", "folders", "keys", "package", "start", "supports"]


@lru_cache(maxsize=1)
def keys() -> tuple[str, ...]:
    """Return the keys of all games, sorted."""
    return tuple(sorted((*_keys_of_folders(), *_installed().games)))


def _keys_of_folders() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


@lru_cache(maxsize=1)
def _installed() -> Installed:
    return installed_games(_keys_of_folders())


def faults() -> Mapping[str, Fault]:
    """Return why the games of some installed packages cannot be used, by key."""
    return _installed().faults


# Only the game itself knows the type of its states, hence Any.
@cache
def find(key: str) -> Game[Any]:
    """Return the game with that key; refuse an unknown one."""
    if key not in keys():
        if key in faults():
            raise faults()[key].refusal()
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"There is no game “{key}”. Games here: {', '.join(keys())}.")
    game: Game[Any] | None = getattr(package(key), "GAME", None)
    if game is None:
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"The folder “{key}” has no GAME, so it is not a game.")
    return game


def package(key: str) -> ModuleType:
    """Return the package of the game with that key, beside which its other files are."""
    installed = _installed().games.get(key)
    return import_module(f"{__name__}.{key}") if installed is None else installed.package


def supports(key: str, rules_version: int) -> bool:
    """Return whether there is a game with that key that supports that version of its rules."""
    return key in keys() and find(key).info.supports(rules_version)


def find_version(key: str, rules_version: int) -> Game[Any]:
    """Return the game with that key; refuse a version of its rules that it does not support."""
    if not supports(key, rules_version):
        sentence = f"Version {rules_version} of the rules of “{key}” is not supported here."
        raise Refusal(ErrorCode.RULES_UNSUPPORTED, sentence)
    return find(key)


def start(key: str, **options: object) -> Match[Any]:
    """Start a match of a game; refuse an unknown game and invalid options."""
    game = find(key)
    return Match(game, game.options(options))


def add_folder(folder: Path) -> None:
    """Look for games in `folder`, too; they become `parlour.games.<key>` like all others."""
    if str(folder) not in __path__:
        __path__.append(str(folder))
        keys.cache_clear()
        _installed.cache_clear()


def folders() -> tuple[str, ...]:
    """Return the folders that were added."""
    return tuple(__path__[1:])
