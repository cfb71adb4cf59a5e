"""The speed of the bots' search: `python -m bench.bots`, from the root.

Each game's search runs on the same positions as a plain negamax, which has the same rules and the same evaluation, but
no transposition table, no move ordering and no quiescence search. The ratio of nodes per second is what these cost per
node; it is taken within each round, because a machine whose speed changes affects both sides. What they gain is depth:
the plies that each side completes with the same number of nodes, without the search's extensions beyond them.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

from parlour import games
from parlour.bots import alphabeta
from parlour.bots.search import WIN, Budget, settled
from parlour.games.api import Game
from parlour.games.perft import random_move

POSITIONS = 8
ROUNDS = 5


class Result(Struct, frozen=True):
    """One game. Rates are nodes per second of CPU time, medians over the rounds."""

    game: str
    search: float
    negamax: float
    ratio: float  # the median of the ratios within each round
    ratio_low: float
    ratio_high: float
    depth: float  # plies that the search completes, on average
    negamax_depth: float  # plies that negamax completes with as many nodes
    seconds: float  # that the expert level takes per move


class Negamax:
    """A textbook negamax search with alpha-beta pruning."""

    def __init__(self, game: Game[Any], nodes: int) -> None:
        assert game.insight is not None
        self.game = game
        self.evaluate = game.insight.value
        self.left = nodes

    def value(self, state: Any, depth: int, alpha: int, beta: int) -> int:
        seat = self.game.to_move(state)
        best = -WIN
        for move in self.game.moves(state):
            self.left -= 1
            if self.left < 0:
                raise alphabeta.OutOfBudget
            after = self.game.apply(state, move)
            ended = self.game.outcome(after)
            if ended is not None and seat is not None:
                score = settled(ended, seat, 1)
            elif self.game.to_move(after) == seat:
                score = self.evaluate(after) if depth == 1 else self.value(after, depth - 1, alpha, beta)
            else:
                score = -self.evaluate(after) if depth == 1 else -self.value(after, depth - 1, -beta, -alpha)
            best = max(best, score)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def deepen(self, state: Any) -> int:
        """Return how many plies the budget of nodes is enough for."""
        depth = 0
        try:
            while depth < alphabeta.DEEPEST:
                self.value(state, depth + 1, -WIN, WIN)
                depth += 1
        except alphabeta.OutOfBudget:
            pass
        return depth


def positions(game: Game[Any]) -> list[Any]:
    """Return positions from the middle of random games, without an immediate win."""
    assert game.insight is not None
    found: list[Any] = []
    seed = 0
    while len(found) < POSITIONS:
        rng, state = Random(seed), game.initial(game.options({}))
        for _ in range(6 + seed % 12):
            if game.to_move(state) is not None:
                state = game.apply(state, random_move(game, state, rng))
        if game.to_move(state) is not None and game.insight.win(state) is None:
            found.append(state)
        seed += 1
    return found


def measure(game: Game[Any], share: float) -> Result:
    """Measure both sides in turn; each position gets `share` of the expert level's nodes."""
    assert game.insight is not None
    nodes = max(1, round(game.insight.nodes * share))
    states = positions(game)
    rates: list[tuple[float, float]] = []
    depths: list[int] = []
    negamax_depths: list[int] = []
    for _ in range(ROUNDS):
        start, searched = time.process_time(), 0
        for state in states:
            thought = alphabeta.search(game, state, Budget(nodes), rng=Random(0))
            searched += thought.nodes
            depths.append(thought.depth)
        middle, negamax_nodes = time.process_time(), 0
        for state in states:
            negamax = Negamax(game, nodes)
            negamax_depths.append(negamax.deepen(state))
            negamax_nodes += nodes - max(negamax.left, 0)
        end = time.process_time()
        rates.append((searched / (middle - start), negamax_nodes / (end - middle)))
    ratios = [fast / slow for fast, slow in rates]
    search = median(rate for rate, _ in rates)
    return Result(
        game=game.info.key,
        search=search,
        negamax=median(rate for _, rate in rates),
        ratio=median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
        depth=sum(depths) / len(depths),
        negamax_depth=sum(negamax_depths) / len(negamax_depths),
        seconds=game.insight.nodes / search,
    )


def table(results: list[Result]) -> str:
    """Return a Markdown table whose columns are also aligned as plain text."""
    lines = [
        "| game       | nodes/s | negamax |  ratio | (min–max)   | plies | negamax | expert, s/move |",
        "|:-----------|--------:|--------:|-------:|:------------|------:|--------:|---------------:|",
    ]
    for line in results:
        spread = f"({line.ratio_low:.2f}–{line.ratio_high:.2f})"
        lines.append(
            f"| {line.game:<10} | {line.search:>7,.0f} | {line.negamax:>7,.0f} | {line.ratio:>5.2f}x | {spread:<11} |"
            f" {line.depth:>5.1f} | {line.negamax_depth:>7.1f} | {line.seconds:>14.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    known = [key for key in games.keys() if games.find(key).insight is not None]
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description="Measure the bots' search.")
    parser.add_argument("--quick", action="store_true", help="search a tenth of the nodes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to FILE")
    parser.add_argument("--game", choices=known, metavar="KEY", help=f"measure only this game: {', '.join(known)}")
    arguments = parser.parse_args()

    results = []
    for key in known:
        if arguments.game in (None, key):
            print(f"{key} ...", file=sys.stderr, flush=True)
            results.append(measure(games.find(key), 0.02 if arguments.quick else 0.2))
    print(table(results))
    if arguments.json is not None:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")


if __name__ == "__main__":
    main()
