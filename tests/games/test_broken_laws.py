"""The laws can fail: for each law there is a game with one fault that breaks it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from itertools import cycle
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import force_setattr, replace

from parlour.games import laws
from parlour.games.api import REPETITION, Game, HalfTurn, Outcome, PickNote
from parlour.games.encoded_tree import EncodedTree, encode
from parlour.games.laws import LawBroken
from parlour.games.replica import GAME, Replica
from parlour.games.replica.rules import GOAL, State
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import Mark, Scene, Stack
from parlour.protocol.types import Pick, Step

OPTIONS = GAME.options({"kings": "2"})
POSITIONS = [
    "....wwwW/....wwww/......ww/......ww/bb....../bb....../bbbb..../Bbbb.... w",
    "W......./......../...w..../......../...w..../..bb..../......../B......b w",
    "......../......../...w..../......../...w..../..bb..../......../W......b -",
]

# What a fault changes: methods and attributes of the game, by name.
Fault = Mapping[str, object]


def faulty(fault: Fault) -> Game[Any]:
    """Return Replica with a fault."""
    return cast("Game[Any]", type("Faulty", (Replica,), dict(fault))())


def check_positions(game: Game[Any]) -> None:
    """Check every law at the start, in the middle and at the end of a game."""
    for text in POSITIONS:
        # Parsed each time, because a fault may change the state.
        state = GAME.parse(text, OPTIONS)
        for law in laws.LAWS:
            law(game, OPTIONS, state, Random(1))


def scenes(change: Callable[[Scene], Scene]) -> Fault:
    return {"scene": lambda _, state: change(GAME.scene(state))}


def pieces(change: Callable[[tuple[Stack, ...]], object]) -> Fault:
    return scenes(lambda scene: replace(scene, pieces=change(scene.pieces)))


def boards(**changes: object) -> Fault:
    return {"board": lambda _, options: replace(GAME.board(options), **changes)}


def marks(*found: tuple[int, ...]) -> Fault:
    return {"marks": lambda *_: found}


def advances(state: State) -> list[tuple[int, ...]]:
    return [move for move in GAME.moves(state) if move[0] != move[1]]


def wrong_refusal(_: object, state: State, picks: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return GAME.check(state, picks)
    except Refusal as refusal:
        raise Refusal(ErrorCode.MOVE_MALFORMED, refusal.sentence) from refusal


_flip = cycle((True, False))


def moody_apply(_: object, state: State, move: tuple[int, ...]) -> State:
    return replace(GAME.apply(state, move), look_forward=next(_flip))


def careless_apply(_: object, state: State, move: tuple[int, ...]) -> State:
    force_setattr(state, "look_forward", True)
    return GAME.apply(state, move)


def lasting_apply(_: object, state: State, move: tuple[int, ...]) -> State:
    after = GAME.apply(state, move)
    again = replace(after, turn=state.turn)
    return again if after.turn is not None and GAME.moves(again) else after


def cut_tree(_: object, state: State) -> EncodedTree:
    """Return the tree without anything behind the first pick."""
    places = GAME.steps(state)
    prompt = GAME.half_turn(state, ()).prompt
    return EncodedTree(encode(Step(0, tuple(Pick(place, more=True) for place in places))), (prompt,))


def long_half_turn(_: object, state: State, picks: tuple[int, ...]) -> HalfTurn:
    """Return half a turn with a long note, so that the tree does not fit into a message."""
    found = GAME.half_turn(state, picks)
    return replace(found, notes={place: PickNote("!" * 1000) for place in GAME.steps(state, picks)})


# By the law that is broken: its words, and what breaks it.
FAULTS: list[tuple[str, Fault]] = [
    ("count is the number of moves", {"count": lambda _, state: GAME.count(state) + 1}),
    ("a finished game has an outcome", {"outcome": lambda *_: None}),
    (
        "a finished game offers no move",
        {"steps": lambda _, state, picks=(): [0] if state.turn is None else GAME.steps(state, picks)},
    ),
    (
        "an outcome has a known reason",
        {"outcome": lambda _, state: None if state.outcome is None else Outcome(0, "magic")},
    ),
    ("an outcome has the final scores", {"scores": lambda *_: (3, 4)}),
    ("the side to move is a seat", {"to_move": lambda _, state: None if state.turn is None else 2}),
    ("a game that goes on has no outcome", {"outcome": lambda *_: Outcome(0, GOAL)}),
    ("the side to move has a move", {"moves": lambda *_: [], "count": lambda *_: 0}),
    ("steps are sorted, each once", {"steps": lambda _, state, picks=(): GAME.steps(state, picks)[::-1]}),
    ("steps are sorted, each once", {"steps": lambda _, state, picks=(): sorted([*GAME.steps(state, picks)] * 2)}),
    ("a pick is a place of the board", boards(rows=4)),
    (
        "every move is listed once",
        {
            "moves": lambda _, state: [*GAME.moves(state)] * 2,
            "count": lambda _, state: 2 * GAME.count(state),
            "steps": lambda _, state, picks=(): GAME.steps(state, picks),
        },
    ),
    (
        "whole turns and moves are the same",
        {
            "moves": lambda _, state: advances(state),
            "count": lambda _, state: len(advances(state)),
            "steps": lambda _, state, picks=(): GAME.steps(state, picks),
        },
    ),
    ("check accepts a legal move as it is", {"check": lambda _, state, picks: GAME.check(state, picks)[::-1]}),
    ("an illegal move is refused as such", {"check": wrong_refusal}),
    ("check accepts legal moves only", {"check": lambda _, state, picks: tuple(picks)}),
    ("the same move gives the same position", {"apply": moody_apply}),
    ("apply changes nothing", {"apply": careless_apply}),
    ("the turn passes, unless the other side has no move", {"apply": lasting_apply}),
    ("a tree that fits into a message is whole", {"tree": cut_tree}),
    ("a tree has the steps of the game", {"tree": cut_tree, "half_turn": long_half_turn}),
    ("no two moves have the same text", {"write": lambda _, state, move: GAME.write(state, move)[:2]}),
    ("read undoes write", {"read": lambda _, state, text: GAME.moves(state)[0]}),
    ("the second field says who is to move", {"print": lambda _, state: GAME.print(state).replace(" w", " b")}),
    ("parse keeps the text", {"parse": lambda _, text, options: GAME.initial(options)}),
    ("parse undoes print", {"parse": lambda _, text, options: GAME.parse(text, GAME.options({}))}),
    ("a board names its game", boards(game="chess")),
    ("a board names its game", boards(seats=GAME.info.seats[::-1])),
    ("a bare scene has no marks", scenes(lambda scene: scene.with_marks(((Mark.LAST, 0),)))),
    ("a bare scene has no marks", scenes(lambda scene: scene.with_marks((), "Hello."))),
    ("a scene says who is to move", scenes(lambda scene: replace(scene, to_move=1))),
    ("a place has one name", {"place": lambda _, state, pick: GAME.place(state, pick).upper()}),
    ("a turn leaves marks", marks()),
    ("patch undoes diff", pieces(list)),
    (
        "a partly chosen turn has a prompt",
        {"half_turn": lambda _, state, picks: replace(GAME.half_turn(state, picks), prompt="")},
    ),
    (
        "notes are about picks",
        {"half_turn": lambda _, state, picks: replace(GAME.half_turn(state, picks), notes={0: PickNote("here")})},
    ),
    (
        "a whole turn shows its end",
        {"half_turn": lambda _, state, picks: replace(GAME.half_turn(state, picks), scene=GAME.scene(state))},
    ),
    ("a scene lists each place once, in order", pieces(lambda found: found[::-1])),
    ("a scene lists each place once, in order", pieces(lambda found: (found[0], *found))),
    ("pieces stand on known places", pieces(lambda found: (*found, (64, 0)))),
    ("pieces stand on known places", pieces(lambda found: ((-1, 0), *found))),
    ("a listed place has a piece", pieces(lambda found: (found[0][:1], *found[1:]))),
    ("a piece has a known glyph", pieces(lambda found: ((found[0][0], 4), *found[1:]))),
    ("a piece has a known glyph", pieces(lambda found: ((found[0][0], -1), *found[1:]))),
    (
        "a piece lies wholly on the board",
        boards(glyphs=tuple(replace(glyph, columns=2) for glyph in GAME.board(OPTIONS).glyphs)),
    ),
    (
        "a piece lies wholly on the board",
        boards(glyphs=tuple(replace(glyph, rows=2) for glyph in GAME.board(OPTIONS).glyphs)),
    ),
    ("a mark is of a known kind and about places", marks((99, 0))),
    ("a mark is of a known kind and about places", marks((Mark.LAST,))),
    ("marks are on known places", marks((Mark.LAST, 64))),
    ("marks are on known places", marks((Mark.LAST, -1))),
    ("every seat has a tally", scenes(lambda scene: replace(scene, tallies=scene.tallies[:1]))),
]

# Only a whole match shows these.
LONG_FAULTS: list[tuple[str, Fault]] = [
    ("no match is longer than max_plies", {"info": replace(GAME.info, max_plies=3)}),
    ("repetition is a draw only if the rules say so", {"outcome": lambda *_: Outcome(None, REPETITION)}),
]

# The one law that is about the type of states, see below.
ENCODING = "decode_state undoes encode_state"


def broken(sentence: str) -> Any:
    return pytest.raises(LawBroken, match=re.escape(f"replica: {sentence}\n"))


def test_without_a_fault_no_law_is_broken() -> None:
    """The game without a fault obeys every law at the same positions."""
    check_positions(faulty({}))
    laws.check_match(faulty({}), OPTIONS, Random(1))


@pytest.mark.parametrize(("sentence", "fault"), FAULTS)
def test_a_fault_breaks_its_law(sentence: str, fault: Fault) -> None:
    """The first law to break is the one that the fault is about, and its sentence says so."""
    with broken(sentence):
        check_positions(faulty(fault))


@pytest.mark.parametrize(("sentence", "fault"), LONG_FAULTS)
def test_a_match_shows_its_fault(sentence: str, fault: Fault) -> None:
    """A whole match reveals what no single position can."""
    with broken(sentence):
        laws.check_match(faulty(fault), OPTIONS, Random(1))


class Leaky(State, frozen=True):
    """A state with a field that does not survive as bytes: a tuple without a type."""

    trail: Any = (1, 2)


def test_a_state_that_does_not_survive() -> None:
    """A state that is different after a round trip through bytes breaks the law."""
    state = GAME.parse(POSITIONS[0], OPTIONS)
    leaky = Leaky(**{field: getattr(state, field) for field in State.__struct_fields__})

    with broken(ENCODING):
        laws.states_can_be_encoded(GAME, OPTIONS, leaky, Random(1))


def test_every_law_has_its_fault() -> None:
    """Every law has a game that breaks it, because a law that cannot fail proves nothing."""
    held = {
        call.args[1].value
        for call in ast.walk(ast.parse(inspect.getsource(laws)))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "_require"
        and isinstance(call.args[1], ast.Constant)
    }

    assert held == {ENCODING, *(sentence for sentence, _ in FAULTS), *(sentence for sentence, _ in LONG_FAULTS)}


def test_a_broken_law_names_game_position_and_finding() -> None:
    """The message says which game broke which law, in which position, and what was found."""
    with pytest.raises(LawBroken) as caught:
        check_positions(faulty({"count": lambda *_: 44}))

    assert str(caught.value) == (f"replica: count is the number of moves\nposition: {POSITIONS[0]}\nfound: 44")


def shouted(_: object, state: State, move: tuple[int, ...]) -> str:
    return GAME.write(state, move).upper()


# A game may also raise an exception: it refuses its own texts, or an index is out of range.
TRIPS: list[tuple[str, Fault]] = [
    ("its own move texts are refused", {"write": shouted}),
    ("its own position texts are refused", {"print": lambda _, state: GAME.print(state).replace("/", "|")}),
    ("its own moves are refused", {"check": lambda _, state, picks: GAME.check(state, ())}),
    ("a place without a name", {"place": lambda _, state, pick: GAME.place(state, pick + pick // 63)}),
    ("a tally without its numbers", boards(tally="{0} pieces, {7} kings")),
]


@pytest.mark.parametrize(("what", "fault"), TRIPS)
def test_an_exception_breaks_a_law(what: str, fault: Fault) -> None:
    """Whatever goes wrong inside a game, the author learns which law is broken and where, not just a traceback."""
    with pytest.raises(LawBroken, match=r"replica: .*\nposition: "):
        check_positions(faulty(fault))
