"""Boards as plain text."""

from __future__ import annotations

from parlour import games
from parlour.games.diagram import diagram
from parlour.protocol.scene import BoardSpec, Glyph, Scene, SeatSpec, Zone

SPEC = BoardSpec(
    game="test",
    columns=4,
    rows=3,
    surface="birch",
    seats=(SeatSpec("White", "light"), SeatSpec("Black", "dark")),
    glyphs=(Glyph("Ring", "ring", 0, "○", "o"), Glyph("Ball", "ball", 1), Glyph("Bar", "bar", 0, "=", "=", columns=3)),
    tally="",
    zones=(Zone("hand", "Hand", ("hand",)),),
    rim=(3, 7, 11),
)


def test_a_board_is_its_rows_with_names() -> None:
    """Rows come from the top; of a stack the topmost piece is shown, and nothing on the rim or beside the board."""
    scene = Scene(pieces=((0, 0), (4, 2), (9, 0, 1), (12, 0)), tallies=((), ()), to_move=0)

    assert diagram(SPEC, scene).splitlines() == [
        " 3 . B .",
        " 2 = = =",
        " 1 o . .",
        "   a b c d",
    ]


def test_a_large_board_lines_up() -> None:
    """Rows with two digits are as wide as those with one."""
    match = games.start("replica", size=12)
    lines = str(match).splitlines()

    assert lines[0] == "12 . . . . . . . . o o o K"
    assert lines[-2] == " 1 K x x x . . . . . . . ."
    assert len(set(map(len, lines))) == 1
