"""The rules of Mapello, one fact at a time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from parlour.games import grid
from parlour.games.api import Outcome
from parlour.games.mapello import GAME, rules
from parlour.games.mapello.board import BLACK, EVERYWHERE, INNER, WHITE
from parlour.games.mapello.rules import State
from parlour.games.perft import perft

OPTIONS = GAME.options({})
NAMES = grid.grid(10, 10).names

BARE = (
    "##########",
    "#........#",
    "#........#",
    "#........#",
    "#...XO...#",
    "#...OX...#",
    "#........#",
    "#........#",
    "#........#",
    "##########",
)


def board(**rows: str) -> list[str]:
    """Return the bare board with some rows replaced: `r10` is the top one, `r1` the bottom one."""
    return [rows.get(f"r{10 - index}", row) for index, row in enumerate(BARE)]


def at(rows: Sequence[str], turn: str = "b", points: str = "0,0") -> State:
    return GAME.parse(f"{'/'.join(rows)} {turn} {points}", OPTIONS)


def played(state: State, *texts: str) -> State:
    for text in texts:
        state = GAME.apply(state, GAME.read(state, text))
    return state


def legal(state: State) -> set[str]:
    return {GAME.write(state, move) for move in GAME.moves(state)}


def cells(plain: int) -> set[str]:
    return {NAMES[cell] for cell in grid.bits(plain)}


def discs(state: State) -> tuple[set[str], set[str]]:
    return cells(state.black & EVERYWHERE), cells(state.white & EVERYWHERE)


def turns_over(state: State, text: str) -> set[str]:
    (cell,) = GAME.read(state, text)
    return cells(rules.turned(state, cell))


# -- setting up


def test_black_begins_with_two_discs_each_in_the_centre() -> None:
    """Black stands on e6 and f5, White on f6 and e5, and Black moves first."""
    state = GAME.initial(OPTIONS)

    assert discs(state) == ({"e6", "f5"}, {"f6", "e5"})
    assert GAME.info.seats[BLACK].name == "Black"
    assert GAME.to_move(state) == BLACK


def test_default_board() -> None:
    """The default board is the one of the rules page."""
    state = GAME.initial(OPTIONS)

    assert cells(state.jokers & EVERYWHERE) == {"e10", "a7", "j7", "a6", "j4", "a3", "d1", "h1"}
    assert cells(rules.walls(state) & INNER) == {"b9", "i9", "g8", "c7", "h4", "d3", "b2", "i2"}
    assert cells(state.bonuses) == {"d9", "g9", "b7", "i7", "i5", "b4", "d2", "h2"}


def test_perft_of_the_default_board() -> None:
    """Other programs count 4, 12, 50 and 198 sequences of moves on the default board."""
    assert [perft(GAME, GAME.initial(OPTIONS), depth) for depth in (1, 2, 3, 4)] == [4, 12, 50, 198]


def test_perft_of_the_bare_board() -> None:
    """Without walls, jokers and bonuses it is Othello: 4, 12, 56 and 244."""
    bare = GAME.initial(GAME.options({"board": "/".join(BARE)}))

    assert [perft(GAME, bare, depth) for depth in (1, 2, 3, 4)] == [4, 12, 56, 244]


# -- turning discs over


def test_all_eight_directions_turn_at_once() -> None:
    """One disc turns a run in each of the eight directions."""
    state = at(board(r6="#X.XXX...#", r5="#.OOOX...#", r4="#XO.OX...#", r3="#.OOO....#", r2="#X.X.X...#"))

    assert turns_over(state, "d4") == {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"}
    after = played(state, "d4")
    assert discs(after)[WHITE] == set()
    assert len(discs(after)[BLACK]) == 10 + 8 + 1


def test_a_run_may_be_as_long_as_the_board() -> None:
    """Six discs between two cells at either end of a row are turned together."""
    state = at(board(r2="#.OOOOOOX#"))

    assert turns_over(state, "b2") == {"c2", "d2", "e2", "f2", "g2", "h2"}


def test_every_run_that_is_closed_is_turned() -> None:
    """No choice: two closed runs are both turned, an open third one is not."""
    state = at(board(r4="#X.......#", r3="#.OO.....#", r2="#XO.OO...#"))

    assert turns_over(state, "d2") == {"c2", "c3"}
    assert {"d3", "e2", "f2"} <= discs(played(state, "d2"))[WHITE]


@pytest.mark.parametrize(("beyond", "can"), [("X", True), (".", False), ("*", False), ("#", False)])
def test_what_ends_a_run(beyond: str, can: bool) -> None:
    """An own disc closes a run; an empty cell, an untaken bonus or a wall ends it without capture."""
    state = at(board(r2=f"#.OO{beyond}....#"))

    assert ("b2" in legal(state)) == can


def test_a_run_is_unbroken() -> None:
    """Nothing is turned beyond a gap, a wall, a bonus or an own disc."""
    for gap in ".#*":
        assert "b2" not in legal(at(board(r2=f"#.O{gap}OX...#")))
    assert turns_over(at(board(r2="#.OXOX...#")), "b2") == {"c2"}


def test_a_run_has_at_least_one_disc() -> None:
    """Cursor beside an own disc or a joker alone allows no move."""
    state = at(board(r3="J.X......#", r2="J........#"))

    assert not {"b2", "b3", "c2", "d3"} & legal(state)


def test_turned_discs_turn_no_others() -> None:
    """Only runs from the new disc count, not those that the turned discs would close."""
    state = at(board(r4="#..X.....#", r3="#..O.....#", r2="#.OOX....#"))
    after = played(state, "b2")

    assert "d3" in discs(after)[WHITE]
    assert {"c2", "d2"} <= discs(after)[BLACK]


def test_the_rim_ends_a_run_without_capture() -> None:
    """A run up to the rim is not closed, and never goes on at the other side of the board."""
    state = at(board(r4="#X.......#", r3="#......OO#", r2="#X.......#", r9="#O.......#", r8="#O.......#"))

    assert not {"g3", "b7", "h4", "i4", "h2", "i2"} & legal(state)


def test_discs_go_on_free_cells_only() -> None:
    """A wall, a disc and the rim cannot be played on even if a run would be closed from there."""
    for taken in "#XO":
        assert "b2" not in legal(at(board(r2=f"#{taken}OOX....#")))
    state = at(board(r2="#OOX.....#"))
    assert "a2" not in legal(state)


# -- jokers


@pytest.mark.parametrize(("turn", "enemy"), [("b", "O"), ("w", "X")])
def test_jokers_count_for_whoever_moves(turn: str, enemy: str) -> None:
    """Both sides close a run against a joker, and the joker stays what it is."""
    state = at(board(r2=f"#.{enemy * 7}J", r1="##########"), turn)

    assert turns_over(state, "b2") == {"c2", "d2", "e2", "f2", "g2", "h2", "i2"}
    after = played(state, "b2")
    assert after.jokers == state.jokers
    assert cells(after.jokers & EVERYWHERE) == {"j2"}


@pytest.mark.parametrize(
    ("joker", "run", "cell"),
    [
        ("j5", ("i5", "h5"), "g5"),
        ("j10", ("i9", "h8"), "g7"),
        ("c10", ("c9", "c8"), "c7"),
        ("a10", ("b9", "c8"), "d7"),
        ("a4", ("b4", "c4"), "d4"),
        ("a1", ("b2", "c3"), "d4"),
        ("g1", ("g2", "g3"), "g4"),
        ("j1", ("i2", "h3"), "g4"),
    ],
)
def test_jokers_close_runs_from_every_side(joker: str, run: tuple[str, ...], cell: str) -> None:
    """A joker works along rows, columns and diagonals, from corners too."""
    letters = [list(row) for row in BARE]
    for name, letter in ((joker, "J"), *((met, "O") for met in run)):
        letters[10 - int(name[1:])]["abcdefghij".index(name[0])] = letter
    rows = ["".join(row) for row in letters]

    assert turns_over(at(rows), cell) == set(run)
    without = ["".join(row).replace("J", "#") for row in rows]
    assert cell not in legal(at(without))


def test_jokers_are_never_covered() -> None:
    """No disc is put on a joker, even next to a closed run."""
    state = at(board(r2="JOX......#"))

    assert "a2" not in legal(state)


def test_a_joker_at_one_side_helps_nobody_at_the_other() -> None:
    """Lines end at the rim: a joker at the right of one row does not close runs at the left of the next."""
    state = at(board(r4="#O.......#", r3="#O.......J", r2="#O.......#"))

    assert not {"c2", "c3", "c4", "c5"} & legal(state)


# -- bonuses


def test_a_bonus_gives_three_points() -> None:
    """A disc on a bonus takes it: three points, and the cell then holds an ordinary disc."""
    state = at(board(r2="#*OX....*#"))
    after = played(state, "b2")

    assert after.points == (3, 0)
    assert cells(after.bonuses) == {"i2"}
    assert {"b2", "c2", "d2"} <= discs(after)[BLACK]
    assert GAME.scores(after) == (5 + 3, 2)


def test_white_takes_bonuses_too() -> None:
    """The points go to the side that moved."""
    assert played(at(board(r2="#*XO.....#"), "w"), "b2").points == (0, 3)


def test_a_bonus_stays_with_who_took_it() -> None:
    """When the disc on it is turned over later, the points stay and are not given again."""
    taken = played(at(board(r2="J*OX.....#")), "b2")
    later = played(taken, "e2")

    assert "b2" in discs(taken)[BLACK]
    assert "b2" in discs(later)[WHITE]
    assert taken.points == later.points == (3, 0)


def test_a_bonus_needs_a_capture() -> None:
    """A bonus cell is played on only where a disc could be put without the bonus."""
    assert legal(at(board(r2="#*.......#"))) == legal(at(board()))


# -- turns, end, score


def test_a_player_without_a_move_is_skipped() -> None:
    """Black moves twice when White cannot move in between, and the scene says so."""
    before = GAME.parse(
        "#####JJJ#J/##OOXX#XX#/#OOOOXXXX#/##XOXXXXX#/#XXXXOOOO#/J#OXOXOO##/##XOXOOO##/#XXXOO#O.J/#XOOOOOO.#/########JJ"
        " b 12,12",
        OPTIONS,
    )
    after = played(before, "i3")

    assert GAME.to_move(before) == GAME.to_move(after) == BLACK
    assert GAME.scene_after(before, GAME.read(before, "i3"), after).note == "White had no move."


def test_the_game_ends_when_neither_can_move() -> None:
    """With no white disc left there is nothing to turn, although most cells are free."""
    state = at(board(r6="#...XX...#", r5="#...OX...#"))
    after = played(state, "d4")

    assert GAME.to_move(after) is None
    assert GAME.moves(after) == []
    assert GAME.steps(after) == []
    assert GAME.count(after) == 0
    assert GAME.outcome(after) == Outcome(BLACK, "score", (5, 0))


def test_bonus_points_decide() -> None:
    """The score counts, not the discs: White wins without a disc on the board."""
    ended = at(board(r6="#...XX...#", r5="#...XX...#", r4="#...XXX..#"), "-", "0,9")

    assert GAME.outcome(ended) == Outcome(WHITE, "score", (7, 9))


def test_equal_scores_are_a_draw() -> None:
    """Six discs against six bonus points is a draw."""
    ended = at(board(r6="#...XX...#", r5="#...XX...#", r4="#...XX...#"), "-", "0,6")

    assert GAME.outcome(ended) == Outcome(None, "equal", (6, 6))
    assert set(GAME.info.reasons) == {"score", "equal"}


def test_white_begins_where_black_cannot() -> None:
    """On a map whose walls take all four first moves of Black, Black is skipped."""
    walled = GAME.options({"board": board(r7="#....#...#", r6="#...XO#..#", r5="#..#OX...#", r4="#...#....#")})

    assert GAME.to_move(GAME.initial(walled)) == WHITE


def test_a_position_in_which_neither_side_can_start_is_a_draw() -> None:
    """Eight walls around the centre leave no first move: no layout may have them, but a position text may."""
    walled = at(board(r7="#...##...#", r6="#..#XO#..#", r5="#..#OX#..#", r4="#...##...#"))

    assert GAME.outcome(walled) == Outcome(None, "equal", (2, 2))


# -- states


def test_the_way_to_a_position_does_not_matter() -> None:
    """Equal positions are equal states with equal hashes, however they came about."""
    start = GAME.initial(OPTIONS)
    one, other = played(start, "e4", "d4", "f7", "g7"), played(start, "f7", "g7", "e4", "d4")

    assert one == other
    assert hash(one) == hash(other)
    assert one != played(start, "e4", "d4")


def test_points_and_turn_tell_positions_apart() -> None:
    """The same discs with other points or another side to move are another position."""
    rows = board(r2="#.......X#")

    assert len({at(rows), at(rows, "w"), at(rows, points="3,0"), at(rows, points="0,3")}) == 4


def test_one_pick_is_a_whole_turn() -> None:
    """The picks offered are the cells of the moves, in rising order, and nothing follows them."""
    state = GAME.initial(OPTIONS)
    offered = GAME.steps(state)

    assert [NAMES[pick] for pick in offered] == ["e4", "d5", "g6", "f7"]
    assert {(pick,) for pick in offered} == set(GAME.moves(state))
    assert all(GAME.steps(state, (pick,)) == [] for pick in offered)
