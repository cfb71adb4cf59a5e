"""Isaac's rules, one fact at a time."""

from __future__ import annotations

from collections import Counter

import pytest

from parlour import games
from parlour.games.isaac import rules, scoring
from parlour.games.isaac.bars import BY_NAME, FULL_HAND, LENGTHS
from parlour.games.isaac.rules import DARK, LIGHT, START, State
from parlour.games.perft import perft

GAME = games.find("isaac")
OPTIONS = GAME.options({})


def position(text: str) -> State:
    state: State = GAME.parse(text, OPTIONS)
    return state


def scoring_position(bars: str, turn: str = "d", scores: str = "0,0", longest: str = "3,3", out: str = "-") -> State:
    """A position of the scoring phase: each side lacks one bar of its longest length and holds all others."""
    names = sorted(bars.split())
    hands = []
    for owner, length in zip("DL", longest.split(","), strict=True):
        used = Counter(BY_NAME[name[1:]].length for name in names if name[0] == owner) + Counter([int(length)])
        hands.append("".join(str(given - used[n]) for n, given in zip(LENGTHS, FULL_HAND, strict=True)))
    return position(f"{','.join(names)} {turn} s {','.join(hands)} {scores} {longest} {out}")


def texts(state: State) -> set[str]:
    return {GAME.write(state, move) for move in GAME.moves(state)}


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = GAME.apply(state, GAME.read(state, move))
    return state


def most(state: State, bar: str) -> int:
    """How many points lifting the bar gives."""
    return max(int(text.split("+")[1]) for text in texts(state) if text.startswith(f"x{bar}+"))


# -- placing


def test_first_counts() -> None:
    """There are 600 placements at first and 305,600 pairs of placements."""
    assert perft(GAME, START, 1) == 600
    assert perft(GAME, START, 2) == 305_600


def test_count_is_the_number_of_moves() -> None:
    """Counting and listing agree in both phases and at the end."""
    for state in (START, played(START, "c4-g4", "a1-a7"), scoring_position("Da1-c1 Db5-e5 La3-g3")):
        assert GAME.count(state) == len(GAME.moves(state))
    assert GAME.count(position(". - s 00001,00001 10,10 6,6 dl")) == 0


def test_dark_places_first_then_they_take_turns() -> None:
    """Dark starts; every turn places one bar out of one's own hand."""
    state = played(START, "c4-g4")

    assert (START.turn, state.turn) == (DARK, LIGHT)
    assert state.hands == ((5, 4, 2, 2, 1), FULL_HAND)
    assert played(state, "a1-a7").hands[LIGHT] == (5, 4, 3, 2, 0)


def test_bars_lie_on_empty_cells_of_one_line() -> None:
    """No bar crosses another, leaves the board or goes on in the next row."""
    state = played(START, "c4-g4")
    found = texts(state)

    assert {"a4-b4", "e2-e6", "e4-e6", "g4-i4", "i1-k1", "i1-a2", "j1-b2"} & found == set()
    assert {"h4-j4", "c5-g5", "c1-c3", "e5-e9", "a1-a7", "d10-j10"} <= found


def test_lengths_used_up_are_not_offered() -> None:
    """The only bar of 7 can be placed once."""
    state = played(START, "c4-i4", "a1-a3")

    assert "c5-i5" not in texts(state)
    assert "c5-h5" in texts(state)


def test_a_player_whose_bars_fit_nowhere_is_skipped() -> None:
    """Light has no bar of 3 left and there is no room for a longer one, so Dark goes on alone."""
    before = position(
        "Da1-a4,Da7-a9,Db5-b9,Dd2-d6,De1-i1,De4-e7,Df2-f8,Dg7-i7,Di2-i5,Lb1-d1,Lc5-c8,Ld7-d10,Le10-g10,Lg3-g5,Lg8-i8,"
        "Lg9-i9,Lh3-h6,Lj3-j8 d p 31020,01311 0,0 0,0 -"
    )
    after = played(before, "c2-c4")

    assert after.turn == DARK
    assert after.out == (False, True)
    assert played(after, "h10-j10").turn == DARK


@pytest.mark.parametrize(
    ("text", "only"),
    [
        (
            "Db6-b9,Dc1-g1,Dc4-i4,Dd10-g10,Dd3-i3,De2-h2,Dg5-i5,Dg9-i9,Dj6-j9,La3-a9,Lb2-d2,Lb5-e5,Lc6-g6,Lc7-g7,"
            "Lc8-c10,Ld9-f9,Lf8-i8,Lj1-j5 d p 30210,22020 0,0 0,0 -",
            "h10-j10",
        ),
        (
            "Da10-d10,Db1-g1,Db4-b6,Db8-f8,Db9-d9,Dc7-e7,De10-j10,De2-e6,Dg6-i6,Dg8-i8,La1-a6,Lc4-c6,Ld2-d6,Le9-i9,"
            "Lf3-f6,Lg2-g4,Lh2-h5,Lh7-j7,Li1-i4,Lj3-j6 l p 03101,20111 0,0 0,0 d",
            "a7-a9",
        ),
    ],
)
def test_one_gap_is_enough_to_go_on(text: str, only: str) -> None:
    """A player with a single placement left, lying or upright, is not skipped."""
    assert texts(position(text)) == {only}


def test_a_player_without_bars_is_skipped() -> None:
    """Light has placed all 15 bars, so Dark goes on alone."""
    light = "La1-g1,La2-f2,La3-f3,La4-e4,La5-e5,La6-d6,La7-c7,Ld7-f7,Le6-g6,Lf4-j4,Lf5-i5,Lg2-j2,Lg3-j3,Lh1-j1,Lh6-j6"
    state = position(f"{light} l p 54321,00000 0,0 0,0 -")

    assert state.turn == DARK
    assert state.out == (False, True)
    assert played(state, "a10-c10").turn == DARK


@pytest.mark.parametrize(
    ("before", "last", "first"),
    [
        pytest.param(
            "Db6-b9,Dc1-g1,Dc4-i4,Dd10-g10,Dd3-i3,De2-h2,Dg5-i5,Dg9-i9,Dj6-j9,La3-a9,Lb2-d2,Lb5-e5,Lc6-g6,Lc7-g7,"
            "Lc8-c10,Ld9-f9,Lf8-i8,Lj1-j5 d p 30210,22020 0,0 0,0 -",
            "h10-j10",
            LIGHT,
            id="neither had been skipped, Dark places last",
        ),
        pytest.param(
            "Da2-a4,Da6-a9,Db8-b10,Dc10-g10,Dd1-i1,Dd4-h4,De5-h5,De8-i8,Dg7-i7,Dh10-j10,Lb1-b6,Lc2-i2,Lc3-c8,Lc9-g9,"
            "Ld3-f3,Ld6-d8,Lg6-j6,Lj1-j5,Lj7-j9 l p 12011,23100 0,0 0,0 -",
            "g3-i3",
            DARK,
            id="neither had been skipped, Light places last",
        ),
        pytest.param(
            "Da1-a4,Da7-a9,Db5-b9,Dc2-c4,Dd2-d6,De1-i1,De4-e7,Df2-f8,Dg7-i7,Dh10-j10,Di2-i5,Lb1-d1,Lc5-c8,Ld7-d10,"
            "Le10-g10,Lg3-g5,Lg8-i8,Lg9-i9,Lh3-h6,Lj3-j8 d p 11020,01311 0,0 0,0 l",
            "b2-b4",
            LIGHT,
            id="Light had been skipped",
        ),
    ],
)
def test_who_was_skipped_first_begins_to_score(before: str, last: str, first: int) -> None:
    """Scoring starts at 0 with the opponent of the side that placed last, and neither side is out."""
    state = played(position(before), last)

    assert state.scoring
    assert state.turn == first
    assert state.scores == (0, 0)
    assert state.out == (False, False)


def test_order_of_placing_leaves_no_trace() -> None:
    """The same bars on the board are the same position, with the same hash."""
    one, other = played(START, "c4-g4", "a1-a3", "j1-j3"), played(START, "j1-j3", "a1-a3", "c4-g4")

    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize("picks", [("c4", "g4"), ("g4", "c4"), ("e1", "e5"), ("e5", "e1")])
def test_a_bar_can_be_placed_from_either_end(picks: tuple[str, str]) -> None:
    """Whichever end is picked first, the turn is the same move."""
    slot = GAME.board(OPTIONS).first_slot("dark_hand") + 2
    one, other = (cell for name in picks for cell in range(100) if GAME.place(START, cell) == name)

    assert one in GAME.steps(START, (slot,))
    assert other in GAME.steps(START, (slot, one))
    assert GAME.check(START, (slot, one, other)) == (slot, min(one, other), max(one, other))


def test_a_first_end_offers_up_to_four_other_ends() -> None:
    """From the middle of the board a bar can go to four sides, from a corner to two."""
    slot = GAME.board(OPTIONS).first_slot("dark_hand")

    assert GAME.steps(START, (slot, 44)) == [24, 42, 46, 64]
    assert GAME.steps(START, (slot, 0)) == [2, 20]


def test_only_lengths_that_fit_are_offered() -> None:
    """A length that is in hand but has no room is no pick."""
    state = position(
        "Da1-a4,Da7-a9,Db5-b9,Dd2-d6,De1-i1,De4-e7,Df2-f8,Dg7-i7,Di2-i5,Lb1-d1,Lc5-c8,Ld7-d10,Le10-g10,Lg3-g5,Lg8-i8,"
        "Lg9-i9,Lh3-h6,Lj3-j8 d p 31020,01311 0,0 0,0 -"
    )

    assert [GAME.place(state, pick) for pick in GAME.steps(state)] == ["bar of 3"]


# -- lifting


def test_no_bar_shorter_than_one_before() -> None:
    """After a bar of 4, bars of 4 and more may be lifted, bars of 3 never again."""
    state = scoring_position("Dc2-e2 Dc3-f3 Dc4-g4 La6-c6 La8-c8", longest="4,3")

    assert {text.split("+")[0] for text in texts(state)} == {"xc3-f3", "xc4-g4"}
    assert played(state, "xc3-f3+0").longest == (4, 3)
    assert played(state, "xc4-g4+0").longest == (5, 3)


def test_the_opponent_has_a_longest_bar_of_his_own() -> None:
    """What Dark has lifted does not bind Light."""
    state = scoring_position("Dc3-f3 La6-c6 Le6-h6", turn="l", longest="6,3")

    assert {text.split("+")[0] for text in texts(state)} == {"xa6-c6", "xe6-h6"}


@pytest.mark.parametrize(
    ("scores", "free"),
    [
        pytest.param("0,0", {"xc2-e2", "xc4-g4", "xj1-j3"}, id="counters elsewhere"),
        pytest.param("0,13", {"xc4-g4", "xj1-j3"}, id="Light's counter on d2"),
        pytest.param("65,0", {"xc2-e2", "xj1-j3"}, id="Dark's own counter on e4"),
        pytest.param("65,12", {"xj1-j3"}, id="both"),
    ],
)
def test_no_bar_under_a_counter(scores: str, free: set[str]) -> None:
    """A counter of either colour on any cell of a bar keeps it down."""
    state = scoring_position("Dc2-e2 Dc4-g4 Dj1-j3 La8-c8", scores=scores)

    assert {text.split("+")[0] for text in texts(state)} == free


@pytest.mark.parametrize(
    ("bars", "lifted", "points"),
    [
        pytest.param("Dc4-g4", "c4-g4", 0, id="nothing else in the row"),
        pytest.param("Dc4-g4 Lc5-g5 Lc3-g3", "c4-g4", 0, id="neighbouring rows do not count"),
        pytest.param("Dc4-g4 Lh4-j4", "c4-g4", 3, id="a bar that lies on the row, once"),
        pytest.param("Dc4-g4 Lh4-h6 Li3-i5 Dj2-j4", "c4-g4", 9, id="bars of both colours that cross the row"),
        pytest.param("Dc4-g4 Da4-a6 Db1-b4 Lh4-j4 Lc5-c7", "c4-g4", 9, id="on both sides, not those beside it"),
        pytest.param("Dd3-d6 Lc1-f1 Ld8-d10 Da7-e7", "d3-d6", 6, id="an upright bar counts its column"),
    ],
)
def test_points_are_value_times_bars_on_the_line(bars: str, lifted: str, points: int) -> None:
    """Every other bar that lies on or crosses the line of the lifted bar counts once, of either colour."""
    assert most(scoring_position(f"{bars} La10-c10"), lifted) == points


@pytest.mark.parametrize(("length", "value"), [(3, 1), (4, 2), (5, 3), (6, 4), (7, 6)])
def test_values(length: int, value: int) -> None:
    """Bars of 3 to 7 are worth 1, 2, 3, 4 and 6."""
    end = "abcdefghij"[length - 1]

    assert most(scoring_position(f"Da4-{end}4 Lj3-j5 La10-c10"), f"a4-{end}4") == value


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        pytest.param("0,0", 3, id="no counter in the row"),
        pytest.param("0,30", 6, id="Light's counter on a4"),
        pytest.param("69,0", 6, id="Dark's counter on a4"),
        pytest.param("69,39", 12, id="one on each side"),
    ],
)
def test_each_counter_in_the_line_doubles(scores: str, points: int) -> None:
    """Counters of either colour double the points, on a bar or not."""
    assert most(scoring_position("Dc4-g4 Lj3-j5 La10-c10", scores=scores), "c4-g4") == points


def test_counters_double_where_they_stand_before_the_move() -> None:
    """A counter that would walk into the line does not double the points for this turn."""
    state = scoring_position("Dc4-g4 Lh4-h6 Li4-i6 Lj4-j6", scores="59,0")

    assert most(state, "c4-g4") == 9
    assert played(state, "xc4-g4+1").scores == (60, 0)


def test_the_most_one_bar_can_give() -> None:
    """A bar of 7 with three bars and both counters on the rest of its row gives 72, and there is a slot for it."""
    state = scoring_position("Da5-g5 Lh5-h7 Li3-i5 Lj4-j6", scores="52,48")

    assert most(state, "a5-g5") == 72 == scoring.MOST
    assert GAME.steps(state, (40,))[-1] == GAME.board(OPTIONS).places - 1


def test_the_counter_may_walk_any_number_of_squares() -> None:
    """All walks from 0 to the points are allowed."""
    state = scoring_position("Dc4-g4 Lh4-j4 La10-c10")

    assert texts(state) == {"xc4-g4+0", "xc4-g4+1", "xc4-g4+2", "xc4-g4+3"}
    assert played(state, "xc4-g4+2").scores == (2, 0)


@pytest.mark.parametrize(
    ("scores", "walks"),
    [
        pytest.param("40,55", {0, 1, 2, 3}, id="too far to meet"),
        pytest.param("40,56", {0, 1, 2}, id="at the end of the walk"),
        pytest.param("40,57", {0, 1, 3}, id="on the way"),
        pytest.param("40,58", {0, 2, 3}, id="next to each other"),
        pytest.param("40,60", {0, 1, 2, 3}, id="already past each other"),
    ],
)
def test_the_counter_may_pass_the_other_but_not_stop_on_it(scores: str, walks: set[int]) -> None:
    """Only the walk that makes the scores add up to 99 is forbidden."""
    state = scoring_position("Dc2-g2 Lh2-j2 La10-c10", scores=scores)

    assert texts(state) == {f"xc2-g2+{squares}" for squares in walks}
    assert GAME.count(state) == len(walks)


def test_lifting_takes_the_bar_off_the_board() -> None:
    """The bar is off the board and does not return to the hand."""
    before = scoring_position("Dc4-g4 Lh4-j4 La10-c10")
    after = played(before, "xc4-g4+0")

    assert after.bars[DARK] == 0
    assert after.occupied == before.occupied & ~BY_NAME["c4-g4"].cells
    assert after.hands == before.hands
    assert after.turn == LIGHT


# -- the end


def test_a_player_with_nothing_to_lift_is_out_for_good() -> None:
    """Light's only bar is under Dark's counter on Light's turn; when the counter leaves, Light stays out."""
    state = scoring_position("Dc4-g4 Dc6-g6 Dh6-j6 Lh10-j10", longest="5,3")
    alone = played(state, "xc6-g6+0")

    assert alone.turn == DARK
    assert alone.out == (False, True)

    over = played(scoring_position("Dc6-g6 Dh6-j6 Lh10-j10", longest="5,3", out="l"), "xc6-g6+3")

    assert over.turn is None
    assert over.out == (True, True)
    assert rules.can_move(over, LIGHT)


def test_both_out_ends_the_game_for_the_higher_score() -> None:
    """When neither can lift a bar, more points win."""
    over = played(scoring_position("Dc4-g4 Lh4-h6", scores="20,23", longest="3,7"), "xc4-g4+2")
    outcome = GAME.outcome(over)

    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.scores) == (LIGHT, rules.POINTS, (22, 23))
    assert GAME.scores(over) == (22, 23)
    assert not GAME.moves(over)
    assert not GAME.steps(over)


def test_a_hundred_points_win_at_once_and_are_not_capped() -> None:
    """96 + 8 is 104; Light's bars and Dark's other bars no longer matter, and fewer squares may be chosen."""
    state = position(
        "Da4-a9,Db1-b4,Dd10-i10,De2-h2,De4-i4,Df5-i5,Df6-h6,Dj1-j7,Dj8-j10,Lb5-b10,Lc1-e1,Lc2-c4,Ld2-d5,Le3-i3,Lf9-h9 "
        "d s 30100,03111 96,34 5,5 -"
    )
    over = played(state, "xd10-i10+8")
    outcome = GAME.outcome(over)

    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.scores) == (DARK, rules.HUNDRED, (104, 34))
    assert over.turn is None
    assert over.out == (False, False)
    assert GAME.outcome(played(state, "xd10-i10+4")) is not None
    assert GAME.outcome(played(state, "xd10-i10+3")) is None


def test_the_last_square_is_no_win() -> None:
    """99 points leave the counter on the board; 100 win."""
    state = scoring_position("Dc4-g4 Dc6-g6 Lh4-h6 La10-c10", turn="d", scores="97,60")

    assert GAME.outcome(played(state, "xc4-g4+2")) is None
    assert GAME.outcome(played(state, "xc4-g4+3")) is not None


@pytest.mark.parametrize(
    ("hands", "longest", "winner", "reason"),
    [
        pytest.param("00010,00001", "7,6", LIGHT, rules.LONGER_LINE, id="6 against 7"),
        pytest.param("40000,00001", "7,6", DARK, rules.LONGER_LINE, id="3+3+3+3 against 7"),
        pytest.param("40000,00020", "7,7", LIGHT, rules.LONGER_LINE, id="3+3+3+3 against 6+6: fewer bars"),
        pytest.param("00020,03000", "7,7", DARK, rules.LONGER_LINE, id="6+6 against 4+4+4: fewer bars"),
        pytest.param("10100,02000", "7,7", DARK, rules.DARK_TIE, id="3+5 against 4+4: equal in everything"),
        pytest.param("00000,00000", "7,7", DARK, rules.DARK_TIE, id="nothing kept"),
    ],
)
def test_equal_points_are_decided_by_the_kept_bars(hands: str, longest: str, winner: int, reason: str) -> None:
    """The longer line wins; at equal lengths the one of fewer bars; still equal, Dark."""
    outcome = GAME.outcome(position(f". - s {hands} 40,40 {longest} dl"))

    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (winner, reason)


def test_more_points_beat_a_longer_line() -> None:
    """Kept bars count only at equal points."""
    outcome = GAME.outcome(position(". - s 00000,54320 41,40 7,7 dl"))

    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (DARK, rules.POINTS)
