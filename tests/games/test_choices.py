"""The tree of picks that a client can walk without asking the server."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from parlour import games
from parlour.games.api import Game
from parlour.games.choices import BUDGET, choices
from parlour.games.perft import random_match
from parlour.protocol.scene import Mark, SceneDiff, patch
from parlour.protocol.types import Pick, Step

Picks = tuple[int, ...]


def positions(key: str) -> list[tuple[Game[Any], Any]]:
    """Return the first position and a few from a random match, none of them finished."""
    game = games.find(key)
    states = random_match(game, game.options({}), Random(3)).states[:-1]
    return [(game, states[0]), *((game, state) for state in states[:: max(1, len(states) // 4)])]


POSITIONS = [
    pytest.param(game, state, id=f"{key}-{number}")
    for key in games.keys()
    for number, (game, state) in enumerate(positions(key))
]
POSITION = pytest.mark.parametrize(("game", "state"), POSITIONS)


def steps_of(step: Step, made: Picks = ()) -> Iterator[tuple[Picks, Step]]:
    """Yield every step of a tree with the picks that lead to it."""
    yield made, step
    for pick in step.picks:
        if isinstance(pick, Pick) and pick.then is not None:
            yield from steps_of(pick.then, (*made, pick.place))


def ends_of(step: Step) -> tuple[set[Picks], set[Picks]]:
    """Return the whole turns of a tree, and the picks after which it is cut."""
    whole: set[Picks] = set()
    cut: set[Picks] = set()
    for made, found in steps_of(step):
        for pick in found.picks:
            if isinstance(pick, int):
                whole.add((*made, pick))
            elif pick.more:
                cut.add((*made, pick.place))
            elif pick.then is None:
                whole.add((*made, pick.place))
    return whole, cut


def size(step: Step) -> int:
    return sum(len(found.picks) for _, found in steps_of(step))


def places(step: Step) -> list[int]:
    return [pick if isinstance(pick, int) else pick.place for pick in step.picks]


@POSITION
def test_the_whole_turns_of_a_tree_are_the_moves(game: Game[Any], state: Any) -> None:
    """With a large budget nothing is cut, and the paths through the tree are exactly the legal turns."""
    step, _ = choices(game, state, budget=1_000_000)
    whole, cut = ends_of(step)

    assert {game.canonical(picks) for picks in whole} == set(game.moves(state))
    assert not cut


@POSITION
def test_every_step_offers_what_the_game_offers(game: Game[Any], state: Any) -> None:
    """The picks of a step are those of `steps`, in their order."""
    step, _ = choices(game, state)
    for made, found in steps_of(step):
        assert places(found) == list(game.steps(state, made))


@POSITION
def test_prompts_and_notes_are_those_of_the_half_turn(game: Game[Any], state: Any) -> None:
    """A step refers to its prompt by number, each prompt is there once, and notes stand at their picks."""
    step, prompts = choices(game, state)
    used = set()
    for made, found in steps_of(step):
        shown = game.half_turn(state, made)
        used.add(found.prompt)
        assert prompts[found.prompt] == shown.prompt
        for pick in found.picks:
            note = None if isinstance(pick, int) else shown.notes.get(pick.place)
            if isinstance(pick, int):
                assert pick not in shown.notes
            elif note is None:
                assert (pick.label, pick.kind, pick.cell) == ("", "", None)
            else:
                assert (pick.label, pick.kind, pick.cell) == (note.label, note.kind, note.cell)
    assert used == set(range(len(prompts)))
    assert len(set(prompts)) == len(prompts)


@POSITION
def test_a_bare_place_completes_the_turn(game: Game[Any], state: Any) -> None:
    """A pick is a bare number exactly when the turn ends with it and there is nothing to say about it."""
    step, _ = choices(game, state)
    for made, found in steps_of(step):
        notes = game.half_turn(state, made).notes
        for pick, place in zip(found.picks, places(found), strict=True):
            ends = not game.steps(state, (*made, place))
            assert isinstance(pick, int) == (ends and place not in notes)


@POSITION
def test_what_is_said_about_the_next_pick_is_true(game: Game[Any], state: Any) -> None:
    """Where a game says that the next pick completes the turn, each does; where it says that none does, none does."""
    step, _ = choices(game, state)
    for made, found in steps_of(step):
        ends = {not game.steps(state, (*made, place)) for place in places(found)}

        assert game.completes(state, made) in (None, *(ends if len(ends) == 1 else ()))


@POSITION
def test_a_look_makes_the_scene_into_what_the_player_sees(game: Game[Any], state: Any) -> None:
    """Patched with the look of a step, the scene of the room is that of the half turn, but for what was chosen."""
    here = game.scene(state)
    step, _ = choices(game, state)
    for made, found in steps_of(step):
        shown = game.half_turn(state, made).scene
        marks = tuple(mark for mark in shown.marks if mark[0] != Mark.CHOSEN)
        seen = here if found.look is None else patch(here, found.look)

        assert (seen.pieces, seen.tallies, seen.marks) == (shown.pieces, shown.tallies, marks)


@POSITION
@pytest.mark.parametrize("budget", [1, 10, 60, 400, BUDGET])
def test_a_tree_keeps_to_its_budget(game: Game[Any], state: Any, budget: int) -> None:
    """It has no more picks than its budget, except that the first step is always complete."""
    step, _ = choices(game, state, budget=budget)

    assert size(step) <= max(budget, len(game.steps(state)))
    assert places(step) == list(game.steps(state))


@POSITION
@pytest.mark.parametrize("budget", [1, 60, 400])
def test_the_rest_follows_each_cut(game: Game[Any], state: Any, budget: int) -> None:
    """Asking again with the picks up to each cut, until nothing is cut, finds every legal turn."""
    whole: set[Picks] = set()
    asked: list[Picks] = [()]
    while asked:
        made = asked.pop()
        step, _ = choices(game, state, made, budget)
        ends, cuts = ends_of(step)
        whole |= {(*made, *picks) for picks in ends}
        asked += [(*made, *picks) for picks in cuts]

    assert {game.canonical(picks) for picks in whole} == set(game.moves(state))


@pytest.mark.parametrize("budget", [30, 60, 100, 200, 400, 800])
def test_near_steps_come_first(budget: int) -> None:
    """No step is shown while a shallower one that needs no more room is cut."""
    game = games.find("mitsudomoe")
    options = game.options({})
    state = game.parse(".,.,.,bB,bB/w,.,.,bB,./.,w,.,b,./.,wW,.,.,b/wW,wW,.,.,. w 3,3", options)
    step, _ = choices(game, state, budget=budget)
    _, cuts = ends_of(step)
    shown = [(len(made), len(found.picks)) for made, found in steps_of(step) if made]
    for cut in cuts:
        needed = len(game.steps(state, cut))
        assert all(picks < needed for depth, picks in shown if depth > len(cut))


def test_replica_in_one_message() -> None:
    """A piece leads to its targets: bare cells, a note where it would be crowned, and the look of a king's sight."""
    game = games.find("replica")
    state = game.parse("W......./......../......../......../......../w......./......../....B... w", game.options({}))
    step, prompts = choices(game, state)

    assert step == Step(
        0,
        (
            Pick(16, then=Step(1, (8, Pick(16, "crown", "crown")))),
            Pick(56, then=Step(2, (48,), SceneDiff((), (), 0, ((Mark.SIGHT, 56, 16),)))),
        ),
    )
    assert prompts == (
        "Choose a piece to move, or a man to crown.",
        "Man: choose where it goes, or crown it.",
        "King: choose where it goes.",
    )
