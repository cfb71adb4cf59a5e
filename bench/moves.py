"""What a move of each game costs inside a node: `python -m bench.moves`, from the root of the repository.

Random games are played in a room whose log confirms at once and whose connections discard what is written to them. This
measures Parlour alone, from the bytes of a `play` to the bytes of all replies, without the operating system and the
store. Many matches are played at the same time, as on a server.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
from bisect import bisect_left
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from math import inf
from pathlib import Path
from random import Random
from statistics import fmean
from time import thread_time, thread_time_ns
from typing import Any, NamedTuple, cast

from parlour import games
from parlour.games.laws import variants
from parlour.games.options import OptionValue
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Play
from parlour.protocol.types import Clock, Player
from parlour.server.connections.connection import Connection
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import uncounted
from parlour.server.connections.limits import Limits
from parlour.server.loop import shorten_collections
from parlour.server.metrics import Metrics
from parlour.server.rooms.context import RoomMessage
from parlour.server.rooms.events import AnyEvent, Created, Participant
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState, initial_state
from parlour.server.sessions.session import Session
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.room_log import Appended, RoomLog
from parlour.server.store.seat_nodes import SeatNodeStore

CLOCK = Clock("fischer", 600_000, 1_000)
START_MS = 1_700_000_000_000

# The upper ends of the histogram of steps, in microseconds. No step should be in the last column.
STEPS = (100, 200, 500, 1000, 2000)
STEP_NAMES = ("< 0.1 ms", "< 0.2", "< 0.5", "< 1", "< 2", "longer")


class Move(NamedTuple):
    """What a move took, in microseconds of processor time."""

    receive: float  # from the bytes of the command to the log
    publish: float  # from the log to the buffers of the players
    flush: float  # from there to the sockets

    @property
    def steps(self) -> tuple[float, float, float]:
        return self.receive, self.publish, self.flush

    @property
    def total(self) -> float:
        return sum(self.steps)


class NullSocket:
    """A socket that discards everything."""

    def write(self, data: bytes) -> None: ...

    def buffered(self) -> int:
        return 0

    def start_closing(self, code: int, reason: str) -> None: ...

    def abort(self) -> None: ...


class InstantLog:
    """A log that confirms everything that was appended as soon as `confirm` is called."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[Appended], None]] = []

    def append(
        self,
        room: str,
        first_seq: int,
        entries: Sequence[bytes],
        on_outcome: Callable[[Appended], None],
        *,
        deadline: int | None = None,
        update: bytes = b"",
    ) -> None:
        self._waiting.append(on_outcome)

    def confirm(self) -> None:
        waiting, self._waiting = self._waiting, []
        for on_outcome in waiting:
            on_outcome(Appended.OK)


class SteadyHeartbeat:
    """A heartbeat that is never late."""

    known_until = 2 * START_MS
    last_outage_end = 0


class UnrecordedSeatNodes:
    """Forgets where the players are."""

    node = "node"

    def record(self, room: str, player: str, is_here: bool, now: int) -> None: ...


class LoneNode:
    """The services of a node without other nodes, bots and archive."""

    def __init__(self) -> None:
        self.instant_log = InstantLog()
        self.room_log = cast("RoomLog", self.instant_log)
        self.heartbeat = cast("Heartbeat", SteadyHeartbeat())
        self.seat_nodes = cast("SeatNodeStore", UnrecordedSeatNodes())
        self.metrics = Metrics()
        self.time = START_MS

    def now(self) -> int:
        self.time += 100
        return self.time

    def call_later(self, seconds: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, callback)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        work.close()

    def tell_nodes(self, message: RoomMessage) -> None: ...

    def tell_absent_players(self, state: RoomState, event: AnyEvent) -> None: ...

    def schedule_check(self, room: str, at: int | None) -> None: ...

    def request_move(self, state: RoomState) -> None: ...

    def start_rematch(self, state: RoomState) -> None: ...

    def finish(self, state: RoomState) -> None: ...

    def save_snapshot(self, state: RoomState) -> None: ...


class Match:
    """A random game between two players in a room."""

    wants_choices = True

    def __init__(self, game: str, seed: int, given: Mapping[str, OptionValue]) -> None:
        self.rules = games.find(game)
        options = dict(self.rules.options({**given, **({"seed": seed} if given.get("board") == "random" else {})}))
        participants = [Participant(f"player-{seat}", Player(f"Player {seat}")) for seat in (0, 1)]
        state = initial_state("ABCDEF", Created(START_MS, game, options, CLOCK, (participants[0], participants[1])))
        self.node = LoneNode()
        self.hub = Hub(self, Limits(rate=1e9, address_rate=1e9), uncounted)

        async def load() -> RoomState | None:
            return state

        self.room = Room(state, self.node, load)
        self.sessions = [self._session(seat) for seat in (0, 1)]
        self.frames = list(self._frames(Random(seed)))

    def _session(self, seat: int) -> Session:
        socket = NullSocket()
        source = self.hub.counts.enter("127.0.0.1")
        connection = Connection(socket, socket.write, self.hub, codec=MSGPACK, address="127.0.0.1", source=source)
        session = Session(connection, self.node.metrics)
        session.player, session.name = f"player-{seat}", f"Player {seat}"
        session.protocol.greeted = True
        session.wants_choices = self.wants_choices
        connection.owner = session
        self.room.join(session, None)
        return session

    def _frames(self, random: Random) -> Sequence[tuple[Connection, bytes]]:
        """Choose all moves in advance, so that this is not measured."""
        state, ply, found = self.room.state.state, 0, []
        while (seat := self.rules.to_move(state)) is not None:
            move = random.choice(self.rules.moves(state))
            play = Play(id=ply, room="ABCDEF", ply=ply, move=self.rules.write(state, move))
            found.append((self.sessions[seat].connection, MSGPACK.encode(play)))
            state = self.rules.apply(state, move)
            ply += 1
        return found

    def play(self) -> Iterator[Move]:
        """Play the whole game; yield what each move took."""
        steps = self._steps()
        for _ in self.frames:
            yield Move(*islice(steps, 3))
        assert self.room.state.status == "over"

    def _steps(self) -> Iterator[float]:
        """Yield the processor time of each step of the event loop, in microseconds: three for each move."""
        confirm, flush = self.node.instant_log.confirm, self.hub.flush
        for connection, frame in self.frames:
            for step in (partial(connection.receive, frame), confirm, flush):
                start = thread_time_ns()
                step()
                yield (thread_time_ns() - start) / 1000

    def close(self) -> None:
        self.room.close()

    # -- the listener of the connections

    def opened(self, connection: Connection) -> None: ...

    def received(self, connection: Connection, frame: bytes | str) -> None:
        session = connection.owner
        assert isinstance(session, Session)
        message = session.protocol.receive(frame, session.cursors)
        assert isinstance(message, Play)
        self.room.command(session, message)

    def drained(self, connection: Connection) -> None: ...

    def closed(self, connection: Connection, code: int) -> None: ...


def tables(game: str, every_option: bool) -> Iterator[tuple[str, Mapping[str, OptionValue]]]:
    """Yield the options to play with, and a name for them."""
    for options in variants(games.find(game)) if every_option else [{}]:
        yield " ".join([game, *(f"{key}={value}" for key, value in options.items())]), options


async def measure(
    game: str, options: Mapping[str, OptionValue], matches: int, profile: cProfile.Profile | None = None
) -> list[Move]:
    """Return the moves of some matches that are played at the same time: each makes a move in turn."""
    rooms = [Match(game, seed, options) for seed in range(matches)]
    playing = [match.play() for match in rooms]
    found: list[Move] = []
    if profile is not None:
        profile.enable()
    while playing:
        moves = [(match, next(match, None)) for match in playing]
        found += [move for _, move in moves if move is not None]
        playing = [match for match, move in moves if move is not None]
        await asyncio.sleep(0)  # the event loop drops what it was asked to do meanwhile
    if profile is not None:
        profile.disable()
    for room in rooms:
        room.close()
    return found


def percentile(sorted_values: Sequence[float], percent: float) -> float:
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * percent / 100))]


def row(name: str, moves: Sequence[Move]) -> str:
    """Return a line of the table: per move, and the steps of the event loop."""
    took = sorted(move.total for move in moves)
    steps = sorted(step for move in moves for step in move.steps)
    bounds = [0, *STEPS, inf]
    counts = [bisect_left(steps, upper) - bisect_left(steps, lower) for lower, upper in pairwise(bounds)]
    figures = (fmean(took), percentile(took, 50), percentile(took, 99), steps[-1])
    return f"| {name} | {' | '.join(f'{figure:.1f}' for figure in figures)} | {' | '.join(map(str, counts))} |"


async def main() -> None:
    games.add_folder(Path(__file__).parent / "games")
    parser = argparse.ArgumentParser(prog="python -m bench.moves", description="Measure a move inside a node.")
    parser.add_argument("--games", nargs="+", choices=games.keys(), default=games.keys(), help="(default: all)")
    parser.add_argument("--matches", type=int, default=50, metavar="N", help="at the same time (default: 50)")
    parser.add_argument("--options", action="store_true", help="also play with every value of every option")
    parser.add_argument("--no-choices", action="store_true", help="as programs play that know the rules")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    arguments = parser.parse_args()
    Match.wants_choices = not arguments.no_choices
    shorten_collections()
    print("| game | µs per move | median | p99 | longest step | " + " | ".join(STEP_NAMES) + " |")
    print("|:--|" + "--:|" * (4 + len(STEP_NAMES)))
    for game in arguments.games:
        for name, options in tables(game, arguments.options):
            profile = cProfile.Profile(thread_time) if arguments.profile else None
            moves = await measure(game, options, arguments.matches, profile)
            print(row(name, moves), flush=True)
            if profile is not None:
                pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    asyncio.run(main())
