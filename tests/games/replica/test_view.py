"""How a Replica board is described to those who draw it."""

from __future__ import annotations

import pytest

from parlour.games import grid
from parlour.games.replica import GAME
from parlour.games.replica.board import BLACK, WHITE
from parlour.games.replica.rules import State
from parlour.protocol.scene import Mark, Region

OPTIONS = GAME.options({})
BOARD = GAME.board(OPTIONS)

# White can take on c3 and on d3, or crown the man on d6.
RICH = "W......./......../...w..../......../...W..../..bb..../......../B......b w"


def cell(name: str) -> int:
    found = grid.grid(8, 8).cell(name)
    assert found is not None
    return found


def rich() -> State:
    return GAME.parse(RICH, OPTIONS)


@pytest.mark.parametrize("size", [8, 12, 16])
def test_the_board(size: int) -> None:
    """A square of clay without zones, every second cell darker, a1 among them, and a goal for each seat."""
    board = GAME.board(GAME.options({"size": size}))

    assert (board.columns, board.rows, board.places) == (size, size, size * size)
    assert board.surface == "clay"
    assert board.regions == (Region("goal", WHITE, (0,)), Region("goal", BLACK, (size * size - 1,)))
    assert len(board.alternate) == size * size // 2
    assert 0 in board.alternate
    assert 1 not in board.alternate
    assert size not in board.alternate


def test_seats_and_tones() -> None:
    """White is the light seat and moves first."""
    assert [(seat.name, seat.tone) for seat in BOARD.seats] == [("White", "light"), ("Black", "dark")]


def test_glyphs_say_what_they_are() -> None:
    """Men and kings belong to their seat; a man points to the corner it makes for."""
    assert [(glyph.name, glyph.shape, glyph.seat, glyph.heading) for glyph in BOARD.glyphs] == [
        ("White man", "man", WHITE, 225),
        ("White king", "king", WHITE, None),
        ("Black man", "man", BLACK, 45),
        ("Black king", "king", BLACK, None),
    ]
    assert all(len(glyph.text) == len(glyph.ascii) == 1 for glyph in BOARD.glyphs)
    assert all(glyph.ascii.isascii() for glyph in BOARD.glyphs)


def test_pieces_of_a_scene() -> None:
    """Every piece is shown where it stands, as what it is."""
    shown = {BOARD.place_name(place): BOARD.glyphs[glyph].name for place, glyph in GAME.scene(rich()).pieces}

    assert shown == {
        "a8": "White king", "d6": "White man", "d4": "White king",
        "c3": "Black man", "d3": "Black man", "a1": "Black king", "h1": "Black man",
    }  # fmt: skip


def test_tallies() -> None:
    """Under each name stand its pieces and its kings."""
    scene = GAME.scene(rich())

    assert scene.tallies == ((3, 2), (4, 1))
    assert BOARD.tally.format(*scene.tallies[WHITE]) == "pieces 3, kings 2"
    assert scene.to_move == WHITE


def test_marks_of_an_advance() -> None:
    """The cell it went to and the cell it came from, also for a capture."""
    assert GAME.marks(rich(), GAME.read(rich(), "d4-c3")) == ((Mark.LAST, cell("c3")), (Mark.FROM, cell("d4")))


def test_marks_of_a_crowning() -> None:
    """The man that was flipped."""
    assert GAME.marks(rich(), GAME.read(rich(), "d6=K")) == ((Mark.TURNED, cell("d6")),)


def test_nobody_is_skipped() -> None:
    """Replica knows no skipped turn, so a scene never has a note."""
    state = rich()
    for move in GAME.moves(state):
        assert GAME.scene_after(state, move, GAME.apply(state, move)).note == ""


def test_choosing_a_piece() -> None:
    """Before the first pick the board is shown as it is."""
    shown = GAME.half_turn(rich(), ())

    assert shown.prompt == "Choose a piece to move, or a man to crown."
    assert shown.scene == GAME.scene(rich())
    assert not shown.notes


def test_choosing_where_a_king_goes() -> None:
    """The chosen king is marked, with the man it sees, and the cells where it would capture say so."""
    shown = GAME.half_turn(rich(), (cell("d4"),))

    assert shown.prompt == "King: choose where it goes."
    assert shown.scene.marks == ((Mark.CHOSEN, cell("d4")), (Mark.SIGHT, cell("d4"), cell("d6")))
    assert shown.scene.pieces == GAME.scene(rich()).pieces
    assert {place: note.kind for place, note in shown.notes.items()} == {cell("c3"): "capture", cell("d3"): "capture"}


SEEING = "w......w/......../......../...bw.../......../......../w......./B.....w. w"


@pytest.mark.parametrize(
    ("king", "options", "seen"),
    [
        ("a5", {}, ["a2", "a8"]),
        ("a5", {"sight": "forward"}, ["a2"]),
        ("g8", {}, ["g1", "a8", "h8"]),
        ("g8", {"sight": "forward"}, ["g1", "a8"]),
        ("b2", {}, ["a2", "e5", "h8"]),
        ("b2", {"blocked_by": "any"}, ["a2", "e5"]),
    ],
)
def test_what_a_king_sees(king: str, options: dict[str, str], seen: list[str]) -> None:
    """A chosen king is joined to every man that it could crown: by the variant's sight, and not behind enemies."""
    rows = [list(row) for row in SEEING.removesuffix(" w").split("/")]
    rows[8 - int(king[1])]["abcdefgh".index(king[0])] = "W"
    state = GAME.parse(f"{'/'.join(map(''.join, rows))} w", GAME.options(options))
    marks = GAME.half_turn(state, (cell(king),)).scene.marks

    assert [mark for mark in marks if mark[0] == Mark.SIGHT] == [(Mark.SIGHT, cell(king), cell(man)) for man in seen]


def test_a_king_that_may_crown_nobody_is_joined_to_nobody() -> None:
    """With two kings at most and two on the board, what a king sees does not matter."""
    state = GAME.parse(RICH, GAME.options({"kings": "2"}))

    assert GAME.half_turn(state, (cell("d4"),)).scene.marks == ((Mark.CHOSEN, cell("d4")),)


def test_choosing_where_a_man_goes() -> None:
    """A man that a king sees may be picked again to crown it, and the prompt says so."""
    shown = GAME.half_turn(rich(), (cell("d6"),))

    assert shown.prompt == "Man: choose where it goes, or crown it."
    assert shown.scene.marks == ((Mark.CHOSEN, cell("d6")),)
    assert {place: note.kind for place, note in shown.notes.items()} == {cell("d6"): "crown"}


def test_a_man_that_no_king_sees() -> None:
    """No crown is offered then."""
    unseen = GAME.parse("W......./......../...w..../......../......../......../......../B....... w", OPTIONS)
    shown = GAME.half_turn(unseen, (cell("d6"),))

    assert shown.prompt == "Man: choose where it goes."
    assert not shown.notes


def test_a_whole_turn() -> None:
    """With the second pick the board is shown as it will be, with the marks of the turn."""
    state = rich()
    move = GAME.read(state, "d4-c3")
    shown = GAME.half_turn(state, move)

    assert shown.prompt == "Your turn is complete."
    assert shown.scene == GAME.scene_after(state, move, GAME.apply(state, move))
    assert not shown.notes


def test_a_finished_board() -> None:
    """After the end the scene has no side to move and still shows the pieces."""
    state = GAME.parse(RICH, OPTIONS)
    over = GAME.apply(state, GAME.read(state, "d6=K"))
    over = GAME.apply(over, GAME.read(over, "c3-d4"))

    assert GAME.scene(over).to_move is None
    assert len(GAME.scene(over).pieces) == 6
