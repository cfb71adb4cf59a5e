"""What stands beside the board."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from parlour.protocol.scene import BoardSpec, Glyph, Mark, Scene, SeatSpec, Zone
from parlour.protocol.types import Pick
from parlour.terminal.drawing import Ink, Line, Style, seat_lines

LIGHT, DARK = 0, 1
UNICODE, ASCII = Style(), Style(unicode=False)
SPEC = BoardSpec(
    game="any",
    columns=5,
    rows=5,
    surface="felt",
    seats=(SeatSpec("White", "light"), SeatSpec("Black", "dark")),
    glyphs=(
        Glyph("White ring", "ring", LIGHT),
        Glyph("Black ring", "ring", DARK),
        Glyph("Black bar", "bar", DARK, columns=3, pips=1),
    ),
    tally="{0} = discs {1} + bonus {2}",
    zones=(
        Zone("white_rings", "rings", ("supply",), LIGHT),
        Zone("black_rings", "rings", ("supply",), DARK),
        Zone("hand", "Black's bars", tuple(f"bar of {length}" for length in range(3, 8)), DARK),
        Zone("walk", "squares", tuple(f"+{squares}" for squares in range(12)), holds_pieces=False),
    ),
)
SUPPLY, BLACK_SUPPLY, HAND, WALK = 25, 26, 27, 32
SCENE = Scene(
    pieces=((0, 0, 1), (SUPPLY, 0, 0), (HAND, 2, 2, 2, 2, 2), (HAND + 1, 2, 2)),
    tallies=((28, 19, 9), (24, 18, 6)),
    to_move=LIGHT,
)


def _texts(lines: Sequence[Line]) -> list[str]:
    return [str(line).rstrip() for line in lines]


def test_light_seat() -> None:
    """The numbers of the tally are filled in, and the pieces of a single slot are drawn."""
    assert _texts(seat_lines(SPEC, SCENE, LIGHT, style=UNICODE)) == ["28 = discs 19 + bonus 9", "rings ○○"]
    assert _texts(seat_lines(SPEC, SCENE, LIGHT, style=ASCII)) == ["28 = discs 19 + bonus 9", "rings oo"]


def test_dark_seat() -> None:
    """An empty slot has a dash; several slots are named without the words they share, and counted."""
    assert _texts(seat_lines(SPEC, SCENE, DARK, style=UNICODE)) == [
        "24 = discs 18 + bonus 6",
        "rings -",
        "bars 3x5  4x2  5x0  6x0  7x0",
    ]


def test_picks_and_choices_in_zones() -> None:
    """Slots that may be picked are in square brackets and chosen ones in curly ones, without moving the others."""
    chosen = SCENE.with_marks(((Mark.CHOSEN, HAND),))
    lines = seat_lines(SPEC, chosen, DARK, style=UNICODE, picks=(BLACK_SUPPLY, HAND + 1))
    assert _texts(lines)[1:] == ["rings[-]", "bars{3x5}[4x2] 5x0  6x0  7x0"]


def test_choices_are_shown_while_they_can_be_chosen() -> None:
    """Slots that hold nothing appear with the picks, in lines that are not too long."""
    assert not seat_lines(SPEC, SCENE, None, style=UNICODE)
    picks = [Pick(WALK + squares, f"+{squares}", "", squares) for squares in range(8)]
    lines = _texts(seat_lines(SPEC, SCENE, None, style=UNICODE, picks=picks))
    assert lines == ["squares[+0][+1][+2][+3][+4][+5]", " [+6][+7]"]


@pytest.mark.parametrize("seat", [LIGHT, DARK, None])
def test_slots_can_be_found_by_their_columns(seat: int | None) -> None:
    """Every slot of a seat is in one line, and each of its columns leads back to it."""
    picks = range(WALK, SPEC.places)
    lines = seat_lines(SPEC, SCENE, seat, style=UNICODE, picks=picks)
    owned = {LIGHT: [SUPPLY], DARK: [BLACK_SUPPLY, *range(HAND, WALK)], None: list(picks)}
    for slot in owned[seat]:
        (line,) = [line for line in lines if line.columns_of(slot)]
        assert {line.place_at(x) for x in line.columns_of(slot)} == {slot}
        assert len(line.columns_of(slot)) >= 3


def test_focus_of_a_slot() -> None:
    """The slot the player is at is shown in reverse, and nothing else is."""
    lines = seat_lines(SPEC, SCENE, DARK, style=UNICODE, focus=HAND + 1)
    assert "".join(span.text for line in lines for span in line.spans if span.focus) == " 4x2 "


def test_slots_have_the_colour_of_their_seat() -> None:
    """The contents of a slot are in the ink of its seat."""
    (line,) = seat_lines(SPEC, SCENE, LIGHT, style=UNICODE)[1:]
    assert [span.ink for span in line.spans if "○" in span.text] == [Ink.LIGHT]


def test_full_slot_is_counted() -> None:
    """More than eight pieces in a slot are a number."""
    scene = Scene(((SUPPLY, *[0] * 9),), SCENE.tallies, LIGHT)
    assert _texts(seat_lines(SPEC, scene, LIGHT, style=UNICODE))[1] == "rings ○x9"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{0} points", "28 points"),
        ("{0.__class__} {x} {3} {", "{0.__class__} {x} ? {"),
        ("\x1b[2J{1}", "?[2J19"),
        ("", None),
    ],
)
def test_tally_is_only_filled_with_numbers(template: str, text: str | None) -> None:
    """Nothing in a tally from a server can do more than show a number of the scene."""
    spec = BoardSpec("any", 5, 5, "felt", SPEC.seats, SPEC.glyphs, template)
    scene = Scene((), SCENE.tallies, LIGHT)
    assert _texts(seat_lines(spec, scene, LIGHT, style=UNICODE)) == ([] if text is None else [text])


def test_lines_keep_to_the_width() -> None:
    """No line is longer than asked for, as long as a slot fits into it."""
    for width in (15, 20, 33):
        lines = seat_lines(SPEC, SCENE, DARK, style=UNICODE, width=width)
        assert max(line.width for line in lines) <= width
