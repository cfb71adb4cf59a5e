"""Games between levels of the computer, in several processes."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from msgspec import Struct

from parlour import games
from parlour.bots import contest, levels
from parlour.bots.contest import Played
from parlour.bots.elo import Tally
from parlour.games.options import Options


class Pairing(Struct, frozen=True):
    """A game to play. Equal pairings give equal games, unless a search is cut short by the clock."""

    game: str
    options: dict[str, Any]
    one: str  # a level
    two: str
    number: int  # games 0 and 1 share an opening with sides swapped, then 2 and 3, and so on
    seed: int
    scales: tuple[float, float] = (1.0, 1.0)  # factors for the thinking time of each level


class MatchResult(Struct):
    """The totals of the games between two levels so far."""

    tally: Tally = Tally()
    seconds: tuple[float, float] = (0.0, 0.0)
    turns: tuple[int, int] = (0, 0)

    def add(self, pairing: Pairing, played: Played) -> None:
        """Add a game. `one` has the first seat in games with an even number."""
        first = pairing.number % 2
        seat_won = None if played.winner is None else played.winner == first
        wins, losses, draws = self.tally.wins, self.tally.losses, self.tally.draws
        self.tally = Tally(wins + (seat_won is True), losses + (seat_won is False), draws + (seat_won is None))
        other = 1 - first
        self.seconds = self.seconds[0] + played.seconds[first], self.seconds[1] + played.seconds[other]
        self.turns = self.turns[0] + played.turns[first], self.turns[1] + played.turns[other]

    @property
    def seconds_per_move(self) -> tuple[float, float]:
        return self.seconds[0] / max(1, self.turns[0]), self.seconds[1] / max(1, self.turns[1])


def pairings(
    game: str, options: Options, one: str, two: str, count: int, seed: int, scales: tuple[float, float]
) -> list[Pairing]:
    """Return the games of a match. Raise Refusal if the game does not have one of the levels."""
    for level in (one, two):
        levels.resolve(games.find(game), level)
    return [Pairing(game, dict(options), one, two, number, seed, scales) for number in range(count)]


def play_all(todo: Sequence[Pairing], processes: int) -> Iterator[tuple[Pairing, Played]]:
    """Play every game, and yield each as it ends."""
    if processes == 1:
        yield from ((pairing, play(pairing)) for pairing in todo)
        return
    context = multiprocessing.get_context("spawn")
    folders = games.folders()
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_add_games, initargs=(folders,)) as pool:
        waiting = {pool.submit(play, pairing): pairing for pairing in todo}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def play(pairing: Pairing) -> Played:
    """Play one game."""
    start, seed = _opening(pairing.game, tuple(sorted(pairing.options.items())), pairing.seed, pairing.number // 2)
    first, second = pairing.number % 2, 1 - pairing.number % 2
    sides = pairing.one, pairing.two
    return contest.play(
        games.find(pairing.game),
        start,
        (sides[first], sides[second]),
        seed=seed + first,
        scales=(pairing.scales[first], pairing.scales[second]),
        now=process_time,
    )


@lru_cache(maxsize=256)
def _opening(key: str, options: tuple[tuple[str, Any], ...], seed: int, pair: int) -> tuple[list[Any], int]:
    """Return the opening of a pair of games, and their seed. All levels of a ladder play the same openings."""
    game, rng = games.find(key), Random(f"{seed} {key} {pair}")
    return contest.opening(game, game.options(dict(options)), rng), rng.randrange(1 << 30)


def available_processors() -> int:
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _add_games(folders: Sequence[str]) -> None:
    for folder in folders:
        games.add_folder(Path(folder))
