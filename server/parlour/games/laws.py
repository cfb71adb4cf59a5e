"""The laws that every game obeys, as functions that the author of a game can run.

Each law takes a game, settled options, a position from a match, and a random number generator to sample what it does
not try exhaustively. It raises `LawBroken` with a sentence that names the law, the position and the finding.
`check_match` plays a random match and checks all laws along the way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from random import Random
from typing import Any

from msgspec.structs import replace

from parlour.games.api import REPETITION, Game, Move
from parlour.games.choices import choices
from parlour.games.encoded_tree import MOST_BYTES, decode, encode
from parlour.games.match import Match
from parlour.games.options import Options, OptionSpec, OptionValue
from parlour.games.perft import random_move
from parlour.games.state_codec import decode_state, encode_state
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import BoardSpec, Mark, Scene, diff, patch
from parlour.protocol.types import Step

Law = Callable[[Game[Any], Options, Any, Random], None]

# The number of moves that a law tries if trying all would take long.
SAMPLE = 24

MOST_PICKS = 16  # of a turn whose tree is cut


class LawBroken(AssertionError):
    """A game does not obey one of the laws."""


def _require(fact: bool, law: str, game: Game[Any], state: Any, found: object = "") -> None:
    if not fact:
        raise LawBroken(f"{game.info.key}: {law}\nposition: {game.print(state)}\nfound: {found}")


def sampled(game: Game[Any], state: Any, rng: Random) -> list[Move]:
    moves = list(game.moves(state))
    return rng.sample(moves, SAMPLE) if len(moves) > SAMPLE else moves


# -- the laws


def live_or_over(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that a side to move has a move, and that a finished game has an outcome and offers no move."""
    moves, outcome, mover = game.moves(state), game.outcome(state), game.to_move(state)
    _require(game.count(state) == len(moves), "count is the number of moves", game, state, game.count(state))
    if mover is None:
        _require(outcome is not None, "a finished game has an outcome", game, state)
        _require(not moves and not game.steps(state), "a finished game offers no move", game, state, moves)
        assert outcome is not None
        _require(outcome.reason in game.info.reasons, "an outcome has a known reason", game, state, outcome)
        _require(outcome.scores == game.scores(state), "an outcome has the final scores", game, state, outcome)
    else:
        _require(mover in (0, 1), "the side to move is a seat", game, state, mover)
        _require(outcome is None, "a game that goes on has no outcome", game, state, outcome)
        _require(len(moves) > 0, "the side to move has a move", game, state)


def moves_are_walks(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that steps are sorted, that every pick can be completed, and that whole turns are exactly the moves."""
    places = game.board(options).places
    walked: set[Move] = set()
    stack: list[Move] = [()] if game.to_move(state) is not None else []
    while stack:
        picks = stack.pop()
        offered = list(game.steps(state, picks))
        _require(offered == sorted(set(offered)), "steps are sorted, each once", game, state, (picks, offered))
        _require(
            all(0 <= pick < places for pick in offered),
            "a pick is a place of the board",
            game,
            state,
            offered,
        )
        if not offered:
            walked.add(game.canonical(picks))
        stack += [(*picks, pick) for pick in offered]
    moves = list(game.moves(state))
    _require(len(set(moves)) == len(moves), "every move is listed once", game, state, moves)
    _require(walked == set(moves), "whole turns and moves are the same", game, state, walked ^ set(moves))


def check_accepts_moves_only(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that `check` returns every legal move as it is and refuses everything similar."""
    legal = set(game.moves(state))
    places = game.board(options).places
    for move in sampled(game, state, rng):
        _require(game.check(state, move) == move, "check accepts a legal move as it is", game, state, move)
        mutant = list(move)
        match rng.randrange(4):
            case 0:
                mutant[rng.randrange(len(mutant))] = rng.randrange(-1, places + 1)
            case 1:
                mutant.pop()
            case 2:
                mutant.append(rng.randrange(places))
            case 3:
                rng.shuffle(mutant)
        try:
            accepted = game.check(state, mutant)
        except Refusal as refusal:
            _require(
                refusal.code == ErrorCode.MOVE_ILLEGAL,
                "an illegal move is refused as such",
                game,
                state,
                mutant,
            )
        else:
            _require(accepted in legal, "check accepts legal moves only", game, state, mutant)


def apply_is_pure(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that `apply` does not change its argument, and that the same move leads to an equal position and hash."""
    before, mark = game.print(state), hash(state)
    for move in sampled(game, state, rng):
        once, again = game.apply(state, move), game.apply(state, move)
        _require(
            once == again and hash(once) == hash(again),
            "the same move gives the same position",
            game,
            state,
            move,
        )
    _require(game.print(state) == before and hash(state) == mark, "apply changes nothing", game, state, before)


def texts_round_trip(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that moves and positions can be written and read back, and that no two moves have the same text."""
    texts = [game.write(state, move) for move in game.moves(state)]
    _require(len(set(texts)) == len(texts), "no two moves have the same text", game, state, texts)
    for move in sampled(game, state, rng):
        text = game.write(state, move)
        _require(game.read(state, text) == move, "read undoes write", game, state, text)
    text, mover = game.print(state), game.to_move(state)
    letter = "-" if mover is None else game.info.seats[mover].name[0].lower()
    _require(text.split(" ")[1] == letter, "the second field says who is to move", game, state, text)
    again = game.parse(text, options)
    _require(game.print(again) == text, "parse keeps the text", game, state, game.print(again))
    # The text of a finished game does not always say who won; any other text is complete.
    _require(again == state or mover is None, "parse undoes print", game, state, again)


def states_can_be_encoded(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that a state survives as bytes."""
    decoded = decode_state(type(state), encode_state(state))
    _require(
        decoded == state and hash(decoded) == hash(state), "decode_state undoes encode_state", game, state, decoded
    )


def scenes_can_be_drawn(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that scenes use only places and glyphs of the board, and that a diff turns one into the other."""
    spec, here = game.board(options), game.scene(state)
    _require(
        spec.game == game.info.key and spec.seats == game.info.seats,
        "a board names its game",
        game,
        state,
        spec,
    )
    _require(here.marks == () and here.note == "", "a bare scene has no marks", game, state, here)
    _require(here.to_move == game.to_move(state), "a scene says who is to move", game, state, here)
    _check_scene(game, spec, state, here)
    for place in range(spec.places):
        named = game.place(state, place)
        _require(
            named == spec.place_name(place),
            "a place has one name",
            game,
            state,
            (named, spec.place_name(place)),
        )
    for move in sampled(game, state, rng)[:4]:
        after = game.apply(state, move)
        there = game.scene_after(state, move, after)
        _check_scene(game, spec, state, there)
        _require(there.marks != (), "a turn leaves marks", game, state, move)
        _require(patch(here, diff(here, there)) == there, "patch undoes diff", game, state, move)


def half_turns_can_be_shown(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that every partly chosen turn has a prompt and a scene, and that its notes are about possible picks."""
    if game.to_move(state) is None:
        return
    spec = game.board(options)
    for move in sampled(game, state, rng)[:4]:
        for made in range(len(move) + 1):
            picks = move[:made]
            shown = game.half_turn(state, picks)
            _require(shown.prompt != "", "a partly chosen turn has a prompt", game, state, picks)
            _check_scene(game, spec, state, shown.scene)
            offered = set(game.steps(state, picks))
            _require(offered.issuperset(shown.notes), "notes are about picks", game, state, (picks, shown.notes))
        _require(
            shown.scene.pieces == game.scene(game.apply(state, move)).pieces,
            "a whole turn shows its end",
            game,
            state,
            move,
        )


def trees_follow_the_steps(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that a tree that the game builds in one go equals the one made of its steps, whole or cut at one depth."""
    tree = game.tree(state)
    if tree is None:
        return
    step, prompts = choices(game, state, budget=sys.maxsize)
    told = _told(decode(tree.step), tree.prompts)
    whole = _told(step, prompts)
    if len(encode(step)) <= MOST_BYTES:
        _require(told == whole, "a tree that fits into a message is whole", game, state, told)
    cuts = (_told(step, prompts, depth) for depth in range(1, MOST_PICKS))
    _require(told == whole or told in cuts, "a tree has the steps of the game", game, state, told)


def _told(step: Step, prompts: Sequence[str], depth: int = sys.maxsize) -> Any:
    """Return the part of a tree that has some steps in a row, without the numbers of the prompts."""
    return (
        prompts[step.prompt],
        step.look,
        [
            pick
            if isinstance(pick, int) or pick.then is None
            else replace(pick, then=_told(pick.then, prompts, depth - 1))
            if depth > 1
            else replace(pick, then=None, more=True)
            for pick in step.picks
        ],
    )


def turns_pass(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
    """Check that the turn passes unless the other side has no move: a text that gives it the turn skips it, too."""
    mover = game.to_move(state)
    for move in sampled(game, state, rng):
        after = game.apply(state, move)
        if mover is None or game.to_move(after) != mover:
            continue
        fields = game.print(after).split(" ")
        fields[1] = game.info.seats[1 - mover].name[0].lower()
        try:
            skipped = game.to_move(game.parse(" ".join(fields), options)) == mover
        except Refusal:
            skipped = True
        _require(skipped, "the turn passes, unless the other side has no move", game, state, move)


def _with_exceptions(law: Law) -> Law:
    """Return the law so that any exception from the game breaks it, too."""

    @wraps(law)
    def checked(game: Game[Any], options: Options, state: Any, rng: Random) -> None:
        try:
            law(game, options, state, rng)
        except LawBroken:
            raise
        except Exception as fault:
            name = law.__name__.replace("_", " ")
            raise LawBroken(f"{game.info.key}: {name}\nposition: {game.print(state)}\nfound: {fault!r}") from fault

    return checked


LAWS = tuple(
    map(
        _with_exceptions,
        (
            live_or_over,
            moves_are_walks,
            check_accepts_moves_only,
            apply_is_pure,
            turns_pass,
            trees_follow_the_steps,
            texts_round_trip,
            states_can_be_encoded,
            scenes_can_be_drawn,
            half_turns_can_be_shown,
        ),
    )
)


def check_match(game: Game[Any], options: Options, rng: Random, positions: int = 4) -> Match[Any]:
    """Play a random match to its end and check every law at its start, its end and some positions in between."""
    match = Match(game, options)
    while match.outcome is None:
        match.play(random_move(game, match.state, rng))
        _require(len(match.moves) <= game.info.max_plies, "no match is longer than max_plies", game, match.state)
    assert match.outcome is not None
    if match.outcome.reason == REPETITION:
        _require(game.info.repetition is not None, "repetition is a draw only if the rules say so", game, match.state)
    plies = {0, len(match.moves), *(rng.randrange(len(match.states)) for _ in range(positions - 2))}
    for ply in sorted(plies):
        for law in LAWS:
            law(game, options, match.states[ply], rng)
    return match


def variants(game: Game[Any]) -> Iterator[Mapping[str, OptionValue]]:
    """Yield options that together use every choice of the game."""
    yield {}
    for spec in game.info.options:
        for value in _values(spec):
            if value != spec.default:
                yield {spec.key: value}


def _values(spec: OptionSpec) -> tuple[OptionValue, ...]:
    match spec.kind:
        case "switch":
            return (True, False)
        case "number":
            return (spec.low, spec.high)
        case _:
            return spec.choices


def _check_scene(game: Game[Any], spec: BoardSpec, state: Any, scene: Scene) -> None:
    """Check that the parts of a scene fit the board."""
    places = [stack[0] for stack in scene.pieces]
    _require(places == sorted(set(places)), "a scene lists each place once, in order", game, state, places)
    _require(all(0 <= place < spec.places for place in places), "pieces stand on known places", game, state, places)
    for place, *glyphs in scene.pieces:
        _require(len(glyphs) > 0, "a listed place has a piece", game, state, place)
        for index in glyphs:
            _require(0 <= index < len(spec.glyphs), "a piece has a known glyph", game, state, index)
            glyph = spec.glyphs[index]
            if place < spec.cells:
                fits = place % spec.columns + glyph.columns <= spec.columns
                fits = fits and place // spec.columns + glyph.rows <= spec.rows
                _require(fits, "a piece lies wholly on the board", game, state, (place, glyph.name))
    for kind, *marked in scene.marks:
        _require(
            kind in set(Mark) and len(marked) > 0,
            "a mark is of a known kind and about places",
            game,
            state,
            kind,
        )
        _require(
            all(0 <= place < spec.places for place in marked),
            "marks are on known places",
            game,
            state,
            marked,
        )
    _require(len(scene.tallies) == len(spec.seats), "every seat has a tally", game, state, scene.tallies)
    for tally in scene.tallies:
        spec.tally.format(*tally)
