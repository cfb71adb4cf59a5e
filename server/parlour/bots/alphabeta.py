"""Alpha-beta search: as deep as the budget allows, the most promising moves first.

Iterative deepening with a transposition table, principal variation search, late move reductions, killer moves and a
history heuristic. Knowledge of a game comes from its `Insight`. The same arguments give the same result, unless the
clock ends the search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from random import Random
from time import monotonic
from typing import Any, Final

from parlour.bots.search import FORCED, WIN, Budget, Clock, SearchResult, settled
from parlour.games.api import Game, Move, Seat
from parlour.games.insight import Insight

# How the score of a table entry bounds the score of its position.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2

DEEPEST: Final = 60
# Forcing lines are followed for this many plies beyond the depth of the search.
QUIET = 8
# From this move on, moves are first searched to a reduced depth.
LATE = 4
# The clock is read once in this many nodes.
CLOCK_INTERVAL = 128
# A table larger than this is cleared between searches: some 60 MB.
LARGEST_TABLE = 150_000

Entry = tuple[int, int, int, Move | None]  # depth, bound, score seen from the position, best move


class OutOfBudget(Exception):
    """The budget ran out in the middle of a search."""


class Tables:
    """Knowledge from a search for later searches of the same game."""

    def __init__(self) -> None:
        self.positions: dict[Any, Entry] = {}
        self.history: defaultdict[Move, int] = defaultdict(int)

    def rest(self) -> None:
        """Prepare for the next search: clear a large table, and give old history less weight."""
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
        self.free = True  # the search to depth 1 is not limited, so that every move is tried
        self.horizon = 0  # in plies from the root: forcing lines end there
        self.best_score = 0  # of the moves tried at this depth, or at the depth before if none was tried yet
        self.tried = 0

    def think(self, state: Any, moves: Sequence[Move], deepest: int, bias: Mapping[Move, int]) -> SearchResult:
        """Return the best of `moves`; `bias` is added to the scores of moves whose result is not forced."""
        moves = list(moves)
        best, score, done = moves[0], 0, 0
        try:
            for depth in range(1, deepest + 1):
                self.horizon = 1 if depth == 1 else min(depth + QUIET, deepest)
                score = self._search_root(state, moves, depth, bias)
                best, done = moves[0], depth
                self.free = False
                if abs(score) >= FORCED or self.nodes >= self.limit:
                    break
        except OutOfBudget:
            if self.best_score > -FORCED:
                best, score = moves[0], self.best_score
            else:  # the best move so far has turned out to lose, so one not yet searched to this depth is better
                best = moves[self.tried]
        return SearchResult(best, score, self._expected_line(state, best), self.nodes, done)

    def _search_root(self, state: Any, moves: list[Move], depth: int, bias: Mapping[Move, int]) -> int:
        """Search every move and leave the best one at the head of the list, even if the budget runs out."""
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
                score = self._score_after(child, seat, depth - 1, -WIN, WIN, 1)
            else:
                score = self._score_after(child, seat, depth - 1, floor, floor + 1, 1)
                if score > floor:
                    score = self._score_after(child, seat, depth - 1, floor, WIN, 1)
            if abs(score) < FORCED:
                score += extra
            if score > best or index == 0:
                best = score
                self.best_score = best
                moves.insert(0, moves.pop(index))
            if best >= FORCED and self.free is False:
                break
        return best

    def _score_after(self, child: Any, seat: Seat, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the score of a position for `seat`, which has just moved there."""
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
        """Return the score of a position for its seat to move; it is exact if between alpha and beta.

        The game is not over in that position.
        """
        self.nodes += 1
        if self.nodes >= self.pause:
            self._check_budget()
        if self.insight.win(state) is not None:
            return WIN - ply - 1
        if depth <= 0:
            if ply >= self.horizon or not self.insight.danger(state):
                return self._search_forcing(state, alpha, beta, ply)
            depth = 1
        known: Move | None = None
        entry = self.positions.get(state)
        if entry is not None:
            score = _usable_score(entry, depth, alpha, beta, ply)
            if score is not None:
                return score
            known = entry[3]
        best, best_move = self._search_moves(state, known, depth, alpha, beta, ply)
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        self.positions[state] = (depth, bound, _stored(best, ply), best_move)
        return best

    def _search_moves(
        self, state: Any, known: Move | None, depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, Move | None]:
        """Search the moves of a position until one is too good for the other side; return the best score and move."""
        apply, score_after = self.apply, self._score_after
        seat = self.to_move(state)
        assert seat is not None
        if self.path is not None:
            self.path.add(state)
        best, best_move = -WIN, None
        floor = alpha
        for index, move in enumerate(self._ordered(state, known, ply)):
            child = apply(state, move)
            if index == 0:
                score = score_after(child, seat, depth - 1, floor, beta, ply + 1)
            else:
                # A later move is expected to be worse: a search that only asks whether it is better costs less.
                reduced = depth - 2 if index >= LATE and depth >= 3 else depth - 1
                score = score_after(child, seat, reduced, floor, floor + 1, ply + 1)
                if score > floor and (reduced < depth - 1 or score < beta):
                    score = score_after(child, seat, depth - 1, floor, beta, ply + 1)
            if score > best:
                best, best_move = score, move
                if score >= beta:
                    self._remember(move, depth, ply)
                    break
                floor = max(floor, score)
        if self.path is not None:
            self.path.discard(state)
        return best, best_move

    def _search_forcing(self, state: Any, alpha: int, beta: int, ply: int) -> int:
        """Return the value of a position, or the score of a forcing move if that is better."""
        best = self.insight.value(state)
        if best >= beta or ply >= self.horizon:
            return best
        forcing = self.insight.forcing(state)
        if forcing:
            seat = self.to_move(state)
            assert seat is not None
            floor = max(alpha, best)
            for move in forcing:
                score = self._score_after(self.apply(state, move), seat, 0, floor, beta, ply + 1)
                if score > best:
                    best = score
                    floor = max(floor, best)
                    if best >= beta:
                        break
        return best

    def _ordered(self, state: Any, known: Move | None, ply: int) -> list[Move]:
        """Return the moves: the known best first, then the killers of this ply, then by history."""
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
        """Record a move that caused a cutoff, for the order of moves elsewhere."""
        self.history[move] += depth * depth
        first, _ = self.killers[ply]
        if move != first:
            self.killers[ply] = (move, first)

    def _check_budget(self) -> None:
        """Raise OutOfBudget if nodes or time are used up."""
        if not self.free and (self.nodes >= self.limit or (self.deadline is not None and self.now() >= self.deadline)):
            raise OutOfBudget
        self.pause = self._next_pause()

    def _next_pause(self) -> int:
        """Return the number of nodes at which to check the budget again."""
        ahead = self.nodes + CLOCK_INTERVAL
        return ahead if self.nodes >= self.limit else min(ahead, self.limit)

    def _expected_line(self, state: Any, move: Move) -> tuple[Move, ...]:
        """Return the moves that the table expects to be played."""
        line = [move]
        state = self.game.apply(state, move)
        while len(line) < DEEPEST and self.game.to_move(state) is not None:
            following = self.positions.get(state, (0, 0, 0, None))[3] or self.insight.win(state)
            if following is None:
                break
            line.append(following)
            state = self.game.apply(state, following)
        return tuple(line)


# A forced result is stored by its distance from the position, and read by its distance from the root.


def _stored(score: int, ply: int) -> int:
    """Return a score as the table keeps it, for a position that is `ply` plies from the root."""
    if abs(score) < FORCED:
        return score
    return score + ply if score > 0 else score - ply


def _usable_score(entry: Entry, depth: int, alpha: int, beta: int, ply: int) -> int | None:
    """Return the score of a table entry if it settles a search of that depth and window."""
    searched, bound, score, _ = entry
    if searched < depth:
        return None
    if score >= FORCED:
        score -= ply
    elif score <= -FORCED:
        score += ply
    if bound == EXACT or (score >= beta if bound == AT_LEAST else score <= alpha):
        return score
    return None


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
) -> SearchResult:
    """Return the best move of a position that is not over, in a game that has an insight.

    Every move is tried once, whatever the budget, and no line is followed for more than `deepest` plies. Unless their
    result is forced, moves are misjudged by a random error with the standard deviation `error`; `rng` draws it and
    decides ties. Returning to one of the earlier positions `past` is a draw.
    """
    insight = game.insight
    assert insight is not None
    winning = insight.win(state)
    if winning is not None:
        return SearchResult(winning, WIN - 1, (winning,), 1, 1)
    moves = list(game.moves(state))
    rng.shuffle(moves)
    bias = {move: round(rng.gauss(0, error)) for move in moves} if error else {}
    candidates = insight.candidates(state)
    if candidates is None:
        candidates = insight.order(state, moves)
    tables = tables or Tables()
    tables.rest()
    began = now()
    found = Search(game, insight, budget, tables, past, now).think(state, candidates, deepest, bias)
    if found.score > -FORCED or len(candidates) == len(moves):
        return found
    # All candidates lose. Perhaps another move does not.
    others = [move for move in moves if move not in candidates]
    seconds = None if budget.seconds is None else max(0.0, budget.seconds - (now() - began))
    left = Budget(max(1, budget.nodes - found.nodes), seconds)
    rest = Search(game, insight, left, tables, past, now).think(state, others, deepest, bias)
    return max(found, rest, key=lambda result: result.score)
