"""Mapello's texts: what is written can be read, and nothing else can."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.mapello import GAME
from parlour.games.mapello.board import BLACK, WHITE
from parlour.games.mapello.layout import DEFAULT_ROWS
from parlour.games.perft import random_move
from parlour.protocol.errors import ErrorCode, Refusal

OPTIONS = GAME.options({})
ROWS = "/".join(DEFAULT_ROWS)

# A position from the middle of a game on the default board.
MIDDLE = (
    "####J#####/##XXX.*.##/#.XXX.#..#/JX#XXXX.*J/JOOOXOOO.#/#OOOOX..*#/#OOOOOX#.J/J..#XOO..#/##.XXXXO##/###J###J##"
    " w 9,6"
)


def refused(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.parse(text, OPTIONS)
    return caught.value


def with_row(number: int, row: str) -> str:
    rows = list(DEFAULT_ROWS)
    rows[10 - number] = row
    return "/".join(rows)


# -- positions


def test_the_first_position_in_text() -> None:
    """Ten rows from the top, the side to move, the bonus points of both."""
    assert GAME.print(GAME.initial(OPTIONS)) == f"{ROWS} b 0,0"


def test_a_position_from_a_game() -> None:
    """A text from the middle of a game keeps its side to move, points, bonuses and text."""
    state = GAME.parse(MIDDLE, OPTIONS)

    assert GAME.print(state) == MIDDLE
    assert GAME.to_move(state) == WHITE
    assert state.points == (9, 6)
    assert state.bonuses.bit_count() == 3
    assert GAME.scores(state) == (19 + 9, 18 + 6)


@given(st.integers(0, 2**53 - 1))
def test_positions_round_trip(seed: int) -> None:
    """Every position of a random game on a random board, the last one too, is read back as it was."""
    options = GAME.options({"board": "random", "seed": seed})
    rng = Random(seed)
    state = GAME.initial(options)
    while True:
        assert GAME.parse(GAME.print(state), options) == state
        if GAME.to_move(state) is None:
            break
        state = GAME.apply(state, random_move(GAME, state, rng))


def test_the_text_has_the_whole_board() -> None:
    """A position is read without regard to the board among the options."""
    elsewhere = GAME.options({"board": "random", "seed": 3})

    assert GAME.parse(MIDDLE, elsewhere) == GAME.parse(MIDDLE, OPTIONS)


def test_a_side_that_cannot_move_is_skipped_in_reading() -> None:
    """White has nothing to turn against, so it is Black's turn."""
    rows = with_row(6, "#XO.XX...#").replace("OX..*", "XX..*").replace("J", "#")
    state = GAME.parse(f"{rows} w 0,0", OPTIONS)

    assert GAME.to_move(state) == BLACK
    assert state == GAME.parse(f"{rows} b 0,0", OPTIONS)


def test_a_position_without_any_move_is_over() -> None:
    """Whatever the text says about the turn, the game has ended when neither can move."""
    rows = with_row(6, "J...XX...#").replace("OX..*", "XX..*")
    ended = GAME.parse(f"{rows} - 0,0", OPTIONS)

    assert GAME.to_move(ended) is None
    assert GAME.outcome(ended) is not None
    assert GAME.parse(f"{rows} b 0,0", OPTIONS) == GAME.parse(f"{rows} w 0,0", OPTIONS) == ended


MALFORMED = [
    "",
    " ",
    ROWS,
    f"{ROWS} b",
    f"{ROWS} b 0,0 ",
    f" {ROWS} b 0,0",
    f"{ROWS}  b 0,0",
    f"{ROWS}\tb\t0,0",
    f"{ROWS} b 0,0\n",
    f"{ROWS} b 0,0 extra",
    f"{ROWS} B 0,0",
    f"{ROWS} x 0,0",
    f"{ROWS}  0,0",
    f"{ROWS} b 0",
    f"{ROWS} b 0,0,0",
    f"{ROWS} b ,",
    f"{ROWS} b 0;0",
    f"{ROWS} b 00,0",
    f"{ROWS} b 03,0",
    f"{ROWS} b -3,0",
    f"{ROWS} b +3,0",
    f"{ROWS} b ٣,0",
    f"{ROWS} b ³,0",
    f"{ROWS} b 300,0",
    f"{ROWS} b {'9' * 5000},0",
    f"{ROWS}/########## b 0,0",
    f"{'/'.join(DEFAULT_ROWS[1:])} b 0,0",
    f"{with_row(7, 'J*#.....*')} b 0,0",
    f"{with_row(7, 'J*#.....*J#')} b 0,0",
    f"{with_row(7, 'J*#..e..*J')} b 0,0",
    f"{with_row(7, 'J*#..x..*J')} b 0,0",
    f"{ROWS.replace('/', chr(10))} b 0,0",
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_positions(text: str) -> None:
    """A text that is not written as positions are is refused as malformed, in one short sentence."""
    refusal = refused(text)

    assert refusal.code == ErrorCode.POSITION_MALFORMED
    assert 0 < len(refusal.sentence) < 150


IMPOSSIBLE = [
    (f"{with_row(10, '####.#####')} b 0,0", "Row 10 has “.” on e10"),
    (f"{with_row(5, 'X...OX..*#')} b 0,0", "Row 5 has “X” on a5"),
    (f"{with_row(8, '#..J..#..#')} b 0,0", "Row 8 has “J” on d8; only . or # or * or X or O can be there"),
    (f"{with_row(1, 'J##J###J##')} b 0,0", "one joker too many"),
    (f"{with_row(8, '#..#..#..#')} b 0,0", "one wall too many"),
    (f"{with_row(8, '#..*..#..#')} b 0,0", "one bonus too many"),
    (
        f"{with_row(6, 'J....O...#')} b 0,0",
        "Row 6 has “.” on e6; only X or O can be there",
    ),
    (f"{with_row(5, '#...O#..*#')} b 0,0", "Row 5 has “#” on f5"),
    (f"{with_row(5, '#...*X...#')} b 0,0", "Row 5 has “*” on e5"),
    (f"{ROWS} b 1,0", "1 bonus points are impossible"),
    (f"{ROWS} b 0,4", "4 bonus points are impossible"),
    (f"{ROWS} b 3,0", "Bonuses taken: 1, left: 8"),
    (f"{ROWS.replace('*', '.')} b 15,12", "Bonuses taken: 9, left: 0"),
    (f"{ROWS.replace('*', '.')} b 3,0", "4 discs are too few"),
    (f"{ROWS} - 0,0", "Black can move"),
    (f"{with_row(6, '#.XOXX...#').replace('OX..*', 'XX..*').replace('J', '#')} - 0,0", "can move"),
]


@pytest.mark.parametrize(("text", "words"), IMPOSSIBLE)
def test_impossible_positions(text: str, words: str) -> None:
    """A text that can be read but contradicts the rules is refused with the reason."""
    refusal = refused(text)

    assert refusal.code == ErrorCode.POSITION_IMPOSSIBLE
    assert words in refusal.sentence


def test_as_many_bonuses_taken_as_there_can_be() -> None:
    """Eight bonuses taken, with a disc on each, are possible."""
    rows = ROWS.replace("*", "X")
    state = GAME.parse(f"{rows} b 12,12", OPTIONS)

    assert state.points == (12, 12)


# -- moves


def test_a_move_is_its_cell() -> None:
    """The text of a move is the cell of the new disc."""
    state = GAME.initial(OPTIONS)

    assert sorted(GAME.write(state, move) for move in GAME.moves(state)) == ["d5", "e4", "f7", "g6"]
    assert GAME.read(state, "e4") == (34,)


@pytest.mark.parametrize(
    "text", ["", " ", "e", "4", "e04", "E4", "e4 ", " e4", "e4-e5", "e٤", "e0", "k1", "a11", "-", "pass"]
)
def test_malformed_moves(text: str) -> None:
    """Anything but the name of a cell of the board is malformed; there is no text for passing."""
    with pytest.raises(Refusal) as caught:
        GAME.read(GAME.initial(OPTIONS), text)

    assert caught.value.code == ErrorCode.MOVE_MALFORMED


@pytest.mark.parametrize("text", ["e5", "b9", "a7", "j10", "b7", "c2"])
def test_illegal_moves(text: str) -> None:
    """Discs, walls, jokers, rim and cells that turn nothing are refused, with what can be chosen."""
    with pytest.raises(Refusal) as caught:
        GAME.read(GAME.initial(OPTIONS), text)

    assert caught.value.code == ErrorCode.MOVE_ILLEGAL
    assert "choose one of e4, d5, g6, f7" in caught.value.sentence


def test_places_have_names() -> None:
    """Places are the hundred cells; other numbers, negative ones too, have no name."""
    state = GAME.initial(OPTIONS)

    assert [GAME.place(state, pick) for pick in (0, 9, 34, 99)] == ["a1", "j1", "e4", "j10"]
    for pick in (-1, -100, 100):
        with pytest.raises(IndexError):
            GAME.place(state, pick)
