"""Isaac's texts: what is written, what is read, and what is refused with which code."""

from __future__ import annotations

from random import Random

import pytest

from parlour import games
from parlour.games.isaac import rules
from parlour.games.isaac.rules import DARK, LIGHT, START, State
from parlour.protocol.errors import ErrorCode, Refusal

GAME = games.find("isaac")
OPTIONS = GAME.options({})

# Dark has c4-g4 and may lift it for 0 to 3 points; Light has two bars.
SCORING = "Dc4-g4,La10-c10,Lh4-j4 d s 44221,24321 0,0 3,3 -"
# From a picture of the scoring phase: set up with points that no bars gave.
SET_UP = (
    "Da10-d10,Da2-e2,Da7-c7,Dd1-g1,Dd6-g6,De8-i8,Df2-f4,Dh10-j10,Di4-i6,Dj2-j4,Dj5-j8,La3-c3,La8-d8,Lb4-e4,Lb9-d9,"
    "Ld7-g7,Le10-g10,Le5-g5,Le9-j9,Lh4-h7 d s 00121,00311 55,53 0,3 -"
)
# Dark can still place a bar of 3, Light cannot place anything.
LIGHT_SKIPPED = (
    "Da1-a4,Da7-a9,Db5-b9,Dc2-c4,Dd2-d6,De1-i1,De4-e7,Df2-f8,Dg7-i7,Di2-i5,Lb1-d1,Lc5-c8,Ld7-d10,Le10-g10,Lg3-g5,"
    "Lg8-i8,Lg9-i9,Lh3-h6,Lj3-j8 {} p 21020,01311 0,0 0,0 {}"
)


def position(text: str) -> State:
    state: State = GAME.parse(text, OPTIONS)
    return state


def refused(text: str) -> tuple[ErrorCode, str]:
    with pytest.raises(Refusal) as refusal:
        position(text)
    return refusal.value.code, refusal.value.sentence


# -- moves


@pytest.mark.parametrize("text", ["c4-g4", "c4-c8", "a1-a3", "d10-j10", "a4-a10", "j8-j10"])
def test_placements_name_both_ends(text: str) -> None:
    """A placement is its ends, left or lower end first."""
    assert GAME.write(START, GAME.read(START, text)) == text


def test_removals_name_the_bar_and_the_squares() -> None:
    """A removal is x, the bar, + and the number of squares."""
    state = position(SCORING)

    assert sorted(GAME.write(state, move) for move in GAME.moves(state)) == [f"xc4-g4+{k}" for k in range(4)]
    assert GAME.read(state, "xc4-g4+3") == (32, GAME.board(OPTIONS).first_slot("walk") + 3)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "c4", "c4-", "-g4", "c4g4", "c4 g4", "C4-G4", " c4-g4", "c4-g4 ", "c4-g4\n", "c04-g4", "c4–g4",
        "g4-c4", "c8-c4", "c4-d4", "c4-j4", "c4-c4", "c4-f5", "i1-k1", "a9-a11", "a0-a3", "a１-a3", "c4-g4+0",
        "x", "xc4-g4", "xc4-g4+", "xc4-g4+01",
        "xc4-g4+-1", "xc4-g4+1000", "xc4-g4+٣", "xg4-c4+1", "Xc4-g4+1", "xc4-g4 +1", "c4-g4" * 999,
    ],
)  # fmt: skip
def test_texts_that_are_no_moves(text: str) -> None:
    """Whatever is not written like a move is malformed, in either phase."""
    for state in (START, position(SCORING)):
        with pytest.raises(Refusal) as refusal:
            GAME.read(state, text)

        assert refusal.value.code == ErrorCode.MOVE_MALFORMED


@pytest.mark.parametrize(
    ("state", "text", "words"),
    [
        pytest.param(START, "xc4-g4+0", "Dark has no bar c4-g4", id="lifting while bars are placed"),
        pytest.param(position("Dc4-g4 l p 54221,54321 0,0 0,0 -"), "e2-e6", "cannot be chosen", id="crossing a bar"),
        pytest.param(position("Dc4-i4 d p 54320,54321 0,0 0,0 -"), "c5-i5", "bar of 7 cannot", id="no bar of 7 left"),
        pytest.param(position(SCORING), "c5-g5", "bar of 5 cannot", id="placing in the scoring phase"),
        pytest.param(position(SCORING), "xc4-g4+4", "+4 cannot be chosen", id="more squares than points"),
        pytest.param(position(SCORING), "xc4-g4+73", "the maximum is 72", id="more than any bar gives"),
        pytest.param(position(SCORING), "xc4-f4+0", "Dark has no bar c4-f4", id="another bar with the same low end"),
        pytest.param(position(SCORING), "xh4-j4+0", "Dark has no bar h4-j4", id="the opponent's bar"),
    ],
)
def test_moves_the_rules_do_not_allow(state: State, text: str, words: str) -> None:
    """A move that can be read but not made is illegal, and the sentence says why."""
    with pytest.raises(Refusal) as refusal:
        GAME.read(state, text)

    assert refusal.value.code == ErrorCode.MOVE_ILLEGAL
    assert words in refusal.value.sentence


@pytest.mark.parametrize("text", ["xc4-g4+0", "c4-g4"])
def test_a_finished_game_reads_no_move(text: str) -> None:
    """After the end every move is refused with the code for that."""
    with pytest.raises(Refusal) as refusal:
        GAME.read(position(". - s 00000,00000 10,20 7,7 dl"), text)

    assert refusal.value.code == ErrorCode.GAME_OVER


# -- positions that can be read


def test_the_first_position() -> None:
    """The start is written as the rules write it."""
    assert GAME.print(START) == ". d p 54321,54321 0,0 0,0 -"
    assert position(". d p 54321,54321 0,0 0,0 -") == START


@pytest.mark.parametrize("seed", range(6))
def test_every_position_of_a_game_can_be_read_back(seed: int) -> None:
    """Reading what was written gives an equal position, at the end too."""
    rng = Random(seed)
    state = START
    while state.turn is not None:
        state = GAME.apply(state, rng.choice(GAME.moves(state)))

        assert position(GAME.print(state)) == state


def test_bars_are_sorted_as_text() -> None:
    """a10 comes before a2, and all of Dark's bars before Light's."""
    state = START
    for move in ("a2-c2", "b5-d5", "a10-c10"):
        state = GAME.apply(state, GAME.read(state, move))

    assert GAME.print(state).split(" ")[0] == "Da10-c10,Da2-c2,Lb5-d5"


def test_points_may_come_from_nowhere() -> None:
    """A set-up position may give points that no bar on record has given."""
    assert GAME.print(position(SET_UP)) == SET_UP


def test_a_side_that_cannot_place_is_skipped_by_reading() -> None:
    """Light is written as to move but has no room: it is Dark's turn, and Light is out."""
    state = position(LIGHT_SKIPPED.format("l", "-"))

    assert (state.turn, state.out) == (DARK, (False, True))
    assert state == position(LIGHT_SKIPPED.format("d", "l"))


def test_a_side_that_cannot_lift_is_out_by_reading() -> None:
    """Dark's only bar is under Light's counter, so Light goes on alone."""
    state = position("Dc4-g4,La10-c10,Lh4-j4 d s 44221,24321 0,33 3,3 -")

    assert (state.turn, state.out) == (LIGHT, (True, False))


def test_a_game_without_moves_is_over_by_reading() -> None:
    """Neither has a bar left: the higher score has won."""
    state = position(". d s 00000,00000 10,20 7,7 -")
    outcome = GAME.outcome(state)

    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.scores) == (LIGHT, rules.POINTS, (10, 20))
    assert GAME.print(state) == ". - s 00000,00000 10,20 7,7 dl"


def test_the_end_at_a_hundred_can_be_read() -> None:
    """A finished position says who won, whichever side was out."""
    for out in ("-", "d"):
        outcome = GAME.outcome(position(f"La10-c10 - s 00000,00000 38,171 7,7 {out}"))

        assert outcome is not None
        assert (outcome.winner, outcome.reason, outcome.scores) == (LIGHT, rules.HUNDRED, (38, 171))


# -- positions that cannot


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        ". d p 54321,54321 0,0 0,0",
        ". d p 54321,54321 0,0 0,0 - ",
        " . d p 54321,54321 0,0 0,0 -",
        ".  d p 54321,54321 0,0 0,0 -",
        ".\td p 54321,54321 0,0 0,0 -",
        ". d p 54321,54321 0,0 0,0 -\n",
        ". w p 54321,54321 0,0 0,0 -",
        ". D p 54321,54321 0,0 0,0 -",
        ". d x 54321,54321 0,0 0,0 -",
        ". d ps 54321,54321 0,0 0,0 -",
        ". d p 5432,54321 0,0 0,0 -",
        ". d p 543210,54321 0,0 0,0 -",
        ". d p 54321 0,0 0,0 -",
        ". d p ５４３２１,54321 0,0 0,0 -",
        ". d p 54321,54321 0 0,0 -",
        ". d p 54321,54321 00,0 0,0 -",
        ". d p 54321,54321 +0,0 0,0 -",
        ". d p 54321,54321 -1,0 0,0 -",
        ". d p 54321,54321 0,²,0 0,0 -",
        f". d s 54321,54321 {'9' * 5000},0 0,0 -",
        ". d s 54321,54321 0,0 1,0 -",
        ". d s 54321,54321 0,0 0,8 -",
        ". d s 54321,54321 0,0 03,0 -",
        ". d p 54321,54321 0,0 0,0 x",
        ". d p 54321,54321 0,0 0,0 ld",
        " d p 54321,54321 0,0 0,0 -",
        "., d p 54321,54321 0,0 0,0 -",
        "Dc4-g4, d p 54221,54321 0,0 0,0 -",
        "Dc4-g4,. d p 54221,54321 0,0 0,0 -",
        "c4-g4 d p 54221,54321 0,0 0,0 -",
        "dc4-g4 d p 54221,54321 0,0 0,0 -",
        "Xc4-g4 d p 54221,54321 0,0 0,0 -",
        "Dg4-c4 d p 54221,54321 0,0 0,0 -",
        "Da1-b1 d p 54321,54321 0,0 0,0 -",
        "Da1-h1 d p 54321,54321 0,0 0,0 -",
        "Dc4-e6 d p 44321,54321 0,0 0,0 -",
        "Dh4-l4 d p 54221,54321 0,0 0,0 -",
        "Da9-a11 d p 44321,54321 0,0 0,0 -",
        f"D{'c' * 5000} d p 54321,54321 0,0 0,0 -",
        "Da2-c2,Da10-c10 d p 34321,54321 0,0 0,0 -",
        "La2-c2,Da4-c4 d p 44321,44321 0,0 0,0 -",
    ],
)
def test_texts_that_are_no_positions(text: str) -> None:
    """Whatever is not written exactly like a position is malformed, and the sentence stays short."""
    code, sentence = refused(text)

    assert code == ErrorCode.POSITION_MALFORMED
    assert len(sentence) < 150


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Dc4-g4,De2-e6 l p 54121,54321 0,0 0,0 -", "cover e4", id="crossing bars"),
        pytest.param("Dc4-g4,Dc4-g4 l p 54121,54321 0,0 0,0 -", "cover c4", id="one bar twice"),
        pytest.param("Dc4-g4,Lc4-g4 d p 54221,54221 0,0 0,0 -", "cover c4", id="the same place for both"),
        pytest.param("Dc4-g4 l p 54321,54321 0,0 0,0 -", "Dark has 4 bars of 5", id="one bar too many"),
        pytest.param(". d p 54321,54331 0,0 0,0 -", "Light has 3 bars of 6", id="too many in hand"),
        pytest.param(". d p 54321,54221 0,0 0,0 -", "Light lacks a bar of 5", id="too few while placing"),
        pytest.param(". d p 54321,54321 1,0 0,0 -", "0,0", id="points while placing"),
        pytest.param(". d p 54321,54321 0,0 3,0 -", "must be written as 0", id="a longest bar while placing"),
        pytest.param(". - p 54321,54321 0,0 0,0 -", "cannot be over", id="over while placing"),
        pytest.param(". d p 54321,54321 0,0 0,0 d", "Dark is to move", id="skipped, but to move"),
        pytest.param(". d p 54321,54321 0,0 0,0 dl", "Dark is to move", id="both skipped"),
        pytest.param(". d p 54321,54321 0,0 0,0 l", "Light has bars to place", id="skipped, but can place"),
        pytest.param(". d s 54321,54321 0,0 0,0 -", "Scoring has not started", id="scoring on an empty board"),
        pytest.param(". d s 54321,44321 0,0 0,0 -", "written as 3", id="a lifted bar not in the sixth field"),
        pytest.param(". d s 54321,44321 0,0 0,5 -", "written as 3", id="a longest bar that is not missing"),
        pytest.param(". d s 54321,44320 0,0 0,3 -", "written as 7", id="a longer bar is missing"),
        pytest.param(SCORING.replace("0,0 3", "40,59 3"), "one cell", id="counters on one cell"),
        pytest.param(SCORING.replace("0,0 3", "99,0 3"), "one cell", id="counters on one cell in the corner"),
        pytest.param(SCORING.replace("0,0 3", "100,0 3"), "the game is over", id="100 points, but to move"),
        pytest.param(". - s 00000,00000 100,104 7,7 -", "wins at once", id="both with 100"),
        pytest.param(". - s 00000,00000 10,172 7,7 d", "points are impossible", id="more points than there can be"),
        pytest.param(". - s 00000,00000 10,104 7,7 l", "was not out", id="the winner was out"),
        pytest.param(". - s 00000,00000 10,20 7,7 d", "only when", id="over, but one is still in"),
        pytest.param(SCORING.replace(" d s", " - s").replace("3,3 -", "3,3 dl"), "not over", id="both can still lift"),
        pytest.param(SCORING.replace("3,3 -", "3,3 d"), "Dark is to move", id="out, but to move"),
        pytest.param(SCORING.replace("3,3 -", "3,3 l"), "Light has bars to lift", id="out with two free bars"),
        pytest.param(
            "Dc4-g4,Lh4-j4 d s 44221,34321 50,0 3,3 l",
            "Light has bars to lift",
            id="out with a bar no counter has come to",
        ),
        pytest.param(
            "Dc4-g4,Lg10-i10,Lh4-j4 d s 44221,24321 60,0 3,3 l",
            "Light has bars to lift",
            id="out with two bars that one counter cannot have blocked at once",
        ),
    ],
)
def test_positions_that_contradict_themselves(text: str, words: str) -> None:
    """A text that can be read but cannot stand like that is impossible, and the sentence names the trouble."""
    code, sentence = refused(text)

    assert code == ErrorCode.POSITION_IMPOSSIBLE
    assert words in sentence


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Dc4-g4,Lh4-j4 d s 44221,34321 60,0 3,3 l", id="one bar, passed by Dark's counter"),
        pytest.param("Dc4-g4,La1-c1,Lh4-j4 d s 44221,24321 60,0 3,3 l", id="another one under Light's own counter"),
        pytest.param("Dc4-g4,La6-c6,Lh4-j4 d s 44221,34221 0,0 3,5 l", id="no bar that is long enough"),
    ],
)
def test_who_is_out_may_have_been_blocked_before(text: str) -> None:
    """A bar that is free now may have been under Dark's counter when Light's turn came."""
    assert position(text).out == (False, True)
