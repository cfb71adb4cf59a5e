"""Examples as documents show them: pictures, and boards of text as in a terminal. See `parlour.games.example`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from docs.drawing import picture

from parlour import games
from parlour.client.drawing import Style, draw, seat_lines
from parlour.games import example
from parlour.games.api import Game
from parlour.games.example import Example, Found

ROOT = Path(__file__).resolve().parents[2]


def find(name: str, document: str) -> Iterator[Found]:
    """The examples of a document; raises `Untrue` at the first one that is not true."""
    return example.find(name, document, _game)


def svg(shown: Example) -> str:
    title = f"{shown.game.info.name}: {shown.game.print(shown.match.state)}"
    return picture.draw(shown.spec, shown.scene, shown.offered, title, shown.beside)


def text(shown: Example) -> str:
    style, scene, spec = Style(), shown.scene, shown.spec
    lines = [str(line) for line in draw(spec, scene, style=style, picks=shown.offered)]
    for seat, info in enumerate(spec.seats if shown.beside else ()):
        mark = ">" if scene.to_move == seat else " "
        beside = seat_lines(spec, scene, seat, style=style, picks=shown.offered, width=60)
        lines += [f"{mark} {info.name:6} {beside[0]}", *(f"         {line}" for line in beside[1:])]
    return "".join(f"{line.rstrip()}\n" for line in lines)


@cache
def _game(key: str) -> Game[Any]:
    if "/" not in key:
        return games.find(key)
    # Not through the registry, which would know it from then on.
    spec = spec_from_file_location(Path(key).name, ROOT / key / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Game[Any] = module.GAME
    return game
