"""How a Mapello board is described to those who draw it."""

from __future__ import annotations

from parlour.games import grid
from parlour.games.mapello import GAME
from parlour.games.mapello.board import BLACK, WHITE
from parlour.protocol.scene import Mark

OPTIONS = GAME.options({})
BOARD = GAME.board(OPTIONS)
GRID = grid.grid(10, 10)

# Black to move: b7 takes a bonus.
NEAR_A_STAR = (
    "####J#####/##.*..*.##/#.....#..#/J*#X....*J/J.OOOO...#/#..XXX..*#/#*.....#.J/J..#.....#/##.*...*##/###J###J##"
    " b 0,0"
)


def cell(name: str) -> int:
    found = GRID.cell(name)
    assert found is not None
    return found


def test_the_frame() -> None:
    """The cells around the 64 playable ones are rim, half of those are chequered, and there are no zones."""
    assert len(BOARD.rim) == 36
    assert {cell("a1"), cell("j10"), cell("e10"), cell("a5")} <= set(BOARD.rim)
    assert len(BOARD.alternate) == 32
    assert not set(BOARD.alternate) & set(BOARD.rim)
    assert BOARD.places == 100
    assert BOARD.surface == "chart"


def test_seats_and_tones() -> None:
    """Black is the dark seat and moves first."""
    assert [(seat.name, seat.tone) for seat in BOARD.seats] == [("Black", "dark"), ("White", "light")]


def test_pieces_of_the_default_board() -> None:
    """Discs, inner walls, jokers and bonuses are pieces; the walls of the rim are not."""
    scene = GAME.scene(GAME.initial(OPTIONS))
    shown = {place: BOARD.glyphs[glyph].name for place, glyph in scene.pieces}

    assert shown[cell("e6")] == "Black disc"
    assert shown[cell("f6")] == "White disc"
    assert shown[cell("b9")] == "Wall"
    assert shown[cell("e10")] == "Joker"
    assert shown[cell("d9")] == "Bonus"
    assert cell("a1") not in shown
    assert len(shown) == 4 + 8 + 8 + 8
    assert scene.to_move == BLACK


def test_glyphs_say_what_they_are() -> None:
    """Discs belong to their seat, everything else to neither; the bonus shows its worth."""
    assert [(glyph.shape, glyph.seat, glyph.label) for glyph in BOARD.glyphs] == [
        ("disc", BLACK, ""),
        ("disc", WHITE, ""),
        ("block", None, ""),
        ("joker", None, ""),
        ("star", None, "+3"),
    ]
    assert all(len(glyph.text) == len(glyph.ascii) == 1 for glyph in BOARD.glyphs)


def test_tallies_add_up() -> None:
    """Score, discs and bonus points, as the line under a name says."""
    state = GAME.parse(NEAR_A_STAR, OPTIONS)
    after = GAME.apply(state, GAME.read(state, "b7"))

    assert GAME.scene(state).tallies == ((4, 4, 0), (4, 4, 0))
    assert GAME.scene(after).tallies == ((9, 6, 3), (3, 3, 0))
    assert BOARD.tally.format(*GAME.scene(after).tallies[BLACK]) == "9 = discs 6 + bonus 3"


def test_a_bonus_taken_is_a_disc() -> None:
    """The star gives way to the disc that took it."""
    state = GAME.parse(NEAR_A_STAR, OPTIONS)
    after = GAME.apply(state, GAME.read(state, "b7"))

    assert (cell("b7"), 4) in GAME.scene(state).pieces
    assert (cell("b7"), 0) in GAME.scene(after).pieces


def test_marks_of_a_turn() -> None:
    """The new disc is marked, and every disc it turned."""
    state = GAME.initial(OPTIONS)

    assert GAME.marks(state, GAME.read(state, "e4")) == ((Mark.LAST, cell("e4")), (Mark.TURNED, cell("e5")))


def test_choosing_a_cell() -> None:
    """Before the pick, every cell that can be chosen says what it turns and takes."""
    state = GAME.parse(NEAR_A_STAR, OPTIONS)
    shown = GAME.half_turn(state, ())

    assert shown.prompt == "Choose a cell."
    assert shown.scene == GAME.scene(state)
    assert set(shown.notes) == set(GAME.steps(state))
    assert shown.notes[cell("b7")].label == "turns 1, takes +3"
    assert shown.notes[cell("e7")].label == "turns 1"


def test_after_choosing() -> None:
    """With the pick, the scene is the one after the turn, marked."""
    state = GAME.initial(OPTIONS)
    move = GAME.read(state, "e4")
    shown = GAME.half_turn(state, move)

    assert shown.scene == GAME.scene_after(state, move, GAME.apply(state, move))
    assert not shown.notes
