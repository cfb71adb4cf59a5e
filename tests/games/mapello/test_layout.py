"""Boards: the default one, random ones, and custom layouts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.mapello import GAME, layout
from parlour.games.mapello.layout import BARE_ROWS, DEFAULT_ROWS
from parlour.protocol.errors import ErrorCode, Refusal

SEEDS = st.integers(0, 2**53 - 1)
CENTRE = {44: "O", 45: "X", 54: "X", 55: "O"}


def refused(board: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.options({"board": board})
    return caught.value


def changed(number: int, row: str) -> list[str]:
    """Return the default rows with one row replaced; rows are numbered from the bottom."""
    rows = list(DEFAULT_ROWS)
    rows[10 - number] = row
    return rows


# -- options


def test_the_default_board_is_chosen_by_itself() -> None:
    """Without options the board is the default one and the seed 0."""
    assert dict(GAME.options({})) == {"board": "default", "seed": 0}


def test_a_custom_layout_may_be_given_in_three_ways() -> None:
    """Rows joined by slashes, by line breaks of any system, or as a list settle to the same text."""
    text = "/".join(DEFAULT_ROWS)

    for given_board in (
        text,
        "\n".join(DEFAULT_ROWS),
        "\n" + "\n".join(DEFAULT_ROWS) + "\n",
        "\r\n".join(DEFAULT_ROWS) + "\r\n",
        list(DEFAULT_ROWS),
        DEFAULT_ROWS,
    ):
        assert GAME.options({"board": given_board})["board"] == text
    assert GAME.initial(GAME.options({"board": text})) == GAME.initial(GAME.options({}))


def test_settled_options_settle_to_themselves() -> None:
    """Options that were kept with a game can be given again."""
    for board in ("default", "random", "\n".join(BARE_ROWS)):
        once = GAME.options({"board": board, "seed": 5})

        assert GAME.options(once) == once


@pytest.mark.parametrize("board", [None, 3, True, {}, [1, 2], ["#" * 10, None], b"default", 1.5])
def test_a_board_is_text(board: object) -> None:
    """Anything that is neither text nor a list of texts is refused as an option."""
    assert refused(board).code == ErrorCode.OPTION_INVALID


@pytest.mark.parametrize("seed", [-1, 2**53, "7", None, 1.0, True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    """Seeds go from 0 to the largest whole number JavaScript is sure of."""
    with pytest.raises(Refusal) as caught:
        GAME.options({"board": "random", "seed": seed})

    assert caught.value.code == ErrorCode.OPTION_INVALID


# -- faults of a custom layout

FAULTS = [
    # size
    (DEFAULT_ROWS[:9], "10 rows, not 9"),
    ((*DEFAULT_ROWS, "##########"), "10 rows, not 11"),
    ("", "10 rows, not 1"),
    ("nonsense", "10 rows, not 1"),
    ("Default", "10 rows, not 1"),
    (changed(10, "####J####"), "Row 10 should have 10 cells, not 9"),
    (changed(1, "###J###J###"), "Row 1 should have 10 cells, not 11"),
    (changed(4, ""), "Row 4 should have 10 cells, not 0"),
    # characters
    (changed(8, "#..?..#..#"), "Row 8 has “?”"),
    (changed(8, "#..x..#..#"), "Row 8 has “x”"),
    (changed(8, "#.. ..#..#"), "Row 8 has “ ”"),
    (changed(8, "#..\0..#..#"), "Row 8 has the character U+0000"),
    (changed(8, "#..\ud800..#..#"), "Row 8 has the character U+D800"),
    # rim
    (changed(10, "####.#####"), "Row 10 has “.” on e10; only # or J can be there"),
    (changed(1, "*##J###J##"), "Row 1 has “*” on a1; only # or J can be there"),
    (changed(5, "X...OX..*#"), "Row 5 has “X” on a5; only # or J can be there"),
    (changed(5, "#...OX..*O"), "Row 5 has “O” on j5; only # or J can be there"),
    (changed(8, "#..J..#..#"), "Row 8 has “J” on d8; only . or # or * can be there"),
    # centre
    (changed(6, "J...OX...#"), "Row 6 has “O” on e6; only X can be there"),
    (changed(6, "J...XX...#"), "Row 6 has “X” on f6; only O can be there"),
    (changed(5, "#....X..*#"), "Row 5 has “.” on e5; only O can be there"),
    (changed(5, "#...O*...#"), "Row 5 has “*” on f5; only X can be there"),
    (changed(5, "#...#X...#"), "Row 5 has “#” on e5; only O can be there"),
    (changed(8, "#.X...#..#"), "Row 8 has “X” on c8; only . or # or * can be there"),
    (changed(6, "J..OXO...#"), "Row 6 has “O” on d6; only . or # or * can be there"),
    # too many: the default board has eight of each
    (changed(1, "J##J###J##"), "Row 1 has “J” on h1, which is one joker too many; the limit is 8"),
    (
        changed(3, "J.##.....#"),
        "Row 2 has “#” on i2, which is one wall too many; the limit is 8",
    ),
    (changed(2, "##**...*##"), "Row 2 has “*” on h2, which is one bonus too many; the limit is 8"),
]


@pytest.mark.parametrize(("board", "words"), FAULTS)
def test_a_bad_layout_is_refused_by_row_and_fault(board: object, words: str) -> None:
    """The refusal names the row as players count it, and what is wrong with it."""
    refusal = refused(board)

    assert refusal.code == ErrorCode.LAYOUT_INVALID
    assert words in refusal.sentence


def test_a_layout_without_a_first_move_is_refused() -> None:
    """Eight walls around the centre leave neither side a first move; seven leave one."""
    walled = list(BARE_ROWS)
    walled[3], walled[6] = "#...##...#", "#...##...#"
    walled[4], walled[5] = "#..#XO#..#", "#..#OX#..#"
    refusal = refused(walled)
    walled[3] = "#....#...#"

    assert refusal.code == ErrorCode.LAYOUT_INVALID
    assert refusal.sentence == "Rows 4 to 7 have walls on every cell where a first move could be made."
    assert GAME.options({"board": walled})["board"] == "/".join(walled)


def test_a_refusal_is_short_whatever_was_given() -> None:
    """A huge layout is not echoed to its sender."""
    for board in ("#" * 10**6, "/" * 10**6, "/".join(["#" * 10**5] * 10)):
        assert len(refused(board).sentence) < 100


def test_a_layout_may_have_fewer_of_everything() -> None:
    """Eight is the most, not the number there must be."""
    assert GAME.options({"board": BARE_ROWS})["board"] == "/".join(BARE_ROWS)


# -- random boards


@given(SEEDS)
def test_a_random_board_is_full_and_correct(seed: int) -> None:
    """Exactly eight jokers, inner walls and bonuses, by the same rules as a custom layout."""
    rows = layout.drawn(seed)
    letters = "".join(reversed(rows))
    inner = "".join(row[1:-1] for row in rows[1:-1])

    assert letters.count("J") == inner.count("#") == letters.count("*") == 8
    assert inner.count("J") == 0
    assert {cell: letters[cell] for cell in CENTRE} == CENTRE
    assert GAME.options({"board": rows})["board"] == "/".join(rows)


@given(SEEDS)
def test_a_seed_is_enough_to_replay(seed: int) -> None:
    """The same seed gives the same first position, and that of its layout."""
    options = GAME.options({"board": "random", "seed": seed})

    assert GAME.initial(options) == GAME.initial(GAME.options(dict(options)))
    assert GAME.initial(options) == GAME.initial(GAME.options({"board": layout.drawn(seed)}))


def test_seeds_mean_the_same_boards_for_ever() -> None:
    """These boards were drawn when seeds were introduced; recorded games depend on them."""
    assert layout.drawn(2026) == (
        "#####J####",
        "#........#",
        "###.#.**.J",
        "#.**....#J",
        "J..#XO#.#J",
        "#*..OX...#",
        "#........#",
        "#..*.#.*.#",
        "#.....*..#",
        "###JJ###J#",
    )
    assert layout.drawn(2**53 - 1) == (
        "##########",
        "#..#...#*#",
        "#*.##....#",
        "#.*...#.##",
        "J...XO...J",
        "#...OX*..#",
        "#..*#..*.#",
        "##...*...#",
        "#.......*#",
        "#J#JJJ#JJ#",
    )


def test_every_free_cell_is_as_likely_as_any_other() -> None:
    """Over many seeds every rim cell has its share of jokers, every inner one of walls and of bonuses."""
    boards = 3000
    met = Counter(
        (letter, cell) for seed in range(boards) for cell, letter in enumerate("".join(reversed(layout.drawn(seed))))
    )
    rim = [cell for cell in range(100) if cell % 10 in (0, 9) or cell // 10 in (0, 9)]
    inner = [cell for cell in range(100) if cell not in rim and cell not in CENTRE]

    for letter, where in (("J", rim), ("#", inner), ("*", inner)):
        share = boards * 8 / len(where)
        assert all(0.8 * share < met[letter, cell] < 1.2 * share for cell in where)


def test_only_random_boards_use_the_seed() -> None:
    """The default board is the same with any seed."""
    assert GAME.initial(GAME.options({"seed": 1})) == GAME.initial(GAME.options({"seed": 2}))
    assert GAME.initial(GAME.options({"board": "random", "seed": 1})) != GAME.initial(
        GAME.options({"board": "random", "seed": 2})
    )
