"""How Replica writes and reads moves and positions."""

from __future__ import annotations

import pytest

from parlour.games.api import UNKNOWN, Outcome
from parlour.games.replica import GAME, rules
from parlour.games.replica.board import BLACK, WHITE
from parlour.games.replica.rules import State
from parlour.protocol.errors import ErrorCode, Refusal

OPTIONS = GAME.options({})
START = "....wwwW/....wwww/......ww/......ww/bb....../bb....../bbbb..../Bbbb.... w"
EMPTY = ("........",) * 8


def board(**rows: str) -> str:
    """An empty board with some rows drawn: `r8` is the top one, `r1` the bottom one."""
    return "/".join(rows.get(f"r{8 - index}", row) for index, row in enumerate(EMPTY))


def parsed(rows: str, turn: str, **options: str) -> State:
    return GAME.parse(f"{rows} {turn}", GAME.options(options))


def refused(text: str, **options: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.parse(text, GAME.options(options))
    return caught.value


def refused_move(text: str, state: State | None = None) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.read(GAME.initial(OPTIONS) if state is None else state, text)
    return caught.value


# -- moves


def test_an_advance_is_two_cells() -> None:
    """`e7-d6` goes from e7 to d6."""
    state = GAME.initial(OPTIONS)

    assert GAME.read(state, "e7-d6") == (6 * 8 + 4, 5 * 8 + 3)
    assert GAME.write(state, (6 * 8 + 4, 5 * 8 + 3)) == "e7-d6"


def test_crowning_is_a_cell_and_a_crown() -> None:
    """`e8=K` crowns the man on e8, which is the pick of that cell twice."""
    state = GAME.initial(OPTIONS)

    assert GAME.read(state, "e8=K") == (60, 60)
    assert GAME.write(state, (60, 60)) == "e8=K"


def test_cells_of_large_boards() -> None:
    """On a board of 16 the top-right cell is p16, and two-digit rows are read and written."""
    state = GAME.initial(GAME.options({"size": 16}))

    assert GAME.place(state, 255) == "p16"
    assert GAME.read(state, "p16-p12") == (255, 191)
    assert GAME.write(state, (255, 191)) == "p16-p12"


@pytest.mark.parametrize(
    "text",
    [
        "", "e7", "e7-", "-d6", "e7d6", "e7 - d6", " e7-d6", "e7-d6 ", "e7-d6\n", "E7-D6", "e7–d6", "e7xd6", "e7-d6-c5",
        "e8=k", "e8=Q", "e8=", "=K", "e8=K ", "e7-e7", "e07-d06", "e٧-d٦", "ｅ7-d6", "e7-d6" * 1000,
    ],
)  # fmt: skip
def test_other_texts_are_malformed(text: str) -> None:
    """A text of any other form is refused with the two forms as examples, or with the cell that does not exist."""
    refusal = refused_move(text)

    assert refusal.code == ErrorCode.MOVE_MALFORMED
    assert "e7-d6" in refusal.sentence or "no cell" in refusal.sentence


@pytest.mark.parametrize(("text", "cell"), [("i7-d6", "i7"), ("e7-d9", "d9"), ("a0=K", "a0"), ("z99=K", "z99")])
def test_cells_that_are_not_there(text: str, cell: str) -> None:
    """A cell outside the board is named in the refusal."""
    refusal = refused_move(text)

    assert refusal.code == ErrorCode.MOVE_MALFORMED
    assert refusal.sentence == f"This board has no cell {cell}."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("e7-e8", "After e7, e8 cannot be chosen; choose one of d6, e6, d7."),
        ("h8=K", "After h8, h8 cannot be chosen; choose one of h4, f6, d8."),
        ("a1-b3", "a1 cannot be chosen; choose one of"),
        ("d4-d5", "d4 cannot be chosen; choose one of"),
    ],
)
def test_illegal_moves_are_told_what_is_possible(text: str, words: str) -> None:
    """A move that can be read but not played is refused with what could be chosen instead."""
    refusal = refused_move(text)

    assert refusal.code == ErrorCode.MOVE_ILLEGAL
    assert refusal.sentence.startswith(words)


# -- positions


def test_rows_run_from_the_top() -> None:
    """The first row of the text is the top one, its first letter column a."""
    state = parsed(board(r8="w......W", r1="B......b"), "w")

    assert state.white == 1 << 56 | 1 << 63
    assert state.black == 1 | 1 << 7
    assert state.kings == 1 << 63 | 1
    assert GAME.print(state) == board(r8="w......W", r1="B......b") + " w"


@pytest.mark.parametrize("turn", ["w", "b"])
def test_the_second_field_is_the_side_to_move(turn: str) -> None:
    """`w` or `b`, and it is written back."""
    state = parsed(START.removesuffix(" w"), turn)

    assert GAME.to_move(state) == "wb".index(turn)
    assert GAME.print(state).endswith(f" {turn}")


def test_a_position_takes_its_variant_from_the_options() -> None:
    """The text does not say which variant is played, so the options do."""
    state = GAME.parse(START, GAME.options({"kings": "2", "sight": "forward"}))

    assert (state.size, state.two_kings, state.look_forward) == (8, True, True)


@pytest.mark.parametrize(
    "text",
    ["", " ", "w", START[:-2], f"{START} ", f" {START}", START.replace(" w", "  w"), START.replace(" w", "\tw"),
     START.replace(" w", " W"), START.replace(" w", " x"), START.replace(" w", " "), f"{START} 0", f"{START}\n"],
)  # fmt: skip
def test_two_fields_with_one_space_between(text: str) -> None:
    """Rows, one space, and w, b or -: everything else is malformed, and the sentence says so."""
    refusal = refused(text)

    assert refusal.code == ErrorCode.POSITION_MALFORMED
    assert refusal.sentence == "A Replica position is its rows and then w, b or -, separated by one space."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("......../........ w", "The position has 2 rows; a board of size 8 has 8."),
        (f"{START.replace(' w', '/........ w')}", "The position has 9 rows; a board of size 8 has 8."),
        (START.replace("bb......", "bb.....", 1), "Row 4 has 7 cells; it should have 8."),
        (START.replace("......ww", "......www", 1), "Row 6 has 9 cells; it should have 8."),
        (START.replace("W", "K"), "Row 8 has “K”; pieces are w, W, b, B and an empty cell is a dot."),
        (START.replace("....", "4...", 1), "Row 8 has “4”; pieces are w, W, b, B and an empty cell is a dot."),
        (START.replace("B", "Β"), "Row 1 has “Β”; pieces are w, W, b, B and an empty cell is a dot."),
    ],
)
def test_a_bad_row_is_named(text: str, sentence: str) -> None:
    """The sentence names the row by its number on the board and says what is wrong with it."""
    refusal = refused(text)

    assert refusal.code == ErrorCode.POSITION_MALFORMED
    assert refusal.sentence == sentence


def test_the_size_belongs_to_the_options() -> None:
    """A text for one size is refused on a board of another."""
    assert refused(START, size=12).sentence == "The position has 8 rows; a board of size 12 has 12."


# -- what the rules say about a position that is read


def test_a_king_on_its_goal_has_won() -> None:
    """Whichever side the text gives the turn, the game is over and the king's owner has won."""
    for turn in "wb-":
        white = parsed(board(r1="W.......", r8="...B...w"), turn)
        black = parsed(board(r8=".......B", r5="w..W...."), turn)

        assert GAME.outcome(white) == Outcome(WHITE, rules.GOAL)
        assert GAME.outcome(black) == Outcome(BLACK, rules.GOAL)
        assert GAME.to_move(white) is GAME.to_move(black) is None


def test_both_kings_on_their_goals_cannot_be() -> None:
    """The game would have ended with the first of them."""
    refusal = refused(f"{board(r8='.......B', r1='W.......')} w")

    assert refusal.code == ErrorCode.POSITION_IMPOSSIBLE
    assert refusal.sentence == "Both sides have a king on their goal corner."


def test_men_on_goals_are_nothing_special() -> None:
    """Men may stand on both corners."""
    assert GAME.outcome(parsed(board(r8="W......b", r1="w......B"), "w")) is None


def test_a_side_to_move_that_is_stuck_has_lost() -> None:
    """A position whose side to move cannot move is over when it is read."""
    state = parsed(board(r2="W.......", r1="wW...B.."), "w", kings="2")

    assert GAME.outcome(state) == Outcome(BLACK, rules.NO_MOVE)
    assert GAME.print(state).endswith(" -")


@pytest.mark.parametrize(
    ("row", "side", "name"), [("..B.w...", "w", "White"), ("..b.W...", "w", "Black"), ("....", "b", "")]
)
def test_a_side_without_a_king_is_not_in_play(row: str, side: str, name: str) -> None:
    """Its king was captured, so the text must say that the game is over."""
    with pytest.raises(Refusal) as refused:
        parsed(board(r4=row.ljust(8, ".")), side)
    assert refused.value.code == ErrorCode.POSITION_IMPOSSIBLE
    assert f"{name} has no king" in refused.value.sentence or not name


def test_a_finished_game_without_a_king_was_lost_by_it() -> None:
    """When only one side has kings left, it took the other's last one."""
    assert GAME.outcome(parsed(board(r5="W..b...."), "-")) == Outcome(WHITE, rules.KING_TAKEN)
    assert GAME.outcome(parsed(board(r5="w..B...."), "-")) == Outcome(BLACK, rules.KING_TAKEN)


@pytest.mark.parametrize("row", ["W..B....", "w..b....", "........"])
def test_a_finished_game_may_not_tell_who_won(row: str) -> None:
    """With kings on both sides or on neither, the text does not say how the game ended: there is no winner."""
    state = parsed(board(r5=row), "-")

    assert GAME.outcome(state) == Outcome(None, UNKNOWN)
    assert GAME.print(state) == f"{board(r5=row)} -"
    assert GAME.to_move(state) is None
    assert list(GAME.moves(state)) == []


@pytest.mark.parametrize(
    ("rows", "turn", "text", "again"),
    [
        (board(r2="W.......", r8="...B...."), "w", "a2-a1", Outcome(WHITE, rules.GOAL)),
        (board(r4="W..B....", r5="w......."), "b", "d4-d5", None),
        (board(r4="..BW....", r7="..b....."), "b", "c4-d4", Outcome(BLACK, rules.KING_TAKEN)),
        (board(r4="..BW....", r7="..W....."), "b", "c4-d4", Outcome(None, UNKNOWN)),
    ],
)
def test_what_the_text_of_an_end_keeps(rows: str, turn: str, text: str, again: Outcome | None) -> None:
    """Read back after the last move, the text is the same; the winner is, too, where the pieces tell."""
    state = parsed(rows, turn)
    after = GAME.apply(state, GAME.read(state, text))
    read_back = GAME.parse(GAME.print(after), OPTIONS)

    assert GAME.print(after).endswith(" w" if again is None else " -")
    assert GAME.print(read_back) == GAME.print(after)
    assert GAME.outcome(read_back) == again
