"""The engines agree with a second implementation of the rules that shares nothing with them."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from bench.naive import REFERENCES
from parlour import games

GOLDEN = Path(__file__).parent / "golden"

# Random games of Mitsudomoe may be very long; all others end soon.
LONGEST = {"mitsudomoe": 120}

BARE = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])

# What to play: the game, its options, how many times.
Variant = tuple[str, dict[str, str | int | bool], int]
VARIANTS: list[Variant] = [
    ("isaac", {}, 20),
    ("mapello", {}, 20),
    ("mapello", {"board": BARE}, 20),
    ("mitsudomoe", {}, 10),
    ("mitsudomoe", {"passive": False}, 6),
    ("mitsudomoe", {"rules": "original"}, 6),
]
VARIANTS += [("mapello", {"board": "random", "seed": seed}, 2) for seed in range(20)]
VARIANTS += [
    ("replica", {"size": size, "kings": kings, "sight": sight}, 8)
    for size in (8, 12, 16)
    for kings in ("unlimited", "2")
    for sight in ("all", "forward")
]
VARIANTS += [("replica", {"blocked_by": "any", "sight": sight}, 8) for sight in ("all", "forward")]


@cache
def golden(key: str) -> list[dict[str, Any]]:
    with gzip.open(GOLDEN / f"{key}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [msgspec.json.decode(line) for line in file]


def agree(key: str, options: Mapping[str, object], start: str, rng: Random, most: int) -> None:
    """Play random moves from a position text and compare everything, in at most that many positions."""
    game, reference = games.find(key), REFERENCES[key]
    state = game.parse(start, game.options(options))
    position = reference.parse(start, **options)
    for _ in range(most):
        text = game.print(state)
        assert text == reference.print(position)
        assert winner(key, state) == reference.winner(position), text
        assert list(game.scores(state)) == reference.scores(position), text
        moves = {game.write(state, move): move for move in game.moves(state)}
        turns = {reference.write(turn): turn for turn in reference.turns(position)}
        assert moves.keys() == turns.keys(), text
        assert game.count(state) == len(moves), text
        if not moves:
            return
        chosen = pick(sorted(moves), rng)
        state = game.apply(state, moves[chosen])
        position = reference.make(position, turns[chosen])


def pick(texts: list[str], rng: Random) -> str:
    """Return a random move, every other time one of a rare kind, if there are any."""
    rare = [text for text in texts if " =" in text]  # Mitsudomoe: vaults over enemy balls
    if texts[0].startswith("x"):  # Isaac: the removal that makes most points
        rare = [max(texts, key=lambda text: int(text.partition("+")[2]))]
    return rng.choice(rare if rare and rng.random() < 0.5 else texts)


def winner(key: str, state: Any) -> str | None:
    game = games.find(key)
    outcome = game.outcome(state)
    if outcome is None:
        return None
    return "draw" if outcome.winner is None else game.info.seats[outcome.winner].name.lower()


@pytest.mark.parametrize(("key", "options", "count"), VARIANTS)
def test_random_games_agree(key: str, options: dict[str, str | int | bool], count: int) -> None:
    """Along random games both list the same moves and reach the same positions, scores and winners."""
    game = games.find(key)
    start = game.print(game.initial(game.options(options)))
    for seed in range(count):
        agree(key, options, start, Random(seed), most=LONGEST.get(key, game.info.max_plies + 1))


@pytest.mark.parametrize("key", REFERENCES)
def test_games_from_golden_positions_agree(key: str) -> None:
    """The same holds for a few moves from positions of all phases of a game."""
    for number, line in enumerate(golden(key)[::30]):
        agree(key, line.get("options", {}), line["position"], Random(number), most=4)


def late_isaac(rng: Random) -> str:
    """Return a scoring position in which one side may soon have a hundred points."""
    positions = [line["position"].split(" ") for line in golden("isaac")]
    # Neither side is out, and both have lifted bars; otherwise other points might contradict the position.
    suited = [found for found in positions if found[2] == "s" and found[6] == "-" and "0" not in found[5]]
    bars, side, phase, hands, _, longest, out = rng.choice(suited)
    dark, light = rng.sample(range(60, 100), 2)
    return f"{bars} {side} {phase} {hands} {dark},{light} {longest} {out}"


def crowded_mitsudomoe(rng: Random) -> str:
    """Return a position with all balls within three rows and four columns, so that there are many vaults."""
    cells = [""] * 25
    first = rng.randrange(3) * 5 + rng.randrange(2)
    crowd = [first + row * 5 + column for row in range(3) for column in range(4)]
    # Without the outermost cell of both homes: three balls in a home may mean that the game is over.
    balls = rng.sample([cell for cell in crowd if cell not in (4, 20)], 6)
    for cell, colour in zip(balls, "wwwbbb", strict=True):
        cells[cell] = colour + colour.upper()
    # Few cells for many rings leave White, whose rings come first, without one on top.
    free = [cell for cell in range(25) if cell not in balls]
    ringed = rng.sample(free, rng.choice((3, 12)))
    supply = {"w": 5, "b": 5}
    for colour in "wb":
        for _ in range(rng.choice((2, 5, 5))):
            cells[rng.choice(ringed)] += colour
            supply[colour] -= 1
    rows = [",".join(cell or "." for cell in cells[start : start + 5]) for start in range(0, 25, 5)]
    return f"{'/'.join(rows)} {rng.choice('wb')} {supply['w']},{supply['b']}"


def late_replica(rng: Random) -> str:
    """Return a position with pieces near their goal corner, where moves are rare; no king has reached it yet."""
    board = [["."] * 8 for _ in range(8)]
    for colour, far in (("w", 0), ("b", 7)):
        near = [abs(far - distance) for distance in range(rng.choice((3, 4, 6)))]
        for piece in [colour.upper()] * rng.randint(1, 2) + [colour] * rng.randint(0, 4):
            free = [(row, column) for row in near for column in near if board[row][column] == "."]
            row, column = rng.choice([cell for cell in free if piece == colour or cell != (far, far)])
            board[row][column] = piece
    rows = ["".join(row) for row in reversed(board)]
    return f"{'/'.join(rows)} {rng.choice('wb')}"


Drawn = tuple[str, dict[str, str | bool], Callable[[Random], str], int]
DRAWN: list[Drawn] = [
    ("isaac", {}, late_isaac, 80),
    ("mitsudomoe", {}, crowded_mitsudomoe, 60),
    ("mitsudomoe", {"passive": False}, crowded_mitsudomoe, 60),
    ("mitsudomoe", {"rules": "original"}, crowded_mitsudomoe, 60),
    ("replica", {}, late_replica, 100),
    ("replica", {"kings": "2"}, late_replica, 100),
    ("replica", {"kings": "2", "sight": "forward"}, late_replica, 100),
    ("replica", {"blocked_by": "any"}, late_replica, 100),
]


@pytest.mark.parametrize(("key", "options", "draw", "count"), DRAWN)
def test_games_from_rare_positions_agree(
    key: str, options: dict[str, str | bool], draw: Callable[[Random], str], count: int
) -> None:
    """The same holds where random games hardly ever lead: near the end, or with crowded pieces."""
    for seed in range(count):
        rng = Random(seed)
        agree(key, options, draw(rng), rng, most=4)


def test_ten_thousand_plies_of_the_original_mitsudomoe_agree() -> None:
    """Positions and results agree at every ply, the lists of turns at every fourth; hardly any turn is a ring alone."""
    game, reference, rng = games.find("mitsudomoe"), REFERENCES["mitsudomoe"], Random(7)
    options = game.options({"rules": "original"})
    start = game.initial(options)
    state, position = start, reference.parse(game.print(start), rules="original")
    ends: set[str] = set()
    for ply in range(10_000):
        outcome = game.outcome(state)
        assert game.print(state) == reference.print(position)
        assert winner("mitsudomoe", state) == reference.winner(position)
        if outcome is not None or ply % 150 == 0:  # a game without an end is left in the end
            ends.add("unfinished" if outcome is None else outcome.reason)
            state, position = start, reference.parse(game.print(start), rules="original")
        moves = sorted(game.moves(state))
        texts = [game.write(state, move) for move in moves]
        if ply % 4 == 0:
            assert set(texts) == set(reference.moves(position)), game.print(state)
        whole = [text for text in texts if " " in text] if rng.random() < 0.99 else texts
        chosen = pick(whole or texts, rng)
        state = game.apply(state, moves[texts.index(chosen)])
        position = reference.make(position, turn_of(chosen))
    assert {"stuck", "no_move"} <= ends


def turn_of(text: str) -> Any:
    """Return a turn of the naive Mitsudomoe from its text, so that it need not be found among all turns."""
    ring, *ball = text.split(" ")
    ring_from, _, ring_to = ring.rpartition("-" if "-" in ring else "+")
    step = None
    if ball:
        start, end = ball[0].split("-")
        step = cell(start), cell(end), tuple(map(cell, ball[1][1:].split(","))) if ball[1:] else ()
    return cell(ring_from) if ring_from else None, cell(ring_to), step


def cell(name: str) -> tuple[int, int]:
    return int(name[1]) - 1, ord(name[0]) - ord("a")


@pytest.mark.parametrize("key", REFERENCES)
def test_the_naive_reference_is_right(key: str) -> None:
    """The reference agrees with the golden data, so a comparison with it is meaningful."""
    reference = REFERENCES[key]
    for line in golden(key)[::10]:
        position = reference.parse(line["position"], **line.get("options", {}))
        assert sorted(reference.moves(position)) == line["legal"]
        if "after" in line:
            after = reference.play(position, line["played"])
            assert reference.print(after) == line["after"]
            assert reference.winner(after) == line.get("winner")
            assert reference.scores(after) == line.get("score", reference.scores(after))
