"""The choices of a player, as a tree that a client can walk without asking the server.

Most turns fit into one message. For those that do not, the tree is cut after a number of picks, and the client requests
the rest when the player gets there. The nearest steps are never cut first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour.games.api import Game
from parlour.games.latest import latest_of
from parlour.protocol.scene import Mark, Scene, SceneDiff, diff
from parlour.protocol.types import Pick, Step

BUDGET = 450  # picks; enough for both ends of every bar of one length in Isaac


class _Node:
    """A step of the tree under construction: its picks, and the nodes that follow those that are expanded."""

    def __init__(self, picks: tuple[int, ...], offered: Sequence[int]) -> None:
        self.picks = picks
        self.offered = offered
        self.behind: dict[int, _Node | None] = {}  # None: the turn goes on, but not in this message


def choices(
    game: Game[Any], state: Any, picks: Sequence[int] = (), budget: int = BUDGET
) -> tuple[Step, tuple[str, ...]]:
    """Return the steps that follow `picks`, which are not a whole turn, and the prompts that the steps refer to."""
    offered = game.steps(state, picks)
    if game.completes(state, picks):
        return _last_step(game, state, picks, offered)
    root = _Node(tuple(picks), offered)
    budget = max(0, budget - len(offered))
    level = [root]
    while level:
        deeper = []
        for node in level:
            ends = game.completes(state, node.picks)
            if ends:
                continue
            for pick in node.offered:
                if ends is False and not budget:
                    node.behind[pick] = None
                    continue
                following = game.steps(state, (*node.picks, pick))
                if following and len(following) <= budget:
                    budget -= len(following)
                    node.behind[pick] = child = _Node((*node.picks, pick), following)
                    deeper.append(child)
                elif following:
                    budget = 0  # the first step that does not fit ends the tree
                    node.behind[pick] = None
        level = deeper
    prompts: dict[str, int] = {}
    step = _step(game, state, game.scene(state), root, prompts)
    return step, tuple(prompts)


def _last_step(
    game: Game[Any], state: Any, picks: Sequence[int], offered: Sequence[int]
) -> tuple[Step, tuple[str, ...]]:
    """Return a tree of one step, whose picks complete the turn."""
    shown = game.half_turn(state, picks)
    notes = shown.notes
    ends: list[int | Pick] | Sequence[int] = offered
    if notes:
        ends = [
            Pick(place, note.label, note.kind, note.cell) if (note := notes.get(place)) else place for place in offered
        ]
    look = _look(game.scene(state), shown.scene) if picks or shown.scene.marks else None
    return Step(0, tuple(ends), look), (shown.prompt,)


def _step(game: Game[Any], state: Any, scene: Scene, node: _Node, prompts: dict[str, int]) -> Step:
    shown = game.half_turn(state, node.picks)
    prompt = prompts.setdefault(shown.prompt, len(prompts))
    if not shown.notes and not node.behind:
        return Step(prompt, tuple(node.offered), _look(scene, shown.scene))
    picks: list[int | Pick] = []
    for place in node.offered:
        note = shown.notes.get(place)
        child = node.behind.get(place)
        if note is None and place not in node.behind:
            picks.append(place)
            continue
        label, kind, cell = (note.label, note.kind, note.cell) if note else ("", "", None)
        then = _step(game, state, scene, child, prompts) if child else None
        picks.append(Pick(place, label, kind, cell, then, place in node.behind and child is None))
    return Step(prompt, tuple(picks), _look(scene, shown.scene))


def _look(scene: Scene, shown: Scene) -> SceneDiff | None:
    """Return how the board differs from the scene, without the marks on chosen places, which clients add."""
    if shown is scene:
        return None
    marks = tuple(mark for mark in shown.marks if mark[0] != Mark.CHOSEN)
    if shown.pieces is scene.pieces and shown.tallies is scene.tallies and not marks:
        return None
    change = _change(scene, shown.with_marks(()))
    if not change.pieces and not change.tallies and not marks:
        return None
    return SceneDiff(change.pieces, change.tallies, change.to_move, marks, shown.note)


# The board often looks the same after several picks: whichever ball is chosen, none has moved yet.
_change = latest_of(diff)
