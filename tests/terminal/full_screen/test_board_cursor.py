"""Where the keys lead on a board."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.protocol.scene import BoardSpec
from parlour.protocol.types import Pick
from parlour.terminal.full_screen.board_cursor import BoardCursor, is_own_side_on_top


def board_of(key: str) -> BoardSpec:
    game = games.find(key)
    return game.board(game.options({}))


@pytest.fixture
def cursor() -> BoardCursor:
    return BoardCursor(board_of("isaac"))


def test_arrows_stop_at_the_edge(cursor: BoardCursor) -> None:
    """Far steps go to the ends of rows and columns."""
    cursor.place = 0
    cursor.move(-1, -1, ())
    assert cursor.place == 0
    cursor.move(1, 2, ())
    assert cursor.place == 21
    cursor.move(99, 99, ())
    assert cursor.place == 99


def test_typing_names_a_cell(cursor: BoardCursor) -> None:
    """A letter, then one digit or two; a second digit starts a new number where two make no row."""
    for play_text, place in (("a1", 0), ("c4", 32), ("j10", 99), ("b29", 81)):
        for character in play_text:
            assert cursor.type(character, ())
        assert cursor.place == place, play_text
    assert not cursor.type("z", ())


def test_typing_a_number_names_a_slot(cursor: BoardCursor) -> None:
    """A bar by its length, a walk by its squares; and only while they may be picked."""
    bars = [Pick(place) for place in range(100, 105)]
    walk = cursor.board.first_slot("walk")
    walks = [Pick(walk + squares, f"+{squares}", cell=squares) for squares in range(13)]

    assert cursor.type("5", bars)
    assert cursor.place == 102
    cursor.begin(walks)
    assert cursor.place == walks[-1].place
    assert cursor.type("1", walks)
    assert cursor.type("2", walks)
    assert cursor.place == walk + 12
    assert not cursor.type("9", bars[:1])


def test_tab_walks_over_the_picks(cursor: BoardCursor) -> None:
    """Forwards, backwards and around; from elsewhere, to the next one."""
    picks = [Pick(3), Pick(7), Pick(50)]
    cursor.place = 5
    cursor.next_pick(1, picks)
    assert cursor.place == 7
    cursor.next_pick(1, picks)
    cursor.next_pick(1, picks)
    assert cursor.place == 3
    cursor.next_pick(-1, picks)
    assert cursor.place == 50
    cursor.next_pick(1, ())
    assert cursor.place == 50


def test_a_number_drawn_on_a_cell_is_met_there(cursor: BoardCursor) -> None:
    """Moving to the cell selects the number."""
    picks = [Pick(150, "+1", cell=1)]
    cursor.place = 0
    cursor.move(1, 0, picks)
    assert cursor.place == 150
    cursor.move(1, 0, picks)
    assert cursor.place == 2


@pytest.mark.parametrize(
    ("key", "seats"),
    [("replica", [True, False]), ("mitsudomoe", [False, True]), ("isaac", [True, False]), ("mapello", [False, False])],
)
def test_ones_own_side_is_at_the_bottom(key: str, seats: list[bool]) -> None:
    """The board is rotated for a seat whose home or start is at the top; never for spectators."""
    board = board_of(key)

    assert [is_own_side_on_top(board, seat) for seat in (0, 1)] == seats
    assert not is_own_side_on_top(board, None)
