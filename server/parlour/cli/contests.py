"""Plays many games between levels, on all processors at once."""

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


class Meeting(Struct, frozen=True):
    """One game to be played. The same meeting gives the same game, unless a clock cuts a thought short."""

    game: str
    options: dict[str, Any]
    one: str  # a level
    two: str
    number: int  # games 0 and 1 have the same opening, with the sides changed, and so on
    seed: int
    scales: tuple[float, float] = (1.0, 1.0)  # times the thinking time of each level


class Standing(Struct):
    """What has come of the games between two levels so far."""

    tally: Tally = Tally()
    seconds: tuple[float, float] = (0.0, 0.0)
    turns: tuple[int, int] = (0, 0)

    def add(self, meeting: Meeting, played: Played) -> None:
        """`one` has the first seat in games of even number."""
        first = meeting.number % 2
        seat_won = None if played.winner is None else played.winner == first
        wins, losses, draws = self.tally.wins, self.tally.losses, self.tally.draws
        self.tally = Tally(wins + (seat_won is True), losses + (seat_won is False), draws + (seat_won is None))
        other = 1 - first
        self.seconds = self.seconds[0] + played.thought[first], self.seconds[1] + played.thought[other]
        self.turns = self.turns[0] + played.turns[first], self.turns[1] + played.turns[other]

    @property
    def seconds_per_move(self) -> tuple[float, float]:
        return self.seconds[0] / max(1, self.turns[0]), self.seconds[1] / max(1, self.turns[1])


def meetings(
    game: str, options: Options, one: str, two: str, count: int, seed: int, scales: tuple[float, float]
) -> list[Meeting]:
    """The games of a match; refuses a level that the game does not have."""
    for level in (one, two):
        levels.title(games.find(game), level)
    return [Meeting(game, dict(options), one, two, number, seed, scales) for number in range(count)]


def played(todo: Sequence[Meeting], workers: int) -> Iterator[tuple[Meeting, Played]]:
    """Every game with its end, in the order in which they end."""
    if workers == 1:
        yield from ((meeting, play(meeting)) for meeting in todo)
        return
    context = multiprocessing.get_context("spawn")
    folders = games.folders()
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(folders,)) as pool:
        waiting = {pool.submit(play, meeting): meeting for meeting in todo}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def play(meeting: Meeting) -> Played:
    """Play one game."""
    start, seed = _beginning(meeting.game, tuple(sorted(meeting.options.items())), meeting.seed, meeting.number // 2)
    first, second = meeting.number % 2, 1 - meeting.number % 2
    sides = meeting.one, meeting.two
    return contest.play(
        games.find(meeting.game),
        start,
        (sides[first], sides[second]),
        seed=seed + first,
        scales=(meeting.scales[first], meeting.scales[second]),
        now=process_time,
    )


@lru_cache(maxsize=256)
def _beginning(key: str, options: tuple[tuple[str, Any], ...], seed: int, pair: int) -> tuple[list[Any], int]:
    """The opening of two games and a seed for what follows: in a ladder every two levels meet in the same ones."""
    game, rng = games.find(key), Random(f"{seed} {key} {pair}")
    return contest.opening(game, game.options(dict(options)), rng), rng.randrange(1 << 30)


def processors() -> int:
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _begin(folders: Sequence[str]) -> None:
    for folder in folders:
        games.add_folder(Path(folder))
