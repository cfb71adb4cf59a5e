"""Games in other installed packages: an entry point in the group `parlour.games` names the package of each.

A package that cannot be used does not prevent the other games from being served: it becomes a fault, with a code and a
sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from msgspec import Struct

from parlour.games.api import Game
from parlour.protocol.errors import ErrorCode, Refusal

GROUP = "parlour.games"

# Of the interface in `api.py`: rises when a game that was written for it would no longer work.
API_VERSION = 1


class InstalledGame(Struct, frozen=True):
    """A game and the package that has its files."""

    game: Game[Any]
    package: ModuleType


class Fault(Struct, frozen=True):
    """Why the game of a package cannot be used."""

    code: ErrorCode
    sentence: str

    def refusal(self) -> Refusal:
        """Return the fault as an error to raise."""
        return Refusal(self.code, self.sentence)


class Installed(Struct, frozen=True):
    """What was found, by key. A game is either usable or has a fault."""

    games: Mapping[str, InstalledGame] = {}
    faults: Mapping[str, Fault] = {}


def installed_games(taken: Collection[str]) -> Installed:
    """Load the games of all installed packages. The keys in `taken` belong to games that have precedence."""
    entries: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        entries.setdefault(entry.name, []).append(entry)
    games: dict[str, InstalledGame] = {}
    faults: dict[str, Fault] = {}
    for key, found in sorted(entries.items()):
        loaded = _conflict(key, found, key in taken) or _load(key, found[0])
        if isinstance(loaded, Fault):
            faults[key] = loaded
        else:
            games[key] = loaded
    return Installed(games, faults)


def _conflict(key: str, found: Collection[EntryPoint], is_taken: bool) -> Fault | None:
    packages = " and ".join(sorted(map(_distribution, found)))
    if is_taken:
        sentence = f"The game “{key}” of {packages} is not used, because Parlour has another game “{key}”."
        return Fault(ErrorCode.GAME_CONFLICT, f"{sentence} Uninstall that package, or ask its author for another key.")
    if len(found) > 1:
        sentence = f"The game “{key}” cannot be used, because {packages} both have one."
        return Fault(ErrorCode.GAME_CONFLICT, f"{sentence} Uninstall all but one of these packages.")
    return None


def _load(key: str, entry: EntryPoint) -> InstalledGame | Fault:
    """Import a package and try its game: a failure here would hit every player later."""
    where = f"The game “{key}” of {_distribution(entry)} cannot be used"
    try:
        package = import_module(entry.module)
        version = getattr(package, "API_VERSION", None)
        if version != API_VERSION:
            written_for = "does not say" if version is None else f"says {version!r}"
            sentence = f"{where}: its API_VERSION {written_for}, and this Parlour supports {API_VERSION}."
            return Fault(ErrorCode.GAME_API_UNSUPPORTED, f"{sentence} Install versions that fit together.")
        game = getattr(package, "GAME", None)
        if not isinstance(game, Game):
            return _broken(where, f"{entry.module}.GAME is not a game")
        if game.info.key != key:
            return _broken(where, f"the key of its game is “{game.info.key}”")
        _try(game, package)
    except (Exception, SystemExit) as error:  # a package may raise anything
        return _broken(where, f"{type(error).__name__}: {error}")
    return InstalledGame(game, package)


def _try(game: Game[Any], package: ModuleType) -> None:
    """Use everything that a server uses to offer a game."""
    from parlour.games.lessons import read_lesson  # noqa: PLC0415  # lessons look games up

    options = game.options({})
    state = game.initial(options)
    game.print(state)
    game.steps(state)
    game.board(options)
    game.scene(state)
    read_lesson(game, package)


def _broken(where: str, why: str) -> Fault:
    return Fault(ErrorCode.GAME_BROKEN, f"{where}: {why.rstrip('.')}. Update or uninstall the package.")


def _distribution(entry: EntryPoint) -> str:
    return entry.value if entry.dist is None else entry.dist.name
