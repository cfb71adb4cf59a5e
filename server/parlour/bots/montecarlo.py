"""Monte Carlo tree search: plays games to the end by chance, the promising ones most often. Needs no insight.

Results that are certain are kept apart from those that are likely: a move to a won position is proven, and so is the
loss of a position all of whose moves are. The same arguments give the same thought, unless the clock ends it.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf, log, sqrt
from random import Random
from time import monotonic
from typing import Any

from parlour.bots.thought import PLAIN_SCALE, Budget, Clock, Thought, settled
from parlour.games.api import Game, Move, Seat
from parlour.games.perft import random_move

# A random game that is not over by then counts as even: it tells little about the move that began it.
LONGEST_PLAYOUT = 80
# So many replies are looked at for care, whatever the budget.
CARE = 3_000
# How much more a move is tried that was hardly tried.
CURIOSITY = 0.8


class Node:
    """A position in the tree, with what came of it for the seat that moved there."""

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
        # As a score for the mover, counted from here; None while nothing is certain.
        self.proven: int | None = None if ended is None else settled(ended, mover, 0)

    def promise(self, log_visits: float) -> float:
        """How much another try is worth to the mover: the share of wins so far, and more for what is hardly known."""
        if self.proven is not None:
            return -inf if self.proven < 0 else self.won / self.visits
        return self.won / self.visits + CURIOSITY * sqrt(log_visits / self.visits)


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
        """One more game: down the tree by promise, on by chance, and the result back up."""
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
        """What the game brings to seat 0, from 0 to 1."""
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
        """Whether the children settle the matter: one that wins, or all of them known."""
        chooser = node.children[0].mover
        known = [child.proven for child in node.children if child.proven is not None]
        best = max(known, default=0)
        if best > 0 or (known and not node.untried and len(known) == len(node.children)):
            score = best - 1 if best > 0 else best + 1 if best < 0 else 0
            node.proven = score if chooser == node.mover else -score

    def look_around(self) -> None:
        """Tries every move once, and every reply that could end the game: no instant result is missed."""
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
        """The child of the root to move to: a proven win, else the most tried that is no proven loss."""

        def worth(child: Node) -> tuple[int, int, float]:
            proven = child.proven or 0
            return proven, child.visits, child.won

        return max(self.root.children, key=worth)

    def thought(self) -> Thought:
        best = self.best()
        line = [best.move]
        node = best
        while node.children:
            node = max(node.children, key=lambda child: (child.proven or 0, child.visits))
            line.append(node.move)
        return Thought(best.move, _score(best), tuple(line), self.nodes, len(line))


def _score(node: Node) -> int:
    """What the mover can expect, on the scale that `chance` reads back."""
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
) -> Thought:
    """The best move of a position that is not over.

    `careful` looks at all replies to all moves first, where these are not too many: then no instant win is missed,
    and no instant loss. `past` are positions that came before: to come back to one is a draw.
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
    return tree.thought()
