"""Positions that are set up by hand, as clients get them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import EditPosition, PositionEdited
from parlour.protocol.types import Terms
from parlour.server.game_queries.position_editing import edited

GAME = pytest.mark.parametrize("key", ["isaac", "mapello", "mitsudomoe", "replica"])


def ask(key: str, position: str | None = None, **changes: Any) -> PositionEdited:
    return edited(EditPosition(id=4, terms=Terms(key), position=position, **changes))


def refused(key: str, position: str | None = None, **changes: Any) -> ErrorCode:
    with pytest.raises(Refusal) as caught:
        ask(key, position, **changes)
    return caught.value.code


@GAME
def test_without_a_change_the_position_is_shown(key: str) -> None:
    """It is the first one, if none is given, and can be played."""
    game = games.find(key)
    state = game.initial(game.options({}))
    here = ask(key)
    assert (here.id, here.position, here.scene, here.refusal) == (4, game.print(state), game.scene(state), "")
    assert ask(key, here.position) == here


@GAME
def test_a_cleared_board_is_filled_again(key: str) -> None:
    """An impossible position is shown, with the reason; all changes of a command are made, in their order."""
    game = games.find(key)
    first = ask(key)
    assert game.editor is not None
    empty = ask(key, first.position, clear=True)
    assert empty.scene.to_move == 0
    assert empty.palette == game.editor.palette
    needed = empty.palette[0].places
    changed = ask(key, first.position, clear=True, item=0, places=(44, 46)[:needed] if key == "isaac" else (7,), turn=1)
    assert changed.position != empty.position
    assert changed.scene.to_move == 1


def test_the_reason_is_told_until_the_position_can_be_played() -> None:
    """Replica needs a king on each side, and a move."""
    here = ask("replica", clear=True)
    assert here.refusal == "White has no king. Add one, or end the text with - if the game is over."
    here = ask("replica", here.position, item=1, places=(63,))
    assert here.refusal.startswith("Black has no king.")
    here = ask("replica", here.position, item=3, places=(0,))
    assert here.refusal == ""
    assert here.position == ".......W/......../......../......../......../......../......../B....... w"


def test_numbers_beside_the_board() -> None:
    """They are changed within their limits."""
    here = ask("mapello", number=1, value=3)
    assert here.position.endswith(" b 0,3")
    assert here.refusal == "Bonuses taken: 1, left: 8; together a board has at most 8."
    for number, value in ((2, 0), (0, 27), (0, 4)):
        assert refused("mapello", number=number, value=value) is ErrorCode.EDIT_INVALID


@pytest.mark.parametrize(
    ("key", "item", "places"),
    [
        ("replica", 5, (0,)), ("replica", 0, ()), ("replica", 0, (0, 1)), ("replica", 0, (64,)),
        ("isaac", 0, (0,)), ("isaac", 0, (0, 100)), ("isaac", 2, (0, 2)), ("mitsudomoe", 0, (27,)),
    ],
)  # fmt: skip
def test_places_that_do_not_fit_the_item(key: str, item: int, places: Sequence[int]) -> None:
    """No item of the palette, or not as many cells of the board as it takes."""
    assert refused(key, item=item, places=tuple(places)) is ErrorCode.EDIT_INVALID


def test_text_that_is_no_position_is_refused() -> None:
    """There is no board to show."""
    assert refused("replica", "nonsense") is ErrorCode.POSITION_MALFORMED
    assert refused("replica", ".......W w", item=0, places=(0,)) is ErrorCode.POSITION_MALFORMED


def test_a_game_without_an_editor_is_set_up_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The board of a text is shown without a palette, and nothing can be changed."""
    monkeypatch.setattr(games.find("replica"), "editor", None)
    here = ask("replica")
    assert (here.palette, here.numbers, here.refusal) == ((), (), "")
    over = ".......W/......../......../......../......../......../......../W......B -"
    assert ask("replica", over).refusal
    assert refused("replica", ".......W/......w./......../......../......../......../......../........ w") is (
        ErrorCode.POSITION_IMPOSSIBLE
    )
    for change in ({"clear": True}, {"item": 0, "places": (0,)}, {"number": 0}, {"turn": 1}):
        assert refused("replica", **change) is ErrorCode.EDITOR_UNKNOWN
