"""The law of layouts: a board that players design is refused, or it starts a game with a legal move."""

from __future__ import annotations

from random import Random
from typing import Any

from parlour.games.api import Game
from parlour.games.laws import LawBroken
from parlour.games.layouts import LayoutSpec
from parlour.protocol.errors import ErrorCode, Refusal


def check_layouts(game: Game[Any], rng: Random, count: int = 30) -> int:
    """Check that every layout a game accepts starts a game with a legal move; return how many it accepted."""
    accepted = 0
    for spec in game.info.options:
        if spec.layout is None:
            continue
        for _ in range(count):
            text = drawn_layout(spec.layout, rng)
            try:
                options = game.options({spec.key: text})
            except Refusal as refusal:
                found = refusal.code == ErrorCode.LAYOUT_INVALID
                _require(found, "a layout is refused as such", game, (text, refusal.code))
                continue
            accepted += 1
            first = game.initial(options)
            _require(game.to_move(first) is not None, "a layout starts with a legal move", game, text)
    return accepted


def drawn_layout(spec: LayoutSpec, rng: Random) -> str:
    """Return a layout within the limits of its specification, often with its pieces crowded around one cell."""
    letters = list("".join(reversed(spec.blank.split("/"))))
    blank = list(letters)
    row, column = rng.randrange(spec.rows), rng.randrange(spec.columns)
    crowded = rng.random() < 0.8
    for piece in rng.sample(spec.pieces, len(spec.pieces)):
        free = [cell for cell in piece.cells if letters[cell] == blank[cell]]
        rng.shuffle(free)
        if crowded:
            free.sort(key=lambda cell: max(abs(cell // spec.columns - row), abs(cell % spec.columns - column)))
        for cell in free[: rng.choice((piece.low, piece.high))]:
            letters[cell] = piece.symbol
    starts = range((spec.rows - 1) * spec.columns, -1, -spec.columns)
    return "/".join("".join(letters[start : start + spec.columns]) for start in starts)


def _require(fact: bool, law: str, game: Game[Any], found: object) -> None:
    if not fact:
        raise LawBroken(f"{game.info.key}: {law}\nfound: {found}")
