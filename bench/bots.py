"""How fast the bots search: `python -m bench.bots`, from the root.

Each game's search runs on the same positions as a plain negamax, which has no table, no order and no quiescence but the
same rules and the same judgement. Both count a position when they come to it, so the ratio is what all that cleverness
costs per position; it is taken within each round, because a machine that changes its speed changes it for both. What it
buys are the plies: how far each side gets with the same number of nodes, not counting the forcing lines that the search
follows beyond.
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
from parlour.bots.thought import WIN, Budget, settled
from parlour.games.api import Game
from parlour.games.perft import random_move

POSITIONS = 8
ROUNDS = 5


class Result(Struct, frozen=True):
    """One game. Rates are nodes per second of CPU time, medians over the rounds."""

    game: str
    search: float
    negamax: float
    ratio: float  # the median of the rounds' own ratios
    ratio_low: float
    ratio_high: float
    depth: float  # plies that the expert's search completes, on average
    plain_depth: float  # plies that negamax completes with as many nodes
    seconds: float  # that the expert takes for a move


class Plain:
    """Negamax as in a textbook."""

    def __init__(self, game: Game[Any], nodes: int) -> None:
        assert game.insight is not None
        self.game = game
        self.value = game.insight.value
        self.left = nodes

    def worth(self, state: Any, depth: int, alpha: int, beta: int) -> int:
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
                score = self.value(after) if depth == 1 else self.worth(after, depth - 1, alpha, beta)
            else:
                score = -self.value(after) if depth == 1 else -self.worth(after, depth - 1, -beta, -alpha)
            best = max(best, score)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def deepen(self, state: Any) -> int:
        """How many plies the nodes are enough for."""
        depth = 0
        try:
            while depth < alphabeta.DEEPEST:
                self.worth(state, depth + 1, -WIN, WIN)
                depth += 1
        except alphabeta.OutOfBudget:
            pass
        return depth


def positions(game: Game[Any]) -> list[Any]:
    """From the middle of random games, with nothing to win at once."""
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
    """Both sides in turn, round by round; `share` of the expert's nodes are searched from each position."""
    assert game.insight is not None
    nodes = max(1, round(game.insight.nodes * share))
    states = positions(game)
    rates: list[tuple[float, float]] = []
    depths: list[int] = []
    plain_depths: list[int] = []
    for _ in range(ROUNDS):
        start, searched = time.process_time(), 0
        for state in states:
            thought = alphabeta.search(game, state, Budget(nodes), rng=Random(0))
            searched += thought.nodes
            depths.append(thought.depth)
        middle, plainly = time.process_time(), 0
        for state in states:
            plain = Plain(game, nodes)
            plain_depths.append(plain.deepen(state))
            plainly += nodes - max(plain.left, 0)
        end = time.process_time()
        rates.append((searched / (middle - start), plainly / (end - middle)))
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
        plain_depth=sum(plain_depths) / len(plain_depths),
        seconds=game.insight.nodes / search,
    )


def table(results: list[Result]) -> str:
    """The results as text that lines up, and as a Markdown table."""
    lines = [
        "| game       | nodes/s | negamax |  ratio | (min–max)   | plies | negamax | expert, s/move |",
        "|:-----------|--------:|--------:|-------:|:------------|------:|--------:|---------------:|",
    ]
    for line in results:
        spread = f"({line.ratio_low:.2f}–{line.ratio_high:.2f})"
        lines.append(
            f"| {line.game:<10} | {line.search:>7,.0f} | {line.negamax:>7,.0f} | {line.ratio:>5.2f}x | {spread:<11} |"
            f" {line.depth:>5.1f} | {line.plain_depth:>7.1f} | {line.seconds:>14.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    known = [key for key in games.keys() if games.find(key).insight is not None]
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description="Measure the search of the bots.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the nodes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every number to FILE")
    parser.add_argument("--game", choices=known, metavar="KEY", help=f"only this game: {', '.join(known)}")
    given = parser.parse_args()

    results = []
    for key in known:
        if given.game in (None, key):
            print(f"{key} ...", file=sys.stderr, flush=True)
            results.append(measure(games.find(key), 0.02 if given.quick else 0.2))
    print(table(results))
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")


if __name__ == "__main__":
    main()
