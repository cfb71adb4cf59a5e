"""Monte Carlo tree search: random games to the end, most often after promising moves. It needs no insight.

Certain results are kept apart from likely ones: a move to a won position is a proven win, and a position whose moves
all lose is a proven loss. The same arguments give the same result, unless the clock ends the search.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf, log, sqrt
from random import Random
from time import monotonic
from typing import Any

from parlour.bots.search import PLAIN_SCALE, Budget, Clock, SearchResult, settled
from parlour.games.api import Game, Move, Seat
from parlour.games.perft import random_move

# A random game that is not over after this many plies counts as a draw: it says little about its first move.
LONGEST_PLAYOUT = 80
# A careful search tries this many replies, whatever the budget.
CARE = 3_000
# The exploration constant of UCT: how much moves with few visits are preferred.
EXPLORATION = 0.8


class Node:
    """A position in the tree, with its results for the seat that moved there."""

    __slots__ = ("children", "move", "mover", "proven", "state", "untried", "visits", "won")

    def __init__(self, game: Game[Any], state: Any, move: Move, mover: Seat, rng: Random) -> None:
        self.state = state
        self.move = move
        self.mover = mover
        self.visits = 0
        self.won = 0.0
        self.children: list[Node] = []
        self.untried = list(game.moves(state))
        rng.shuffle(self.untried)
        ended = game.outcome(state)
        # A score for the mover, with plies counted from here; None while the result is not certain.
        self.proven: int | None = None if ended is None else settled(ended, mover, 0)

    def promise(self, log_visits: float) -> float:
        """Return how much another visit is worth: the share of wins so far, plus more for a node with few visits."""
        if self.proven is not None:
            return -inf if self.proven < 0 else self.won / self.visits
        return self.won / self.visits + EXPLORATION * sqrt(log_visits / self.visits)


class Tree:
    """One search of one position."""

    def __init__(self, game: Game[Any], state: Any, rng: Random, past: Collection[Any]) -> None:
        seat = game.to_move(state)
        assert seat is not None
        self.game = game
        self.rng = rng
        self.past = past
        self.nodes = 0
        self.root = Node(game, state, (), 1 - seat, rng)

    def grow(self) -> None:
        """Play one more game: down the tree by promise, on by random moves, and the result back up."""
        self.nodes += 1
        node = self.root
        way = [node]
        while node.proven is None and not node.untried:
            log_visits = log(node.visits)
            node = max(node.children, key=lambda child: child.promise(log_visits))
            way.append(node)
        if node.proven is None:
            node = self._expand(node)
            way.append(node)
        first = self._result(node)
        for met in reversed(way):
            met.visits += 1
            met.won += first if met.mover == 0 else 1 - first
            if met.children:
                self._prove(met)

    def _expand(self, node: Node) -> Node:
        move = node.untried.pop()
        state = self.game.apply(node.state, move)
        mover = self.game.to_move(node.state)
        assert mover is not None
        child = Node(self.game, state, move, mover, self.rng)
        if child.proven is None and state in self.past:
            child.proven = 0
        self.nodes += 1
        node.children.append(child)
        return child

    def _result(self, node: Node) -> float:
        """Return the result of a random game for seat 0, from 0 to 1."""
        if node.proven is not None:
            won = 0.5 if node.proven == 0 else float(node.proven > 0)
            return won if node.mover == 0 else 1 - won
        state = node.state
        for _ in range(LONGEST_PLAYOUT):
            state = self.game.apply(state, random_move(self.game, state, self.rng))
            self.nodes += 1
            ended = self.game.outcome(state)
            if ended is not None:
                return 0.5 if ended.winner is None else float(ended.winner == 0)
        return 0.5

    @staticmethod
    def _prove(node: Node) -> None:
        """Mark the node as proven if one child wins, or if all results are proven."""
        chooser = node.children[0].mover
        known = [child.proven for child in node.children if child.proven is not None]
        best = max(known, default=0)
        if best > 0 or (known and not node.untried and len(known) == len(node.children)):
            score = best - 1 if best > 0 else best + 1 if best < 0 else 0
            node.proven = score if chooser == node.mover else -score

    def look_around(self) -> None:
        """Try every move and every reply once, so that no immediate win or loss is missed."""
        while self.root.untried:
            self._expand(self.root)
        for child in self.root.children:
            if child.proven is None:
                while child.untried and child.proven is None:
                    self._expand(child)
                    self._prove(child)
            result = self._result(child)
            child.visits = 1
            child.won = result if child.mover == 0 else 1 - result
            self.root.visits += 1
            for reply in child.children:
                reply.visits, reply.won = 1, 0.5
                child.visits += 1
                child.won += 0.5
        self._prove(self.root)

    def best(self) -> Node:
        """Return the child of the root to move to: a proven win, else the most visited without a proven loss."""

        def worth(child: Node) -> tuple[int, int, float]:
            proven = child.proven or 0
            return proven, child.visits, child.won

        return max(self.root.children, key=worth)

    def result(self) -> SearchResult:
        best = self.best()
        line = [best.move]
        node = best
        while node.children:
            node = max(node.children, key=lambda child: (child.proven or 0, child.visits))
            line.append(node.move)
        return SearchResult(best.move, _score(best), tuple(line), self.nodes, len(line))


def _score(node: Node) -> int:
    """Return what the mover can expect, as a score that `chance` converts back."""
    if node.proven is not None:
        return node.proven - 1 if node.proven > 0 else node.proven + 1 if node.proven < 0 else 0
    share = (node.won + 0.5) / (node.visits + 1)
    return round(PLAIN_SCALE * log(share / (1 - share), 3))


def search(
    game: Game[Any],
    state: Any,
    budget: Budget,
    *,
    rng: Random,
    careful: bool = True,
    past: Collection[Any] = (),
    now: Clock = monotonic,
) -> SearchResult:
    """Return the best move of a position that is not over.

    A `careful` search first tries all replies to all moves, unless there are too many, so that no immediate win or loss
    is missed. Returning to one of the earlier positions `past` is a draw.
    """
    deadline = None if budget.seconds is None else now() + budget.seconds
    tree = Tree(game, state, rng, past)
    if careful and len(tree.root.untried) ** 2 <= max(budget.nodes, CARE):
        tree.look_around()
    while tree.root.proven is None and tree.nodes < budget.nodes:
        tree.grow()
        if deadline is not None and now() >= deadline:
            break
    if not tree.root.children:
        tree.grow()
    return tree.result()
