"""The games there are, drawn in positions of real play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from parlour import games
from parlour.games.api import Game
from parlour.games.perft import random_match
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Pick
from parlour.terminal.drawing import Style, draw, seat_lines, size_of

UNICODE, ASCII = Style(), Style(unicode=False)


def _half_turns(game: Game[Any], every: int) -> Iterator[tuple[BoardSpec, Scene, list[int | Pick]]]:
    """The steps of turns in random matches, as a server would send them."""
    options = game.options({})
    match = random_match(game, options, Random(4))
    for state, move in list(zip(match.states, match.moves, strict=False))[::every]:
        for made in range(len(move) + 1):
            half = game.half_turn(state, move[:made])
            picks = [_pick(place, half.notes.get(place)) for place in game.steps(state, move[:made])]
            yield game.board(options), half.scene, picks


def _pick(place: int, note: Any) -> int | Pick:
    return place if note is None else Pick(place, note.label, note.kind, note.cell)


def _everything(spec: BoardSpec, scene: Scene, style: Style, picks: Sequence[int | Pick]) -> list[str]:
    """All that is drawn, on the board and beside it."""
    lines = draw(spec, scene, style=style, picks=picks)
    for seat in (*range(len(spec.seats)), None):
        lines += seat_lines(spec, scene, seat, style=style, picks=picks)
    return [str(line) for line in lines]


@pytest.mark.parametrize("key", games.keys())
def test_every_step_of_a_turn_can_be_drawn(key: str) -> None:
    """Whatever a game shows, all lines of its board are equally wide, and pure ASCII where asked for."""
    for spec, scene, picks in _half_turns(games.find(key), every=2):
        width, height = size_of(spec)
        for flipped in (False, True):
            lines = draw(spec, scene, style=UNICODE, picks=picks, flipped=flipped)
            assert [line.width for line in lines] == [width] * height
        assert "".join(_everything(spec, scene, ASCII, picks)).isascii()


@pytest.mark.parametrize("style", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("key", games.keys())
def test_every_pick_is_seen(key: str, style: Style) -> None:
    """Each single pick changes the drawing, on the board or beside it, without any colour."""
    for spec, scene, picks in _half_turns(games.find(key), every=7):
        without = _everything(spec, scene, style, ())
        for pick in picks:
            assert _everything(spec, scene, style, (pick,)) != without, pick
