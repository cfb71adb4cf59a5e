"""The board under the pieces."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from parlour.protocol.scene import BoardSpec, Glyph, Mark, Region, Scene, SeatSpec
from parlour.terminal.drawing import Ground, Ink, Span, Style, box_of, draw

SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))
GLYPHS = (Glyph("White disc", "disc", 0), Glyph("White ring", "ring", 0))
EMPTY = Scene((), ((0,), (0,)), 0)
OCCUPIED = Scene(((0, 0),), ((0,), (0,)), 0)
UNICODE, ASCII = Style(), Style(unicode=False)


def _board(
    size: int,
    surface: str = "felt",
    *,
    regions: Sequence[Region] = (),
    alternate: Sequence[int] = (),
    rim: Sequence[int] = (),
    tracks: tuple[tuple[int, ...], ...] = (),
) -> BoardSpec:
    return BoardSpec(
        game="any",
        columns=size,
        rows=size,
        surface=surface,
        seats=SEATS,
        glyphs=GLYPHS,
        tally="{0}",
        regions=tuple(regions),
        alternate=tuple(alternate),
        rim=tuple(rim),
        tracks=tracks,
    )


def _cell(spec: BoardSpec, scene: Scene, style: Style = UNICODE, cell: int = 0) -> list[str]:
    """The characters of a cell."""
    box = box_of(spec, cell)
    assert box is not None
    lines = [str(line) for line in draw(spec, scene, style=style)]
    return [line[box.x : box.x + box.width] for line in lines[box.y : box.y + box.height]]


def _spans(spec: BoardSpec, scene: Scene, cell: int) -> list[Span]:
    return [span for line in draw(spec, scene, style=UNICODE) for span in line.spans if span.place == cell]


def test_coordinates() -> None:
    """Row numbers stand at the line of the pieces, column letters under their middle."""
    lines = [str(line) for line in draw(_board(5), EMPTY, style=UNICODE)]
    assert [line[:4] for line in lines] == [f"  {5 - y // 4} " if y % 4 == 1 else "    " for y in range(21)]
    assert lines[1] == "  5    ·       ·       ·       ·       ·    "
    assert lines[20] == "       a       b       c       d       e    "


def test_coordinates_of_a_turned_board() -> None:
    """On a turned board the first row is at the top and the first column on the right."""
    lines = [str(line) for line in draw(_board(10), EMPTY, style=UNICODE, flipped=True)]
    assert lines[0][:4] == "  1 "
    assert lines[18][:4] == " 10 "
    assert lines[20] == "     j   i   h   g   f   e   d   c   b   a  "


@pytest.mark.parametrize(("surface", "look"), [("clay", "░░░░░"), ("marble", "░░░░░"), ("chart", "  ·  ")])
def test_second_tone(surface: str, look: str) -> None:
    """Alternate cells are shaded, but on surfaces whose tones hardly differ they are told by colour only."""
    spec = _board(8, surface, alternate=(0,))
    assert _cell(spec, EMPTY)[0] == look
    assert {span.ground for span in _spans(spec, EMPTY, 0)} != {span.ground for span in _spans(spec, EMPTY, 1)}


def test_shade_stays_around_a_piece() -> None:
    """A piece covers only the middle of a shaded cell."""
    spec = _board(8, "clay", alternate=(0,))
    assert _cell(spec, OCCUPIED) == ["░(●)░", "░░░░░"]
    assert _cell(spec, OCCUPIED, ASCII) == [".(o).", "....."]


def test_rim() -> None:
    """Cells of the rim are filled, around what stands there as well."""
    spec = _board(10, "chart", rim=(0,))
    assert _cell(spec, EMPTY) == ["░░░░", "░░░░"]
    assert _cell(spec, OCCUPIED) == ["(●)░", "░░░░"]
    assert _cell(spec, EMPTY, ASCII) == ["::::", "::::"]
    assert {span.ground for span in _spans(spec, EMPTY, 0)} == {Ground.SEA}


@pytest.mark.parametrize(
    ("size", "light", "dark"),
    [
        (5, ["(       ", "   ·    "], ["<       ", "   ·    "]),
        (8, ["  ·  ", "    ("], ["  ·  ", "    <"]),
        (12, ["(·)"], ["<·>"]),
    ],
)
def test_home(size: int, light: list[str], dark: list[str]) -> None:
    """A home cell has its owner's bracket in a corner, or both around it when it has one line."""
    spec = _board(size, regions=(Region("home", 0, (0,)), Region("home", 1, (1,))))
    assert _cell(spec, EMPTY)[:2] == light
    assert _cell(spec, EMPTY, cell=1)[:2] == dark
    assert {span.ground for span in _spans(spec, EMPTY, 0)} == {Ground.LIGHT_CORNER}
    assert {span.ground for span in _spans(spec, EMPTY, 1)} == {Ground.DARK_CORNER}


def test_home_with_a_ring() -> None:
    """The bracket of a home stays beside a ring."""
    spec = _board(5, regions=(Region("home", 1, (0,)),))
    assert _cell(spec, Scene(((0, 1),), ((0,), (0,)), 0))[:2] == ["<╭───╮  ", " │   │  "]


def test_goal() -> None:
    """A goal has a crown, which moves below a piece; a mark there is more important."""
    spec = _board(8, "clay", regions=(Region("goal", 1, (0,)),))
    assert _cell(spec, EMPTY) == [" [♔] ", "     "]
    assert _cell(spec, OCCUPIED) == [" (●) ", " [♔] "]
    assert _cell(spec, OCCUPIED, ASCII) == [" (o) ", " [G] "]
    assert _cell(spec, OCCUPIED.with_marks(((Mark.LAST, 0),))) == [" (●) ", " ─── "]


def test_goal_in_a_flat_cell() -> None:
    """In a cell of one line the piece on a goal hides the crown."""
    spec = _board(12, regions=(Region("goal", 1, (0,)),))
    assert _cell(spec, EMPTY) == ["[♔]"]
    assert _cell(spec, OCCUPIED) == ["(●)"]


def test_home_that_is_also_a_goal() -> None:
    """A goal that is the other side's home looks like the home."""
    home, goal = Region("home", 1, (0,)), Region("goal", 0, (0,))
    assert _cell(_board(5, regions=(home, goal)), EMPTY) == _cell(_board(5, regions=(home,)), EMPTY)


def test_line_that_counts() -> None:
    """The empty cells of a line that counts have colons, and a whole row or column is pointed at."""
    row = EMPTY.with_marks(((Mark.LINE, *range(10, 20)),))
    lines = [str(line) for line in draw(_board(10), row, style=UNICODE)]
    assert lines[16] == "  2▸ :   :   :   :   :   :   :   :   :   :  "
    column = EMPTY.with_marks(((Mark.LINE, *range(2, 100, 10)),))
    lines = [str(line) for line in draw(_board(10), column, style=ASCII)]
    assert lines[16] == "  2  .   .   :   .   .   .   .   .   .   .  "
    assert lines[20] == "     a   b  >c   d   e   f   g   h   i   j  "


def test_part_of_a_row_is_not_pointed_at() -> None:
    """A line that is shorter than the board is told by its cells only."""
    part = EMPTY.with_marks(((Mark.LINE, *range(10, 19)),))
    assert str(draw(_board(10), part, style=UNICODE)[16]) == "  2  :   :   :   :   :   :   :   :   :   ·  "


def test_walked_track() -> None:
    """The dots that a score has passed have the colour of its seat."""
    spec = _board(10, "birch", tracks=(tuple(range(100)), tuple(reversed(range(100)))))
    scene = Scene((), ((2,), (1,)), 0)
    inks = {
        cell: next(span.ink for span in _spans(spec, scene, cell) if "·" in span.text) for cell in (0, 1, 2, 98, 99)
    }
    assert inks == {0: Ink.LIGHT, 1: Ink.LIGHT, 2: Ink.FAINT, 98: Ink.FAINT, 99: Ink.DARK}


def test_score_tracks_are_numbered_once_a_score_is_on_the_board() -> None:
    """An empty cell tells what it stands for: to the dark seat at the top right, to the light one below."""
    cells = tuple(range(100))
    counter = Glyph("Counter", "counter", 0, shows_score=True)
    spec = msgspec.structs.replace(_board(10, tracks=(cells, cells[::-1])), glyphs=(counter,))
    scored = Scene(((50, 0),), ((50,), (0,)), 0)

    assert _cell(spec, scored, cell=12) == [" 87 ", "12  "]
    assert _cell(spec, EMPTY, cell=12) == [" ·  ", "    "]
    marked = scored.with_marks(((Mark.LAST, 12),))
    assert "12" not in "".join(_cell(spec, marked, cell=12))
