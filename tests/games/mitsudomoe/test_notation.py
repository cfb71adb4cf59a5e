"""Mitsudomoe's move and position texts."""

from __future__ import annotations

import pytest

from parlour.games.api import UNKNOWN, Outcome
from parlour.games.mitsudomoe import GAME, rules
from parlour.games.mitsudomoe.position import State
from parlour.protocol.errors import ErrorCode, Refusal

START = ".,.,.,bB,bB/.,.,.,.,bB/.,.,.,.,./wW,.,.,.,./wW,wW,.,.,. w 5,5"
# White can vault over c3 and d3 from b3; black rings lie free on b5 and e2.
VAULT = "bB,b,.,.,./.,.,.,.,./.,wW,bB,bB,w/wW,.,.,.,b/.,wW,.,.,w w 3,3"
WHITE_ARRIVED = ".,.,.,wW,wW/.,.,.,.,wW/.,bB,.,bB,./.,.,.,.,./bB,.,.,b,w {} 4,4"
BOTH_ARRIVED = ".,.,.,wW,wW/.,.,.,.,wW/.,.,w,b,./bB,.,.,.,./bB,bB,.,.,. - 4,4"


def start_with(stack: str, supply: str = "5,5") -> str:
    """The first position, but with something on a4."""
    return START.replace("/.,.,.,.,bB", f"/{stack},.,.,.,bB").replace("5,5", supply)


def parse(text: str, passive: bool = True) -> State:
    return GAME.parse(text, GAME.options({"passive": passive}))


def refusal_of_move(state: State, text: str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        GAME.read(state, text)
    return refused.value


# -- moves


def test_moves_are_written_in_three_parts() -> None:
    """A ring from the supply has a plus, a ring from a cell and the ball have a dash, relocations follow a sign."""
    state = parse(VAULT)

    assert GAME.write(state, (25, 3, 1, 2)) == "+d1 b1-c1"
    assert GAME.write(state, (4, 3, 11, 14, 9, 21)) == "e1-d1 b3-e3 =b5,e2"


def test_relocations_are_sorted_by_name() -> None:
    """The text sorts b5 before e2, though its number is higher; the move sorts the numbers."""
    state = parse(VAULT)

    assert GAME.read(state, "+d1 b3-e3 =b5,e2") == (25, 3, 11, 14, 9, 21)


@pytest.mark.parametrize("text", [START, VAULT, VAULT.replace(" w ", " b ")])
def test_every_move_can_be_read_back(text: str) -> None:
    """Reading undoes writing, for both sides."""
    state = parse(text)

    assert [GAME.read(state, GAME.write(state, move)) for move in GAME.moves(state)] == GAME.moves(state)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+c1 b1-c1 ",
        " +c1 b1-c1",
        "+c1  b1-c1",
        "+c1 b1-c1\n",
        "+C1 b1-c1",
        "+c01 b1-c1",
        "+c1 b1-c１",
        "+c1 b1-c٣",
        "+f1 b1-c1",
        "+c0 b1-c1",
        "+c99 b1-c1",
        "b1+c1 b1-c1",
        "+c1 +c1",
        "+c1 b1-c1 =",
        "+c1 b1-c1 b5",
        "+d1 b3-e3 =e2,b5",
        "+d1 b3-e3 =b5,b5",
        "+d1 b3-e3 =b5, e2",
        "+d1 b3-e3 =b5,e2,",
        "+d1 b3-e3 =a1,a2,a3,a4",
        "+c1 b1-c1" * 10_000,
    ],
)
def test_other_texts_are_malformed(text: str) -> None:
    """What is not written like a move is refused as such, with a sentence that does not echo it."""
    refusal = refusal_of_move(parse(VAULT), text)

    assert refusal.code == ErrorCode.MOVE_MALFORMED
    assert len(refusal.sentence) < 250


@pytest.mark.parametrize(
    "text", ["+b3 b1-b2", "+a2 b1-c1", "b1-c1 b1-c1", "+d1 b3-e3", "+d1 b3-e3 =b5", "+d1 b3-e3 =c3,d3"]
)
def test_well_written_moves_may_be_illegal(text: str) -> None:
    """A text that can be read but is no turn of this position is illegal."""
    assert refusal_of_move(parse(VAULT), text).code == ErrorCode.MOVE_ILLEGAL


def test_a_finished_game_reads_no_move() -> None:
    """After the end even a well-written move is refused because the game is over."""
    assert refusal_of_move(parse(WHITE_ARRIVED.format("-")), "+a3 a1-a2").code == ErrorCode.GAME_OVER


@pytest.mark.parametrize("place", [-1, 27, 1000])
def test_unknown_places_have_no_name(place: int) -> None:
    """Cells and the two supplies have names, nothing else has."""
    state = parse(START)

    assert [GAME.place(state, known) for known in (0, 24, 25, 26)] == ["a1", "e5", "supply", "supply"]
    with pytest.raises(IndexError):
        GAME.place(state, place)


# -- positions


@pytest.mark.parametrize("text", [START, VAULT, ".,.,bwbwb,.,w/bB,.,bB,.,./.,bB,.,wbwW,./.,.,wW,wW,./.,w,.,.,. b 0,1"])
@pytest.mark.parametrize("passive", [True, False])
def test_positions_can_be_written_and_read_back(text: str, passive: bool) -> None:
    """A position text gives the same text again, and the option goes with the position."""
    state = parse(text, passive)

    assert GAME.print(state) == text
    assert state.passive is passive
    assert parse(GAME.print(state), passive) == state


def test_reading_gives_what_playing_gives() -> None:
    """A position that was played and one that was read are the same value, also when rings cover and uncover others."""
    state = parse(START)
    for text in ("+b2 a1-b2", "+d4 e5-d4", "+c3 b2-c3", "+e5 d5-e5", "+d5 c3-b2", "+d3 d4-d3", "d5-c2 b2-c2"):
        state = GAME.apply(state, GAME.read(state, text))

        assert parse(GAME.print(state)) == state


@pytest.mark.parametrize(
    "text",
    [
        "",
        "w",
        START.replace(" w ", "  w "),
        START.replace(" w ", " x "),
        START.replace(" w ", " W "),
        START + " ",
        START + "\n",
        START.replace(" w", "\tw"),
        START.replace("5,5", "5"),
        START.replace("5,5", "5,5,5"),
        START.replace("5,5", "05,5"),
        START.replace("5,5", "-5,5"),
        START.replace("5,5", "5,٥"),
        START.replace("5,5", "5,²"),
        START.replace("5,5", "5," + "9" * 5000),
        START.replace("/wW,.", "/wW"),
        START.replace("/wW,.", "/wW,.,."),
        START.replace("/.,.,.,.,./", "/"),
        START.replace("/.,.,.,.,./", "/.,.,.,.,./.,.,.,.,./"),
        start_with(""),
        start_with(".."),
        start_with(".w"),
        start_with("x"),
        start_with("w w"),
    ],
)
def test_other_texts_are_no_positions(text: str) -> None:
    """What is not written like a position is malformed."""
    with pytest.raises(Refusal) as refused:
        parse(text)

    assert refused.value.code == ErrorCode.POSITION_MALFORMED


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (start_with("w"), "White has 9 rings"),
        (START.replace("5,5", "5,4"), "Black has 7 rings"),
        (START.replace("5,5", "9,5"), "White has 12 rings"),
        (start_with("b" * 50_000), "Black has 50008 rings"),
        (START.replace("wW,wW", "wW,w"), "White has 2 balls"),
        (start_with("bB", "5,4"), "Black has 4 balls"),
        (START.replace("wW,wW", "wW,W"), "The ball on b1 stands on no ring"),
        (START.replace("wW,wW", "wW,bW"), "The ball on b1 stands on a ring of the other side"),
        (START.replace("wW,wW", "wW,wWw"), "On b1 a ring lies on a ball"),
        (START.replace("wW,wW", "wW,wWW"), "There is more than one ball on b1"),
        (START.replace("wW,wW", "wW,wWB"), "There is more than one ball on b1"),
        (START.replace(" w ", " - "), "nothing on the board has ended it"),
    ],
)
def test_contradictions_are_impossible(text: str, sentence: str) -> None:
    """What can be read but cannot be is refused with what is wrong about it."""
    with pytest.raises(Refusal) as refused:
        parse(text)

    assert refused.value.code == ErrorCode.POSITION_IMPOSSIBLE
    assert sentence in refused.value.sentence


# -- what a position text says about the end


def test_the_side_that_moved_last_has_won_with_three_balls_home() -> None:
    """A text with Black to move in which White has arrived is the end of the game."""
    state = parse(WHITE_ARRIVED.format("b"))

    assert GAME.outcome(state) == Outcome(0, rules.ARRIVED)
    assert GAME.print(state) == WHITE_ARRIVED.format("-")


def test_a_side_that_cannot_move_has_lost() -> None:
    """A text whose side to move has no turn is the end of the game."""
    text = "bB,.,bB,.,bB/.,.,.,.,./.,.,.,wW,./.,wW,.,.,./wW,.,.,.,bbbbbw b 4,0"

    assert GAME.outcome(parse(text)) == Outcome(0, rules.NO_MOVE)


def test_a_full_home_after_the_own_turn_has_lost() -> None:
    """A text with Black to move in which White's home is full is the end, unless the passive rule is off."""
    text = ".,.,.,bB,bB/.,.,.,.,b/w,.,.,bB,./wW,.,.,.,./wW,wW,w,.,. {} 3,4"

    assert GAME.outcome(parse(text.format("b"))) == Outcome(1, rules.PASSIVE)
    assert GAME.outcome(parse(text.format("-"))) == Outcome(1, rules.PASSIVE)
    assert GAME.outcome(parse(text.format("b"), passive=False)) is None


def test_a_side_that_has_not_moved_is_not_passive() -> None:
    """Both homes are full at the start, and Black's still is after White's first turn."""
    state = parse(START)

    assert GAME.outcome(state) is None
    assert GAME.outcome(GAME.apply(state, GAME.read(state, "+b2 a1-b2"))) is None


def test_an_over_text_tells_who_won_where_it_can() -> None:
    """With the passive rule three arrived balls mean one winner, whichever side moved last."""
    assert GAME.outcome(parse(WHITE_ARRIVED.format("-"))) == Outcome(0, rules.ARRIVED)


@pytest.mark.parametrize(("text", "passive"), [(BOTH_ARRIVED, True), (WHITE_ARRIVED.format("-"), False)])
def test_an_over_text_may_not_tell_who_won(text: str, passive: bool) -> None:
    """The last ball may have arrived in its own turn or by the other side's vault, and the winners differ."""
    state = parse(text, passive)

    assert GAME.outcome(state) == Outcome(None, UNKNOWN)
    assert GAME.print(state) == text
