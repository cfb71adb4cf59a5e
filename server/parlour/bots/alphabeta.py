"""Search by alpha-beta: as deep as the budget allows, the most promising moves first.

Iterative deepening with a transposition table, principal variation search and late move reductions. What a game knows
about itself comes from its `Insight`. The same arguments give the same thought, unless the clock ends it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from random import Random
from time import monotonic
from typing import Any, Final

from parlour.bots.thought import FORCED, WIN, Budget, Clock, Thought, settled
from parlour.games.api import Game, Move, Seat
from parlour.games.insight import Insight

# What a table says about the score of a position.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2

DEEPEST: Final = 60
# Forcing lines are followed for so many plies beyond the depth of the search.
QUIET = 8
# From this move on, moves are searched less deeply first.
LATE = 4
# The clock is read once in so many nodes.
GLANCE = 128
# A table that has grown to this many positions is begun anew: some 60 MB.
LARGEST_TABLE = 150_000

Entry = tuple[int, int, int, Move | None]  # depth, bound, score seen from the position, best move


class OutOfBudget(Exception):
    """The budget is used up in the middle of a search."""


class Tables:
    """What a search learnt and another one in the same game can use."""

    def __init__(self) -> None:
        self.positions: dict[Any, Entry] = {}
        self.history: defaultdict[Move, int] = defaultdict(int)

    def rest(self) -> None:
        """Between two searches: forget what is too much, and trust old habits less."""
        if len(self.positions) > LARGEST_TABLE:
            self.positions.clear()
            self.history.clear()
        for move in self.history:
            self.history[move] //= 8


class Search:
    """One search of one position."""

    def __init__(
        self,
        game: Game[Any],
        insight: Insight[Any],
        budget: Budget,
        tables: Tables,
        past: Collection[Any] = (),
        now: Clock = monotonic,
    ) -> None:
        self.game = game
        self.apply = game.apply
        self.outcome = game.outcome
        self.to_move = game.to_move
        self.insight = insight
        self.positions = tables.positions
        self.history = tables.history
        self.killers: list[tuple[Move | None, Move | None]] = [(None, None)] * (DEEPEST + QUIET + 2)
        self.path: set[Any] | None = set(past) if game.info.repetition is not None else None
        self.nodes = 0
        self.limit = budget.nodes
        self.now = now
        self.deadline = None if budget.seconds is None else now() + budget.seconds
        self.pause = self._next_pause()
        self.free = True  # the first look at every move is not cut short
        self.horizon = 0  # in plies from the root: forcing lines end there
        self.best_score = 0  # of the moves that were tried at the present depth, or of those of the depth before
        self.tried = 0

    def think(self, state: Any, moves: Sequence[Move], deepest: int, bias: Mapping[Move, int]) -> Thought:
        """The best of `moves`; `bias` is added to how the moves are judged, unless the result is forced."""
        moves = list(moves)
        best, score, done = moves[0], 0, 0
        try:
            for depth in range(1, deepest + 1):
                self.horizon = 1 if depth == 1 else min(depth + QUIET, deepest)
                score = self._root(state, moves, depth, bias)
                best, done = moves[0], depth
                self.free = False
                if abs(score) >= FORCED or self.nodes >= self.limit:
                    break
        except OutOfBudget:
            if self.best_score > -FORCED:
                best, score = moves[0], self.best_score
            else:  # the best so far has turned out to lose: whatever was not yet looked at so deeply is better
                best = moves[self.tried]
        return Thought(best, score, self._line(state, best), self.nodes, done)

    def _root(self, state: Any, moves: list[Move], depth: int, bias: Mapping[Move, int]) -> int:
        """Searches every move and leaves the best one at the head of the list, also when the budget ends it."""
        seat = self.game.to_move(state)
        assert seat is not None
        best = -WIN
        if self.path is not None:
            self.path.add(state)
        for index, move in enumerate(moves):
            self.tried = index
            child = self.game.apply(state, move)
            extra = bias.get(move, 0)
            floor = best if abs(best) >= FORCED else max(-WIN, best - extra)
            if index == 0:
                score = self._after(child, seat, depth - 1, -WIN, WIN, 1)
            else:
                score = self._after(child, seat, depth - 1, floor, floor + 1, 1)
                if score > floor:
                    score = self._after(child, seat, depth - 1, floor, WIN, 1)
            if abs(score) < FORCED:
                score += extra
            if score > best or index == 0:
                best = score
                self.best_score = best
                moves.insert(0, moves.pop(index))
            if best >= FORCED and self.free is False:
                break
        return best

    def _after(self, child: Any, seat: Seat, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score for `seat`, which has just moved, of the position it moved to."""
        ended = self.outcome(child)
        if ended is not None:
            self.nodes += 1
            return settled(ended, seat, ply)
        if self.path is not None and child in self.path:
            return 0
        if self.to_move(child) == seat:
            return self._search(child, depth, alpha, beta, ply)
        return -self._search(child, depth, -beta, -alpha, ply)

    def _search(self, state: Any, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score of a position that is not over, for its seat to move; exact between alpha and beta."""
        self.nodes += 1
        if self.nodes >= self.pause:
            self._spend()
        if self.insight.win(state) is not None:
            return WIN - ply - 1
        if depth <= 0:
            if ply >= self.horizon or not self.insight.danger(state):
                return self._quiet(state, alpha, beta, ply)
            depth = 1
        known: Move | None = None
        entry = self.positions.get(state)
        if entry is not None:
            searched, bound, score, known = entry
            if searched >= depth:
                if score >= FORCED:
                    score -= ply
                elif score <= -FORCED:
                    score += ply
                if bound == EXACT or (score >= beta if bound == AT_LEAST else score <= alpha):
                    return score
        path = self.path
        if path is not None:
            path.add(state)
        apply, after = self.apply, self._after
        seat = self.to_move(state)
        assert seat is not None
        best, best_move = -WIN, None
        floor = alpha
        for index, move in enumerate(self._ordered(state, known, ply)):
            child = apply(state, move)
            if index == 0:
                score = after(child, seat, depth - 1, floor, beta, ply + 1)
            else:
                less = depth - 2 if index >= LATE and depth >= 3 else depth - 1
                score = after(child, seat, less, floor, floor + 1, ply + 1)
                if score > floor and (less < depth - 1 or score < beta):
                    score = after(child, seat, depth - 1, floor, beta, ply + 1)
            if score > best:
                best, best_move = score, move
                if score > floor:
                    floor = score
                    if score >= beta:
                        self._remember(move, depth, ply)
                        break
        if path is not None:
            path.discard(state)
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        kept = best if abs(best) < FORCED else best + ply if best > 0 else best - ply
        self.positions[state] = (depth, bound, kept, best_move)
        return best

    def _quiet(self, state: Any, alpha: int, beta: int, ply: int) -> int:
        """The score of a position at rest: its value, unless a forcing move is better."""
        best = self.insight.value(state)
        if best >= beta or ply >= self.horizon:
            return best
        forcing = self.insight.forcing(state)
        if forcing:
            seat = self.to_move(state)
            assert seat is not None
            floor = max(alpha, best)
            for move in forcing:
                score = self._after(self.apply(state, move), seat, 0, floor, beta, ply + 1)
                if score > best:
                    best = score
                    floor = max(floor, best)
                    if best >= beta:
                        break
        return best

    def _ordered(self, state: Any, known: Move | None, ply: int) -> list[Move]:
        """All moves: the one that was best before, those that refuted a neighbour, then by what worked elsewhere."""
        candidates = self.insight.candidates(state)
        if candidates is None:
            candidates = self.insight.order(state, self.game.moves(state))
        moves = sorted(candidates, key=self.history.__getitem__, reverse=True)
        first, second = self.killers[ply]
        for move in (second, first, known):
            if move is not None and move in moves:
                moves.remove(move)
                moves.insert(0, move)
        return moves

    def _remember(self, move: Move, depth: int, ply: int) -> None:
        """A move that was too good for the other side to let it happen."""
        self.history[move] += depth * depth
        first, _ = self.killers[ply]
        if move != first:
            self.killers[ply] = (move, first)

    def _spend(self) -> None:
        if not self.free and (self.nodes >= self.limit or (self.deadline is not None and self.now() >= self.deadline)):
            raise OutOfBudget
        self.pause = self._next_pause()

    def _next_pause(self) -> int:
        """At which node to look at the budget again."""
        ahead = self.nodes + GLANCE
        return ahead if self.nodes >= self.limit else min(ahead, self.limit)

    def _line(self, state: Any, move: Move) -> tuple[Move, ...]:
        """What the table expects to be played."""
        line = [move]
        state = self.game.apply(state, move)
        while len(line) < DEEPEST and self.game.to_move(state) is not None:
            following = self.positions.get(state, (0, 0, 0, None))[3] or self.insight.win(state)
            if following is None:
                break
            line.append(following)
            state = self.game.apply(state, following)
        return tuple(line)


def search(
    game: Game[Any],
    state: Any,
    budget: Budget,
    *,
    rng: Random,
    deepest: int = DEEPEST,
    error: float = 0,
    tables: Tables | None = None,
    past: Collection[Any] = (),
    now: Clock = monotonic,
) -> Thought:
    """The best move of a position that is not over, in a game that has an insight.

    Every move is looked at once, whatever the budget, and no line is followed for more than `deepest` plies. Moves are
    misjudged by `error`, more or less, unless their result is forced; `rng` says how, and decides between equals.
    `past` are positions that came before: to come back to one is a draw.
    """
    insight = game.insight
    assert insight is not None
    winning = insight.win(state)
    if winning is not None:
        return Thought(winning, WIN - 1, (winning,), 1, 1)
    moves = list(game.moves(state))
    rng.shuffle(moves)
    bias = {move: round(rng.gauss(0, error)) for move in moves} if error else {}
    candidates = insight.candidates(state)
    if candidates is None:
        candidates = insight.order(state, moves)
    tables = tables or Tables()
    tables.rest()
    began = now()
    thought = Search(game, insight, budget, tables, past, now).think(state, candidates, deepest, bias)
    if thought.score > -FORCED or len(candidates) == len(moves):
        return thought
    # What seemed worth a search loses. Perhaps something else does not.
    others = [move for move in moves if move not in candidates]
    seconds = None if budget.seconds is None else max(0.0, budget.seconds - (now() - began))
    left = Budget(max(1, budget.nodes - thought.nodes), seconds)
    rest = Search(game, insight, left, tables, past, now).think(state, others, deepest, bias)
    return max(thought, rest, key=lambda found: found.score)
