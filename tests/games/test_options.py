"""Untrusted options become a complete set of valid ones, or a refusal that says what would be right."""

from __future__ import annotations

from typing import cast

import pytest

from parlour.games.options import Options, OptionSpec, settle
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import LayoutPiece, LayoutSpec

LAYOUT = LayoutSpec(columns=2, rows=2, blank="../..", pieces=(LayoutPiece("#", "wall", 0, (0, 1, 2, 3), 2),))
SPECS = (
    OptionSpec("size", "Size", "choice", 8, "Cells along a side.", (8, 12)),
    OptionSpec("kings", "Kings", "choice", "unlimited", "How many kings.", ("unlimited", "2")),
    OptionSpec("passive", "Passive", "switch", True, "The passive rule."),
    OptionSpec("seed", "Seed", "number", 7, "Which board.", low=0, high=100),
    OptionSpec("board", "Board", "layout", "default", "Where things are.", ("default", "random"), layout=LAYOUT),
)
DEFAULTS = {"size": 8, "kings": "unlimited", "passive": True, "seed": 7, "board": "default"}


def settled(**given: object) -> Options:
    return settle(SPECS, given)


def refused(**given: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        settle(SPECS, given)
    return caught.value


def test_defaults_are_filled_in() -> None:
    """Nothing given means the default of every option, in the order of the game."""
    assert dict(settled()) == DEFAULTS
    assert list(settled()) == [spec.key for spec in SPECS]


def test_a_given_value_takes_the_place_of_its_default_only() -> None:
    """All others keep theirs."""
    assert dict(settled(size=12)) == {**DEFAULTS, "size": 12}


def test_settled_options_settle_to_themselves() -> None:
    """What was settled once may be given again."""
    once = settled(size=12, passive=False, seed=0, board="random", kings="2")

    assert settle(SPECS, once) == once


def test_settled_options_cannot_be_changed() -> None:
    """No unchecked value can be added later, not even through the given mapping."""
    given: dict[str, object] = {"size": 12}
    options = settle(SPECS, given)
    given["size"] = 9

    assert options["size"] == 12
    with pytest.raises(TypeError):
        cast("dict[str, object]", options)["size"] = 9


def test_an_unknown_option_is_refused_by_name() -> None:
    """The sentence names it and lists those there are."""
    refusal = refused(sise=8)

    assert refusal.code == ErrorCode.OPTION_UNKNOWN
    assert refusal.sentence == "There is no option “sise”. Options here: size, kings, passive, seed, board."


def test_a_game_without_options_says_so() -> None:
    """The list is then `none`."""
    with pytest.raises(Refusal) as caught:
        settle((), {"size": 8})

    assert caught.value.sentence == "There is no option “size”. Options here: none."
    assert dict(settle((), {})) == {}


@pytest.mark.parametrize(("given", "value"), [(8, 8), (12, 12), ("12", 12)])
def test_a_choice_may_come_from_a_form(given: object, value: int) -> None:
    """A form sends text; what is settled is the choice itself, with its own type."""
    found = settled(size=given)["size"]

    assert found == value
    assert type(found) is int


def test_a_choice_of_texts_may_come_as_a_number() -> None:
    """The same the other way round: 2 means the choice “2”."""
    assert settled(kings=2)["kings"] == "2"


@pytest.mark.parametrize("given", [9, "9", 8.0, "8.0", " 8", "٨", "", None, True, False, [8], {"8": 8}, "eight"])
def test_no_other_choice_is_taken(given: object) -> None:
    """What is not among the choices is refused with the list of them."""
    refusal = refused(size=given)

    assert refusal.code == ErrorCode.OPTION_INVALID
    assert refusal.sentence == "size must be one of 8, 12."


@pytest.mark.parametrize(("given", "value"), [(True, True), (False, False), ("on", True), ("off", False)])
def test_a_switch_is_on_or_off(given: object, value: bool) -> None:
    """As JSON says it, or as a form does."""
    assert settled(passive=given)["passive"] is value


@pytest.mark.parametrize("given", [0, 1, "true", "On", "", None, [], [True], 1.0])
def test_a_switch_has_no_other_values(given: object) -> None:
    """Numbers and other words are no switch."""
    refusal = refused(passive=given)

    assert refusal.code == ErrorCode.OPTION_INVALID
    assert refusal.sentence == "passive must be true or false."


@pytest.mark.parametrize("given", [0, 50, 100])
def test_a_number_within_its_bounds(given: int) -> None:
    """Both bounds belong to it."""
    assert settled(seed=given)["seed"] == given


@pytest.mark.parametrize("given", [-1, 101, 2**70, "50", 50.0, True, None, [], float("nan")])
def test_a_number_has_bounds(given: object) -> None:
    """Beyond them, or not a whole number, it is refused, and the sentence names the bounds."""
    refusal = refused(seed=given)

    assert refusal.code == ErrorCode.OPTION_INVALID
    assert refusal.sentence == "seed must be a whole number from 0 to 100."


@pytest.mark.parametrize("given", ["##/..", "##\n..", "##\r\n..\r\n", ["##", ".."], ("##", "..")])
def test_a_layout_is_settled_as_rows_joined_by_slashes(given: object) -> None:
    """Rows may arrive joined by slashes or line breaks, or as a list."""
    assert settled(board=given)["board"] == "##/.."


def test_a_layout_that_breaks_its_specification_is_refused() -> None:
    """The specification that the editors follow also binds a client that has no editor."""
    refusal = refused(board="##/#.")

    assert refusal.code == ErrorCode.LAYOUT_INVALID
    assert refusal.sentence == "Row 1 has “#” on a1, which is one wall too many; the limit is 2."


@pytest.mark.parametrize("given", [1, None, True, ["##", None], {}, b"##/.."])
def test_a_layout_is_text_only(given: object) -> None:
    """Anything but rows of text is refused, and the sentence lists the alternatives."""
    refusal = refused(board=given)

    assert refusal.code == ErrorCode.OPTION_INVALID
    assert refusal.sentence == "board must be default, random, or a layout as text."


@pytest.mark.parametrize("key", ["size", "kings", "passive", "seed", "board"])
@pytest.mark.parametrize("depth", [10, 900, 100_000])
def test_a_deeply_nested_value_is_refused(key: str, depth: int) -> None:
    """However deep lists lie in lists, an option does not take them, and nothing breaks."""
    nested: list[object] = []
    for _ in range(depth):
        nested = [nested]

    assert refused(**{key: nested}).code == ErrorCode.OPTION_INVALID


def test_a_huge_number_is_no_choice() -> None:
    """A number too long to be written down is refused like any other."""
    assert refused(size=10**5000).code == ErrorCode.OPTION_INVALID
