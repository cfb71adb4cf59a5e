"""The rules of Replica, one fact at a time."""

from __future__ import annotations

import pytest

from parlour.games import grid
from parlour.games.api import Outcome
from parlour.games.replica import GAME, rules
from parlour.games.replica.board import BLACK, WHITE
from parlour.games.replica.rules import State
from parlour.protocol.errors import ErrorCode, Refusal

SIZES = [8, 12, 16]
CORNERS = {8: "h8", 12: "l12", 16: "p16"}


def at(turn: str, pieces: str, size: int = 8, **options: str) -> State:
    """The position with these pieces, such as `Wd4 bc3`, and nothing else."""
    cells = grid.grid(size, size)
    board = ["."] * cells.size
    for piece in pieces.split():
        cell = cells.cell(piece[1:])
        assert cell is not None
        board[cell] = piece[0]
    settled = GAME.options({"size": size, **options})
    if not {"W", "B"} <= set(board):  # no position in play, but enough to show how pieces move
        white, black, kings = (grid.mask([n for n, p in enumerate(board) if p in kind]) for kind in ("wW", "bB", "WB"))
        _, two_kings, look_forward, block_any = rules.variant(settled)
        return State(size, white, black, kings, "wb".index(turn), two_kings, look_forward, None, block_any)
    rows = ["".join(board[start : start + size]) for start in range(0, cells.size, size)]
    return GAME.parse(f"{'/'.join(reversed(rows))} {turn}", settled)


def pieces(state: State) -> set[str]:
    names = grid.grid(state.size, state.size).names
    letters = "".join(reversed(GAME.print(state).split(" ")[0].split("/")))
    return {letter + name for letter, name in zip(letters, names, strict=True) if letter != "."}


def legal(state: State) -> set[str]:
    return {GAME.write(state, move) for move in GAME.moves(state)}


def targets(state: State, start: str) -> set[str]:
    """Where the piece on a cell can go, without crownings."""
    return {text.partition("-")[2] for text in legal(state) if text.startswith(f"{start}-")}


def crowned(state: State) -> set[str]:
    """The men that can be crowned."""
    return {text.removesuffix("=K") for text in legal(state) if text.endswith("=K")}


def played(state: State, *texts: str) -> State:
    for text in texts:
        state = GAME.apply(state, GAME.read(state, text))
    return state


# -- setting up


def test_the_first_position() -> None:
    """The first position is the one of the rules page, with White to move."""
    state = GAME.initial(GAME.options({}))

    assert GAME.print(state) == "....wwwW/....wwww/......ww/......ww/bb....../bb....../bbbb..../Bbbb.... w"
    assert GAME.info.seats[WHITE].name == "White"
    assert GAME.to_move(state) == WHITE


@pytest.mark.parametrize("size", SIZES)
def test_twelve_pieces_in_a_corner(size: int) -> None:
    """Black has a cell within the first four columns and rows if one of the two is at most 2; its king is on a1."""
    held = {f"{'abcd'[column]}{row + 1}" for column in range(4) for row in range(4) if column < 2 or row < 2}
    black = {piece for piece in pieces(GAME.initial(GAME.options({"size": size}))) if piece[0] in "bB"}

    assert len(held) == 12
    assert black == {"Ba1"} | {f"b{name}" for name in held - {"a1"}}


@pytest.mark.parametrize("size", SIZES)
def test_white_begins_as_black_turned_round(size: int) -> None:
    """White's corner is Black's turned by 180 degrees, so its king stands in the top-right corner."""
    state = GAME.initial(GAME.options({"size": size}))
    last = size * size - 1

    assert state.white == grid.mask([last - cell for cell in grid.bits(state.black)])
    assert f"W{CORNERS[size]}" in pieces(state)


# -- advance


@pytest.mark.parametrize("piece", ["w", "W"])
def test_white_goes_left_and_down(piece: str) -> None:
    """A White man or king steps left, down or left-down, and nowhere else."""
    assert legal(at("w", f"{piece}d4 Bh1")) == {"d4-c4", "d4-d3", "d4-c3"}


@pytest.mark.parametrize("piece", ["b", "B"])
def test_black_goes_right_and_up(piece: str) -> None:
    """A Black man or king steps right, up or right-up, and nowhere else."""
    assert legal(at("b", f"{piece}d4 Wh1")) == {"d4-e4", "d4-d5", "d4-e5"}


def test_a_step_moves_one_piece_and_passes_the_turn() -> None:
    """After a step the piece is on its new cell, all others are where they were, and the other side is to move."""
    after = played(at("w", "wd4 Wh8 Ba1 bb7"), "d4-c3")

    assert pieces(after) == {"wc3", "Wh8", "Ba1", "bb7"}
    assert GAME.to_move(after) == BLACK


def test_a_king_stays_a_king_when_it_goes() -> None:
    """A king that advances is still one, and the cell it left has none."""
    assert pieces(played(at("w", "Wd4 wd5 Bh1"), "d4-c4")) == {"Wc4", "wd5", "Bh1"}


@pytest.mark.parametrize(
    ("friends", "landing"),
    [("we5 wd4", "c3"), ("we5 wd4 Wc3", "b2"), ("wf5 wf4 wf3", "f2"), ("we6 wd6 wc6 wb6", "a6")],
)
def test_a_jump_goes_behind_an_unbroken_run_of_friends(friends: str, landing: str) -> None:
    """A piece goes over one or more friends in line, men or kings, to the first cell behind them, and these stay."""
    state = at("w", f"wf6 {friends} Bh1")
    after = played(state, f"f6-{landing}")

    assert landing in targets(state, "f6")
    assert pieces(after) == {f"w{landing}", *friends.split(), "Bh1"}


def test_a_jump_ends_at_the_first_gap() -> None:
    """Behind the run the piece stops, even if more friends stand further on."""
    state = at("w", "wf6 we6 wc6 Bh1")

    assert targets(state, "f6") == {"d6", "f5", "e5"}


def test_without_friends_beside_it_there_is_no_jump() -> None:
    """A run that begins further away is not jumped: the piece steps to the cell next to it."""
    state = at("w", "wf6 wd6 wc6 Bh1")

    assert "e6" in targets(state, "f6")
    assert "b6" not in targets(state, "f6")


@pytest.mark.parametrize("enemy", ["be6", "bf5", "be5"])
def test_a_step_captures(enemy: str) -> None:
    """An enemy on the next cell is captured and gone."""
    state = at("w", f"wf6 {enemy} bc7 Wh8 Ba1")
    after = played(state, f"f6-{enemy[1:]}")

    assert pieces(after) == {f"w{enemy[1:]}", "bc7", "Wh8", "Ba1"}
    assert GAME.outcome(after) is None


def test_a_jump_captures_at_the_landing_only() -> None:
    """The enemy behind a run of friends is captured; the friends jumped over are not."""
    after = played(at("b", "ba4 bb4 bc4 wd4 we4 Wh8 Ba1"), "a4-d4")

    assert pieces(after) == {"bd4", "bb4", "bc4", "we4", "Wh8", "Ba1"}


def test_enemies_are_not_jumped() -> None:
    """An enemy ends the way: the cell behind it cannot be reached."""
    state = at("w", "wf6 be6 bf5 be5 Ba1")

    assert targets(state, "f6") == {"e6", "f5", "e5"}


def test_a_run_that_reaches_the_edge_leaves_no_move() -> None:
    """Where friends fill the line up to the edge there is no advance in that direction."""
    state = at("w", "wd2 wd1 wc2 wb2 wa2 Bh1")

    assert targets(state, "d2") == {"c1"}
    assert targets(state, "d1") == {"c1"}


def test_the_edge_ends_every_way() -> None:
    """Rows are not joined at their ends: a piece on the edge does not come back at the other side."""
    assert targets(at("w", "wa4 Bh1"), "a4") == {"a3"}
    assert targets(at("w", "wd1 Bh5"), "d1") == {"c1"}
    assert targets(at("b", "bh4 Wa8"), "h4") == {"h5"}
    assert targets(at("b", "bd8 Wa2"), "d8") == {"e8"}


@pytest.mark.parametrize("size", SIZES)
def test_a_jump_may_cross_the_whole_board(size: int) -> None:
    """A diagonal that friends fill but for its last cell is jumped from one end to the other."""
    names = grid.grid(size, size).names
    diagonal = [names[row * size + row] for row in range(size)]
    state = at("b", f"B{diagonal[0]} Wa{size} " + " ".join(f"b{name}" for name in diagonal[1:-1]), size)

    assert diagonal[-1] in targets(state, "a1")


# -- crowning


SEEN = "wa5 wb8 we8 wh8 wh5 we1 wa1 wh2"
UNSEEN = "wa2 wb7 wd7 wf7 wg6 wg4 wf3 wd3 wc4 wc6"


def test_a_king_sees_along_rows_columns_and_diagonals() -> None:
    """Men in one of the eight directions of a king can be flipped, however far; men elsewhere cannot."""
    state = at("w", f"We5 {SEEN} {UNSEEN} Bb1")

    assert crowned(state) == {piece[1:] for piece in SEEN.split()}


def test_crowning_makes_a_king_on_the_spot() -> None:
    """The man becomes a king where it stands, nothing else changes, and the other side is to move."""
    after = played(at("w", "We5 we8 wb5 Bb1"), "e8=K")

    assert pieces(after) == {"We5", "We8", "wb5", "Bb1"}
    assert GAME.to_move(after) == BLACK


def test_friends_do_not_block_the_sight() -> None:
    """A king sees over its own men and kings."""
    state = at("w", "We5 wd5 Wc5 wb5 Bb1")

    assert {"d5", "b5"} <= crowned(state)


@pytest.mark.parametrize("enemy", ["b", "B"])
def test_enemies_block_the_sight(enemy: str) -> None:
    """An enemy man or king hides the men behind it, and only those."""
    state = at("w", f"We5 wd5 {enemy}c5 wb5 we2 Bb1")

    assert crowned(state) == {"d5", "e2"}


def test_an_enemy_blocks_one_direction_only() -> None:
    """The other way along the same line is still open."""
    assert crowned(at("w", "Wd4 bc4 wb4 wf4 Bh1")) == {"f4"}


def test_only_kings_see() -> None:
    """Men see nothing, so without a king in line there is no transform."""
    assert crowned(at("w", "We5 wa2 wb2 wc2 Bh1")) == {"b2"}


def test_only_own_men_are_flipped() -> None:
    """Kings are not flipped again, and enemies not at all."""
    assert crowned(at("w", "We5 We7 be3 Ba1 bg5")) == set()


def test_every_king_sees() -> None:
    """What any one king sees can be flipped, also by a king that was flipped before."""
    state = at("w", "Wh8 wh2 wa2 Bb1")

    assert crowned(state) == {"h2"}
    assert crowned(played(state, "h2=K", "b1-b2")) == set()  # the enemy on b2 stands between
    assert crowned(played(state, "h2=K", "b1-c1")) == {"a2"}


def test_black_sees_too() -> None:
    """The same holds for Black."""
    assert crowned(at("b", "Bd4 bd7 bb4 wf4 bg4 bf6 Wh1")) == {"d7", "b4", "f6"}


@pytest.mark.parametrize(("turn", "king", "ahead"), [("w", "W", {"a5", "e1", "a1"}), ("b", "B", {"h5", "e8", "h8"})])
def test_forward_sight(turn: str, king: str, ahead: set[str]) -> None:
    """With the option, a king sees in its three forward directions only."""
    men = "".join(f" {turn}{name}" for name in ("a5", "e1", "a1", "h5", "e8", "h8", "b8", "h2"))
    enemy = "Bc8" if turn == "w" else "Wc8"

    assert crowned(at(turn, f"{king}e5{men} {enemy}", sight="forward")) == ahead
    assert crowned(at(turn, f"{king}e5{men} {enemy}", sight="all")) > ahead


def test_forward_sight_is_blocked_by_enemies_only() -> None:
    """Looking forward, too, friends hide nothing and enemies hide the men behind them."""
    assert crowned(at("w", "We5 wd5 wc5 we4 be3 we2 Bh1", sight="forward")) == {"d5", "c5", "e4"}


def test_two_kings_are_enough() -> None:
    """With the option no man is crowned while the side has two kings; without it there is."""
    board = "Wh8 Wh5 wh6 Bb1"

    assert crowned(at("w", board, kings="2")) == set()
    assert crowned(at("w", board)) == {"h6"}


def test_one_king_may_be_joined_by_a_second() -> None:
    """With the limit of two, one king still makes another, and then no third."""
    state = at("w", "Wh8 wh6 wh5 Bb1", kings="2")

    assert crowned(state) == {"h6", "h5"}
    assert crowned(played(state, "h6=K", "b1-c1")) == set()


def test_the_limit_counts_own_kings_only() -> None:
    """Two enemy kings are no hindrance."""
    assert crowned(at("w", "Wh8 wh6 Bb1 Bd1", kings="2")) == {"h6"}


# -- the end


@pytest.mark.parametrize("start", ["a2", "b1", "b2"])
def test_a_white_king_on_a1_wins(start: str) -> None:
    """White wins at once when a king of its own arrives on a1, from whatever side."""
    after = played(at("w", f"W{start} wh8 Bd4"), f"{start}-a1")

    assert GAME.outcome(after) == Outcome(WHITE, rules.GOAL)


@pytest.mark.parametrize("size", SIZES)
def test_a_black_king_in_the_top_right_corner_wins(size: int) -> None:
    """Black wins at once when a king of its own arrives in the top-right corner of the board, whatever its size."""
    corner = CORNERS[size]
    beside = f"{chr(ord(corner[0]) - 1)}{size}"
    after = played(at("b", f"B{beside} Wd4", size), f"{beside}-{corner}")

    assert GAME.outcome(after) == Outcome(BLACK, rules.GOAL)


def test_a_jump_into_the_corner_wins() -> None:
    """A king may arrive by a jump."""
    assert GAME.outcome(played(at("w", "Wa3 wa2 Bd4"), "a3-a1")) == Outcome(WHITE, rules.GOAL)


def test_a_man_in_the_corner_does_not_win() -> None:
    """A man that arrives changes nothing: the game goes on."""
    after = played(at("w", "wa2 Wh8 Bd4"), "a2-a1")

    assert GAME.outcome(after) is None
    assert GAME.to_move(after) == BLACK


def test_a_man_in_the_corner_wins_when_it_is_flipped() -> None:
    """Crowning a man that stands on the far corner wins."""
    assert GAME.outcome(played(at("w", "wa1 Wa8 Bd4"), "a1=K")) == Outcome(WHITE, rules.GOAL)
    assert GAME.outcome(played(at("b", "bh8 Bb2 Wa8"), "h8=K")) == Outcome(BLACK, rules.GOAL)


def test_the_own_corner_is_no_goal() -> None:
    """A king in its own first corner wins nothing: White's goal is a1, Black's the other one."""
    state = at("w", "Wh8 wh7 Ba1 ba2")

    assert GAME.outcome(state) is None
    assert GAME.outcome(played(state, "h7-g7")) is None


@pytest.mark.parametrize("hunter", ["w", "W"])
def test_capturing_a_king_wins(hunter: str) -> None:
    """The side that captures an enemy king has won, with a man or with a king."""
    after = played(at("w", f"{hunter}d4 Wh8 Bc3"), "d4-c3")

    assert GAME.outcome(after) == Outcome(WHITE, rules.KING_TAKEN)
    assert pieces(after) == {f"{hunter}c3", "Wh8"}


def test_capturing_any_king_wins() -> None:
    """It does not help to have other kings left."""
    after = played(at("b", "bd4 Ba1 We5 Wh8 Wg8"), "d4-e5")

    assert GAME.outcome(after) == Outcome(BLACK, rules.KING_TAKEN)


def test_a_captured_king_is_no_king_any_more() -> None:
    """A man that captures a king is still a man: the cell does not make it a king."""
    assert "wc3" in pieces(played(at("w", "wd4 Wh8 Bc3 Ba1"), "d4-c3"))


def test_capturing_a_king_in_the_corner() -> None:
    """A king that arrives in the corner by capturing one there wins by the corner; a man wins by the capture."""
    assert GAME.outcome(played(at("w", "Wa2 Ba1"), "a2-a1")) == Outcome(WHITE, rules.GOAL)
    assert GAME.outcome(played(at("w", "wa2 Wh8 Ba1"), "a2-a1")) == Outcome(WHITE, rules.KING_TAKEN)


# White's two kings and its man fill the corner: no way on, and no third king allowed.
STUCK = "Wa2 Wb1 wa1"


def test_a_side_that_cannot_move_loses() -> None:
    """Black moves, White has no legal move, so Black has won."""
    after = played(at("b", f"{STUCK} Be5", kings="2"), "e5-f5")

    assert GAME.outcome(after) == Outcome(BLACK, rules.NO_MOVE)


def test_crowning_is_a_legal_move() -> None:
    """The same White can still crown its man where kings are not limited, so the game goes on."""
    after = played(at("b", f"{STUCK} Be5"), "e5-f5")

    assert legal(after) == {"a1=K"}


def test_black_can_be_stuck_too() -> None:
    """The same at the other corner."""
    after = played(at("w", "Bh7 Bg8 bh8 We5", kings="2"), "e5-d5")

    assert GAME.outcome(after) == Outcome(WHITE, rules.NO_MOVE)


def test_nothing_can_be_played_after_the_end() -> None:
    """A finished game has no moves, no steps, a count of 0, no side to move, and refuses every move."""
    over = played(at("w", "Wa2 Bd4 bb2"), "a2-a1")

    assert GAME.to_move(over) is None
    assert list(GAME.moves(over)) == []
    assert list(GAME.steps(over)) == []
    assert GAME.count(over) == 0
    with pytest.raises(Refusal) as refused:
        GAME.read(over, "d4-d5")
    assert refused.value.code == ErrorCode.GAME_OVER


def test_options_stay_with_the_game() -> None:
    """A position remembers its variant through a turn."""
    after = played(at("w", "Wh8 wh6 Ba1", kings="2", sight="forward"), "h6-g6")

    assert (after.two_kings, after.look_forward, after.size) == (True, True, 8)


# -- steps


def test_first_the_piece_then_where_it_goes() -> None:
    """The first pick is a piece that can do something, the second a cell; the piece itself means the transform."""
    state = at("w", "Wh8 wh6 wa1 Bb7")
    names = grid.grid(8, 8).names

    assert [names[pick] for pick in GAME.steps(state)] == ["a1", "h6", "h8"]
    assert [names[pick] for pick in GAME.steps(state, (47,))] == ["g5", "h5", "g6", "h6"]
    assert GAME.steps(state, (47, 47)) == []
    assert GAME.check(state, (47, 47)) == GAME.read(state, "h6=K")
