"""How much faster the rule engines are than the naive references: `python -m bench.rules`, from the root.

Both sides do the same work in the same process, round by round in turn, on CPU time. What counts is the ratio
within a round: a machine that changes its speed changes it for both.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from msgspec import Struct, json as msgspec_json

from bench.naive import REFERENCES, Reference
from parlour import games
from parlour.games.api import Game
from parlour.games.perft import perft

GOLDEN = Path(__file__).parent.parent / "tests" / "games" / "golden"

# How many times faster than the reference `moves` has to be.
TARGETS = {"isaac": 10, "mapello": 20, "mitsudomoe": 10, "replica": 20}

# The deepest perft that keeps the naive side within a few seconds.
PERFT_DEPTH = {"isaac": 2, "mapello": 6, "mitsudomoe": 3, "replica": 3}

# Random Mitsudomoe knows no end of its own; every other game here is over long before.
LONGEST_PLAYOUT = 120

Work = Callable[[], int]  # does a fixed piece of work and says how many units that was
Script = list[list[int]]  # games as indices into the list of moves at each ply


class Effort(Struct, frozen=True):
    """How long to measure."""

    rounds: int
    seconds: float  # a side repeats its work until this much CPU time has passed
    positions: int
    playouts: int


FULL = Effort(rounds=5, seconds=0.5, positions=200, playouts=4)
QUICK = Effort(rounds=3, seconds=0.05, positions=30, playouts=1)


class Result(Struct, frozen=True):
    """One line of the table. Rates are per second of CPU time, medians over the rounds."""

    game: str
    measure: str
    unit: str
    fast: float
    naive: float
    ratio: float  # the median of the rounds' own ratios
    ratio_low: float
    ratio_high: float


class Target(Struct, frozen=True):
    """What a game's move generation has to reach, and whether it does."""

    game: str
    wanted: float
    measured: float
    met: bool


class Report(Struct, frozen=True):
    """Everything a run found out, with what is needed to read it elsewhere."""

    python: str
    system: str
    machine: str
    cores: int
    effort: Effort
    results: list[Result]
    targets: list[Target]


class Disagreement(Exception):
    """The two sides do not play the same game, so there is nothing to compare."""


# -- the work


def generation(game: Game[Any], reference: Reference, key: str, effort: Effort) -> tuple[Work, Work]:
    """All legal moves of positions spread over the golden games."""
    with gzip.open(GOLDEN / f"{key}.jsonl.gz", "rt", encoding="utf-8") as file:
        golden = [json.loads(line) for line in file]
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
    """Perft from the start. Both sides count the last moves without making them."""
    state = game.initial(game.options({}))
    position = reference.parse(game.print(state))

    def naive_perft(position: Any, depth: int) -> int:
        if depth == 1:
            return len(reference.turns(position))
        return sum(naive_perft(reference.make(position, turn), depth - 1) for turn in reference.turns(position))

    return lambda: perft(game, state, depth), lambda: naive_perft(position, depth)


def playouts(game: Game[Any], reference: Reference, scripts: tuple[Script, Script]) -> tuple[Work, Work]:
    """Games from start to end: list the moves, take the one the script says, make it."""
    state = game.initial(game.options({}))
    position = reference.parse(game.print(state))

    def fast() -> int:
        for script in scripts[0]:
            at = state
            for index in script:
                at = game.apply(at, game.moves(at)[index])
        return sum(map(len, scripts[0]))

    def naive() -> int:
        for script in scripts[1]:
            at = position
            for index in script:
                at = reference.make(at, reference.turns(at)[index])
        return sum(map(len, scripts[1]))

    return fast, naive


def scripted(game: Game[Any], reference: Reference, count: int) -> tuple[Script, Script]:
    """The same random games for both sides, though each lists the moves in its own order."""
    fast_script: Script = []
    naive_script: Script = []
    for seed in range(count):
        rng = Random(seed)
        state = game.initial(game.options({}))
        position = reference.parse(game.print(state))
        fast_script.append([])
        naive_script.append([])
        while game.to_move(state) is not None and len(fast_script[-1]) < LONGEST_PLAYOUT:
            moves, turns = game.moves(state), reference.turns(position)
            fast_texts = [game.write(state, move) for move in moves]
            naive_texts = [reference.write(turn) for turn in turns]
            if sorted(fast_texts) != sorted(naive_texts) or game.print(state) != reference.print(position):
                raise Disagreement(f"{game.info.key}: the two sides disagree about {game.print(state)}")
            chosen = rng.choice(sorted(fast_texts))
            fast_script[-1].append(fast_texts.index(chosen))
            naive_script[-1].append(naive_texts.index(chosen))
            state = game.apply(state, moves[fast_script[-1][-1]])
            position = reference.make(position, turns[naive_script[-1][-1]])
    return fast_script, naive_script


# -- the clock


def rate(work: Work, seconds: float) -> float:
    """Units per second of CPU time, the work being repeated for at least so many seconds."""
    units = 0
    start = time.process_time()
    while True:
        units += work()
        elapsed = time.process_time() - start
        if elapsed >= seconds:
            return units / elapsed


def compete(works: tuple[Work, Work], effort: Effort) -> list[tuple[float, float]]:
    """The rates of both sides in every round, after a first go that nobody times."""
    fast, naive = works
    if fast() != naive():
        raise Disagreement("the two sides count differently")
    return [(rate(fast, effort.seconds), rate(naive, effort.seconds)) for _ in range(effort.rounds)]


def result(game: str, measure: str, unit: str, rounds: list[tuple[float, float]], per_unit: float = 1) -> Result:
    """The rounds as one line; `per_unit` turns the unit of the work into that of the line."""
    ratios = [fast / naive for fast, naive in rounds]
    return Result(
        game=game,
        measure=measure,
        unit=unit,
        fast=median(fast for fast, _ in rounds) * per_unit,
        naive=median(naive for _, naive in rounds) * per_unit,
        ratio=median(ratios),
        ratio_low=min(ratios),
        ratio_high=max(ratios),
    )


def measure(key: str, effort: Effort) -> Iterator[Result]:
    """The lines of one game."""
    game, reference = games.find(key), REFERENCES[key]

    progress(key, "move generation")
    yield result(key, "move generation", "calls/s", compete(generation(game, reference, key, effort), effort))

    depth = PERFT_DEPTH[key]
    progress(key, f"perft {depth}")
    yield result(key, f"perft {depth}", "leaves/s", compete(tree(game, reference, depth), effort))

    progress(key, "playouts")
    scripts = scripted(game, reference, effort.playouts)
    rounds = compete(playouts(game, reference, scripts), effort)
    yield result(key, "playouts", "moves/s", rounds)
    yield result(key, "playouts", "games/s", rounds, len(scripts[0]) / sum(map(len, scripts[0])))


# -- the report


def progress(key: str, what: str) -> None:
    print(f"{key}: {what} ...", file=sys.stderr, flush=True)


def table(results: list[Result]) -> str:
    """The results as text that lines up, and as a Markdown table."""
    lines = [
        "| game       | measure         | unit     |       fast |      naive |  ratio | (min–max)       |",
        "|------------|-----------------|----------|-----------:|-----------:|-------:|-----------------|",
    ]
    for line in results:
        spread = f"({line.ratio_low:.1f}–{line.ratio_high:.1f})"
        lines.append(
            f"| {line.game:<10} | {line.measure:<15} | {line.unit:<8} | {number(line.fast):>10} |"
            f" {number(line.naive):>10} | {line.ratio:>5.1f}x | {spread:<15} |"
        )
    return "\n".join(lines)


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def judge(results: list[Result]) -> list[Target]:
    """What became of the targets of the games that were measured."""
    return [
        Target(line.game, TARGETS[line.game], line.ratio, line.ratio >= TARGETS[line.game])
        for line in results
        if line.measure == "move generation" and line.game in TARGETS
    ]


def main() -> None:
    known = [key for key in games.keys() if key in REFERENCES]
    parser = argparse.ArgumentParser(prog="python -m bench.rules", description="Measure the rule engines.")
    parser.add_argument("--quick", action="store_true", help="seconds instead of a minute or two, and rougher")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every number to FILE")
    parser.add_argument("--game", choices=known, metavar="KEY", help=f"only this game: {', '.join(known)}")
    given = parser.parse_args()
    effort = QUICK if given.quick else FULL

    try:
        results = [line for key in known if given.game in (None, key) for line in measure(key, effort)]
    except Disagreement as disagreement:
        sys.exit(str(disagreement))
    targets = judge(results)

    print(table(results))
    print("\nMove generation has to be so many times faster than the naive reference:")
    for target in targets:
        verdict = "met" if target.met else "MISSED"
        print(f"  {target.game:<10}  at least {target.wanted:.0f}x, measured {target.measured:.1f}x: {verdict}")

    if given.json is not None:
        report = Report(
            python=f"{platform.python_implementation()} {platform.python_version()}",
            system=platform.platform(),
            machine=platform.machine(),
            cores=os.cpu_count() or 1,
            effort=effort,
            results=results,
            targets=targets,
        )
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_bytes(msgspec_json.format(msgspec_json.encode(report)) + b"\n")


if __name__ == "__main__":
    main()
