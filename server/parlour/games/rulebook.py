"""The rules of a game for players: the text in its folder, with its example boards as data."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from msgspec import Struct

from parlour import games
from parlour.games.example import COMMENT, find
from parlour.protocol.messages import RulesExample

_PICTURE = re.compile(r"(!\[[^\]]*\]\()[^)]*/(pictures/)")
_GAP = re.compile(r"\n{3,}")


class Rulebook(Struct, frozen=True):
    """The rules in Markdown, whose pictures refer to the examples by name."""

    text: str
    examples: tuple[RulesExample, ...]


@cache
def rulebook(key: str) -> Rulebook:
    """Return the rules of a game, or its summary if its folder has no rules; refuse an unknown game."""
    game = games.find(key)
    file = files(games.package(key)).joinpath("rules.md")
    if not file.is_file():
        return Rulebook(f"# {game.info.name}\n\n{game.info.summary}\n", ())
    source = file.read_text("utf-8")
    examples = tuple(
        RulesExample(f"pictures/{shown.name}.svg", shown.spec, shown.scene, tuple(shown.offered))
        for shown, _ in find(key, source)
        if shown.kind == "picture"
    )
    text = _PICTURE.sub(r"\1\2", _GAP.sub("\n\n", COMMENT.sub("", source)))
    return Rulebook(text.strip() + "\n", examples)
