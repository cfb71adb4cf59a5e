"""Whole boards: four scenes built by hand, in the styles of four games, and what all drawings have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.protocol.scene import BoardSpec, Glyph, Mark, Region, Scene, SeatSpec, Stack, Zone
from parlour.protocol.types import Pick
from parlour.terminal.drawing import Style, box_of, draw

EXPECTED = Path(__file__).parent / "expected"
UNICODE, ASCII = Style(), Style(unicode=False)

LIGHT, DARK = 0, 1
SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))


def _cell(name: str, columns: int) -> int:
    return ord(name[0]) - ord("a") + (int(name[1:]) - 1) * columns


def _cells(names: str, columns: int) -> tuple[int, ...]:
    return tuple(_cell(name, columns) for name in names.split())


def _from_rows(rows: str, signs: str) -> tuple[Stack, ...]:
    """The pieces of a board written row by row from the top; a sign's position is its glyph."""
    lines = rows.split()[::-1]
    return tuple(
        (row * len(line) + column, signs.index(char))
        for row, line in enumerate(lines)
        for column, char in enumerate(line)
        if char in signs
    )


# -- bars with pips, counters on them; one bar is lifted, its column counts, the walk is being chosen

VALUES = {3: 1, 4: 2, 5: 3, 6: 4, 7: 6}
BARS = """
    Da10-d10 Le10-g10 Dh10-j10 Lb9-d9 Le9-j9 La8-d8 De8-i8 Da7-c7 Ld7-g7 Lh4-h7 Dj5-j8 Dd6-g6 Di4-i6 Le5-g5 Lb4-e4
    Dj2-j4 La3-c3 Da2-e2 Dd1-g1 Df2-f4
"""
BAR_BOARD = BoardSpec(
    game="bars",
    columns=10,
    rows=10,
    surface="birch",
    seats=SEATS,
    glyphs=(
        Glyph("White counter", "counter", LIGHT, shows_score=True),
        Glyph("Black counter", "counter", DARK, shows_score=True),
        *(Glyph("bar", "bar", seat, columns=n, pips=VALUES[n]) for seat in (LIGHT, DARK) for n in VALUES),
        *(Glyph("bar", "bar", seat, rows=n, pips=VALUES[n]) for seat in (LIGHT, DARK) for n in VALUES),
    ),
    tally="{0} points",
    zones=(Zone("walk", "squares", tuple(f"+{squares}" for squares in range(8)), holds_pieces=False),),
)


def _bar_scene() -> Scene:
    stacks: dict[int, tuple[int, ...]] = {}
    for text in BARS.split():
        low, high = _cells(text[1:].replace("-", " "), 10)
        stands = high - low >= 10
        length = (high - low) // (10 if stands else 1) + 1
        stacks[low] = (2 + 10 * stands + 5 * (text[0] == "D") + length - 3,)
    for cell, counter in ((53, LIGHT), (44, DARK)):
        stacks[cell] = (*stacks.get(cell, ()), counter)
    marks = (
        (Mark.GHOST, *_cells("f2 f3 f4", 10)),
        (Mark.LINE, *range(5, 100, 10)),
        (Mark.COUNTED, *_cells("e10 e9 e8 d7 d6 e6 f6 g6 e5 f5 g5 d1", 10)),
    )
    return Scene(tuple((cell, *stacks[cell]) for cell in sorted(stacks)), ((53,), (55,)), DARK, marks)


BAR_PICKS = tuple(Pick(100 + squares, f"+{squares}", "", 44 - squares) for squares in range(8))


# -- rings and balls; a ball has jumped, another one has found a new cell and one more has to

RING_BOARD = BoardSpec(
    game="rings",
    columns=5,
    rows=5,
    surface="felt",
    seats=SEATS,
    glyphs=tuple(Glyph(shape, shape, seat) for seat in (LIGHT, DARK) for shape in ("ring", "ball")),
    tally="arrived {0} of 3",
    regions=(Region("home", LIGHT, _cells("a1 b1 a2", 5)), Region("home", DARK, _cells("e5 d5 e4", 5))),
)
RING_ROWS = ". . . . bwW / . w . bB b / b . bB b wbB / . . . . wW / w . wW w w"


def _ring_scene() -> Scene:
    rows = [row.split() for row in RING_ROWS.split("/")][::-1]
    pieces = tuple(
        (5 * row + column, *("wWbB".index(char) for char in stack))
        for row, stacks in enumerate(rows)
        for column, stack in enumerate(stacks)
        if stack != "."
    )
    marks = (
        (Mark.LAST, *_cells("e3", 5)),
        (Mark.CHOSEN, *_cells("c3", 5)),
        (Mark.STEP, *_cells("e1 e5", 5)),
        (Mark.GHOST, *_cells("d4", 5)),
    )
    return Scene(pieces, ((1,), (0,)), LIGHT, marks)


# -- discs among walls, stars and jokers in the rim; a disc was placed and two were turned

DISC_ROWS = """
    ....J..... .#XXX.*.#. ..XXX.#... JX#XXXX.*J JOOOXOOO.. .OOOOX..*. .OOOOOX#.J J..#XOO... .#.XXXXO#. ...J...J..
"""
DISC_BOARD = BoardSpec(
    game="discs",
    columns=10,
    rows=10,
    surface="chart",
    seats=SEATS,
    glyphs=(
        Glyph("White disc", "disc", LIGHT),
        Glyph("Black disc", "disc", DARK),
        Glyph("Wall", "block"),
        Glyph("Joker", "joker"),
        Glyph("Bonus", "star", label="+3"),
    ),
    tally="{0} = discs {1} + bonus {2}",
    alternate=tuple(cell for cell in range(100) if (cell // 10 + cell) % 2),
    rim=tuple(cell for cell in range(100) if cell // 10 in (0, 9) or cell % 10 in (0, 9)),
)
DISC_SCENE = Scene(
    _from_rows(DISC_ROWS, "OX#J*"),
    ((24, 18, 6), (28, 19, 9)),
    LIGHT,
    ((Mark.LAST, *_cells("d9", 10)), (Mark.TURNED, *_cells("c8 b7", 10))),
)
DISC_PICKS = _cells("b8 c2 f8 f9 g5 h5 h8", 10)


# -- men and kings on a chequered board; a king is chosen and sees men it may crown

MAN_ROWS = ".....Ww. .ww.ww.. ....w.ww ..wb.W.. b....w.. ..b..... .bbBb... .bB.bb.."
MAN_BOARD = BoardSpec(
    game="men",
    columns=8,
    rows=8,
    surface="clay",
    seats=SEATS,
    glyphs=(
        Glyph("White man", "man", LIGHT, "↙", "o", heading=225),
        Glyph("White king", "king", LIGHT),
        Glyph("Black man", "man", DARK, "↗", "x", heading=45),
        Glyph("Black king", "king", DARK),
    ),
    tally="{0} pieces, {1} kings",
    regions=(Region("goal", LIGHT, (0,)), Region("goal", DARK, (63,))),
    alternate=tuple(cell for cell in range(64) if (cell // 8 + cell) % 2 == 0),
)
MAN_SCENE = Scene(
    _from_rows(MAN_ROWS, "wWbB"),
    ((12, 2), (11, 2)),
    LIGHT,
    (
        (Mark.CHOSEN, *_cells("f5", 8)),
        (Mark.LAST, *_cells("f1", 8)),
        (Mark.FROM, *_cells("d1", 8)),
        *((Mark.SIGHT, *_cells(f"f5 {man}", 8)) for man in ("e6", "f4", "f7", "g6")),
    ),
)
MAN_PICKS: tuple[int | Pick, ...] = (*_cells("e4 e5 f3 f7 g6", 8), Pick(_cell("e6", 8), "crown", "crown"))

SCENES: dict[str, tuple[BoardSpec, Scene, tuple[int | Pick, ...], int | None]] = {
    "bars": (BAR_BOARD, _bar_scene(), BAR_PICKS, 107),
    "rings": (RING_BOARD, _ring_scene(), _cells("a3 d3 e3 e4", 5), None),
    "discs": (DISC_BOARD, DISC_SCENE, DISC_PICKS, None),
    "men": (MAN_BOARD, MAN_SCENE, MAN_PICKS, None),
}


def _texts(name: str, style: Style, flipped: bool) -> list[str]:
    spec, scene, picks, focus = SCENES[name]
    return [str(line) for line in draw(spec, scene, style=style, picks=picks, focus=focus, flipped=flipped)]


@pytest.mark.parametrize("file", sorted(EXPECTED.glob("*.txt")), ids=lambda file: file.stem)
def test_drawing(file: Path) -> None:
    """A scene is drawn exactly as in its file, which has no blanks at the ends of its lines."""
    name, *how = file.stem.split("-")
    drawn = _texts(name, ASCII if "ascii" in how else UNICODE, "turned" in how)
    assert [text.rstrip() for text in drawn] == file.read_text(encoding="utf-8").splitlines()


def test_every_scene_has_its_files() -> None:
    """Each scene is compared with Unicode and without, and turned."""
    assert {file.stem for file in EXPECTED.iterdir()} == {
        f"{name}{how}" for name in SCENES for how in ("", "-ascii", "-turned")
    }


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", SCENES)
def test_lines_have_one_width(name: str, flipped: bool) -> None:
    """All lines of a drawing are as wide as the board says, and without Unicode they are pure ASCII."""
    for style in (UNICODE, ASCII):
        assert {len(text) for text in _texts(name, style, flipped)} == {44}
    assert "".join(_texts(name, ASCII, flipped)).isascii()


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", ["rings", "discs", "men"])
def test_spans_know_their_places(name: str, flipped: bool) -> None:
    """The lines of a drawing lead to the same cells as the geometry of the board."""
    spec, scene, picks, _ = SCENES[name]
    lines = draw(spec, scene, style=UNICODE, picks=picks, flipped=flipped)
    for cell in range(spec.cells):
        box = box_of(spec, cell, flipped=flipped)
        assert box is not None
        for y in range(box.y, box.y + box.height):
            assert lines[y].columns_of(cell) == range(box.x, box.x + box.width)


def test_chips_lead_to_their_picks() -> None:
    """Pointing at a chip means the pick it stands for, not the cell below."""
    lines = draw(BAR_BOARD, _bar_scene(), style=UNICODE, picks=BAR_PICKS)
    box = box_of(BAR_BOARD, 44 - 3)
    assert box is not None
    assert lines[box.y].columns_of(103) == range(box.x, box.x + box.width)


def test_focus() -> None:
    """The place the player is at is shown in reverse, and no other."""
    lines = draw(MAN_BOARD, MAN_SCENE, style=UNICODE, focus=0)
    focused = ["".join(span.text for span in line.spans if span.focus) for line in lines]
    assert [text for text in focused if text] == ["░[♔]░", "░░░░░"]


def test_focused_chip_is_in_brackets() -> None:
    """The chip the player is at is in brackets; a long one loses its sign for them."""
    for label, text in (("+7", "[+7]"), ("+12", "[12]")):
        lines = draw(BAR_BOARD, _bar_scene(), style=UNICODE, picks=(Pick(100, label, "", 2),), focus=100)
        assert str(lines[18])[12:16] == text


def test_pieces_in_slots_are_not_on_the_board() -> None:
    """What lies in a zone is left to the zones."""
    scene = Scene(((100, 0),), ((0,), (0,)), LIGHT)
    assert draw(BAR_BOARD, scene, style=UNICODE) == draw(BAR_BOARD, Scene((), ((0,), (0,)), LIGHT), style=UNICODE)
