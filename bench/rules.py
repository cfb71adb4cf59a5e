"""How much faster the rule engines are than the naive references: `python -m bench.rules`, from the root.

Both sides do the same work in the same process and take turns, measured in CPU time. Only the ratio within a round is
reliable, because a machine whose speed changes affects both sides.
"""

from __future__ import annotations

import argparse
import gzip
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

from bench.naive import REFERENCES, Reference
from parlour import games
from parlour.games.api import Game
from parlour.games.perft import perft

GOLDEN = Path(__file__).parent.parent / "tests" / "games" / "golden"

# The measure that has a target, and how many times faster than the reference it must be.
MOVES = "moves"
TARGETS = {"isaac": 10, "mapello": 20, "mitsudomoe": 10, "replica": 20}

# The deepest perft that keeps the naive side within a few seconds.
PERFT_DEPTH = {"isaac": 2, "mapello": 6, "mitsudomoe": 3, "replica": 3}

# Random games of Mitsudomoe may never end; all others do.
LONGEST_PLAYOUT = {"mitsudomoe": 120}

Work = Callable[[], int]  # does a fixed amount of work and returns its number of units
Rounds = list[tuple[float, float]]  # the rates of both sides, fast first
Script = list[list[Any]]  # the moves of several games, as one of the sides represents them


class Effort(Struct, frozen=True):
    """How long to measure."""

    rounds: int
    seconds: float  # of CPU time for which a side repeats its work
    positions: int
    games: int  # in each round


FULL = Effort(rounds=5, seconds=0.4, positions=200, games=20)
QUICK = Effort(rounds=3, seconds=0.05, positions=30, games=3)


class Result(Struct, frozen=True):
    """One line of the table. Rates are per second of CPU time, medians over the rounds."""

    game: str
    measure: str
    unit: str
    fast: float
    naive: float
    ratio: float  # the median of the ratios within each round
    ratio_low: float
    ratio_high: float
    rounds: Rounds


class Target(Struct, frozen=True):
    """The target for a game's move generation, and whether it is met."""

    game: str
    wanted: int
    measured: float
    met: bool


class Report(Struct, frozen=True):
    """All results of a run, and where it ran."""

    python: str
    system: str
    machine: str
    cores: int
    effort: Effort
    results: list[Result]
    targets: list[Target]


class DisagreementError(Exception):
    """The two sides do not play the same game, so they cannot be compared."""


# -- the work


def generation(game: Game[Any], reference: Reference, key: str, effort: Effort) -> tuple[Work, Work]:
    """List all legal moves of positions spread over the golden games."""
    with gzip.open(GOLDEN / f"{key}.jsonl.gz", "rt", encoding="utf-8") as file:
        golden = [msgspec.json.decode(line) for line in file]
    sample = golden[:: len(golden) // effort.positions]
    states = [game.parse(line["position"], game.options(line.get("options", {}))) for line in sample]
    positions = [reference.parse(line["position"], **line.get("options", {})) for line in sample]

    def fast() -> int:
        for state in states:
            game.moves(state)
        return len(states)

    def naive() -> int:
        for position in positions:
            reference.turns(position)
        return len(positions)

    return fast, naive


def tree(game: Game[Any], reference: Reference, depth: int) -> tuple[Work, Work]:
    """Run perft from the initial position. Neither side makes the last moves."""
    state = game.initial(game.options({}))
    position = reference.parse(game.print(state))

    def naive_perft(position: Any, depth: int) -> int:
        if depth == 1:
            return len(reference.turns(position))
        children = (reference.make(position, turn) for turn in reference.turns(position))
        return sum(naive_perft(child, depth - 1) for child in children)

    return lambda: perft(game, state, depth), lambda: naive_perft(position, depth)


def playouts(game: Game[Any], reference: Reference, scripts: tuple[Script, Script]) -> tuple[Work, Work]:
    """Play whole games: list the moves, then make the one in the script."""
    state = game.initial(game.options({}))
    position = reference.parse(game.print(state))
    plies = sum(map(len, scripts[0]))

    def fast() -> int:
        for script in scripts[0]:
            at = state
            for move in script:
                game.moves(at)
                at = game.apply(at, move)
        return plies

    def naive() -> int:
        for script in scripts[1]:
            at = position
            for turn in script:
                reference.turns(at)
                at = reference.make(at, turn)
        return plies

    return fast, naive


def scripted(game: Game[Any], reference: Reference, seeds: range) -> tuple[Script, Script]:
    """Return the same random games for both sides.

    The naive side chooses the moves. If the fast side listed them, it would have cached the games.
    """
    scripts: tuple[Script, Script] = [], []
    for seed in seeds:
        rng = Random(seed)
        state = game.initial(game.options({}))
        position = reference.parse(game.print(state))
        moves: list[Any] = []
        turns: list[Any] = []
        while reference.winner(position) is None and len(turns) < LONGEST_PLAYOUT.get(game.info.key, 10_000):
            turn = rng.choice(reference.turns(position))
            move = game.canonical(game.scan(state, reference.write(turn)))
            position, state = reference.make(position, turn), game.apply(state, move)
            moves.append(move)
            turns.append(turn)
        if game.print(state) != reference.print(position):
            raise DisagreementError(f"{game.info.key}: the two sides disagree on the game with seed {seed}")
        scripts[0].append(moves)
        scripts[1].append(turns)
    return scripts


# -- the clock


def rate(work: Work, seconds: float = 0) -> float:
    """Repeat the work for a number of CPU seconds, or once, and return its units per CPU second."""
    units = 0
    start = time.process_time()
    while True:
        units += work()
        elapsed = time.process_time() - start
        if elapsed >= seconds:
            return units / elapsed


def compete(works: tuple[Work, Work], effort: Effort) -> Rounds:
    """Measure both sides in turn, after a first call that is not measured."""
    fast, naive = works
    if fast() != naive():
        raise DisagreementError("the two sides count different units")
    return [(rate(fast, effort.seconds), rate(naive, effort.seconds)) for _ in range(effort.rounds)]


def result(game: str, measure: str, unit: str, rounds: Rounds) -> Result:
    """Summarise the rounds in one line."""
    ratios = [fast / naive for fast, naive in rounds]
    return Result(
        game=game,
        measure=measure,
        unit=unit,
        fast=median(fast for fast, _ in rounds),
        naive=median(naive for _, naive in rounds),
        ratio=median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
        rounds=rounds,
    )


def measure(key: str, effort: Effort) -> Iterator[Result]:
    """Measure one game, and yield its lines."""
    game, reference = games.find(key), REFERENCES[key]

    progress(key, "move generation")
    works = generation(game, reference, key, effort)
    yield result(key, "moves, first call", "calls/s", [(rate(works[0]), rate(works[1]))])
    yield result(key, MOVES, "calls/s", compete(works, effort))

    depth = PERFT_DEPTH[key]
    progress(key, f"perft {depth}")
    yield result(key, f"perft {depth}", "leaves/s", compete(tree(game, reference, depth), effort))

    progress(key, "playouts")
    by_moves: Rounds = []
    by_games: Rounds = []
    for first in range(0, effort.rounds * effort.games, effort.games):
        scripts = scripted(game, reference, range(first, first + effort.games))
        fast, naive = (rate(work) for work in playouts(game, reference, scripts))
        length = sum(map(len, scripts[0])) / effort.games
        by_moves.append((fast, naive))
        by_games.append((fast / length, naive / length))
    yield result(key, "playouts", "moves/s", by_moves)
    yield result(key, "playouts", "games/s", by_games)


# -- the report


def progress(key: str, what: str) -> None:
    print(f"{key}: {what} ...", file=sys.stderr, flush=True)


def table(results: list[Result]) -> str:
    """Return a Markdown table whose columns are also aligned as plain text."""
    lines = [
        "| game       | measure           | unit     |        fast |   naive |  ratio | (min–max)     |",
        "|:-----------|:------------------|:---------|------------:|--------:|-------:|:--------------|",
    ]
    for line in results:
        spread = f"({line.ratio_low:.1f}–{line.ratio_high:.1f})" if len(line.rounds) > 1 else ""
        lines.append(
            f"| {line.game:<10} | {line.measure:<17} | {line.unit:<8} | {number(line.fast):>11} |"
            f" {number(line.naive):>7} | {line.ratio:>5.1f}x | {spread:<13} |"
        )
    return "\n".join(lines)


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def judge(results: list[Result]) -> list[Target]:
    """Return the verdicts on the targets of the measured games."""
    return [
        Target(line.game, TARGETS[line.game], line.ratio, line.ratio >= TARGETS[line.game])
        for line in results
        if line.measure == MOVES and line.game in TARGETS
    ]


def main() -> None:
    known = sorted(REFERENCES.keys() & set(games.keys()))
    parser = argparse.ArgumentParser(prog="python -m bench.rules", description="Measure the rule engines.")
    parser.add_argument("--quick", action="store_true", help="take a few seconds instead of a minute or two")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to FILE")
    parser.add_argument("--game", choices=known, metavar="KEY", help=f"measure only this game: {', '.join(known)}")
    arguments = parser.parse_args()
    effort = QUICK if arguments.quick else FULL

    try:
        results = [line for key in known if arguments.game in (None, key) for line in measure(key, effort)]
    except DisagreementError as disagreement:
        sys.exit(str(disagreement))
    targets = judge(results)

    print(table(results))
    print("\nTargets for move generation, as multiples of the naive reference's speed:")
    for target in targets:
        verdict = "met" if target.met else "MISSED"
        print(f"  {target.game:<10}  at least {target.wanted}x, measured {target.measured:.1f}x: {verdict}")

    if arguments.json is not None:
        report = Report(
            python=f"{platform.python_implementation()} {platform.python_version()}",
            system=platform.platform(),
            machine=platform.machine(),
            cores=os.cpu_count() or 1,
            effort=effort,
            results=results,
            targets=targets,
        )
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")


if __name__ == "__main__":
    main()
