"""What a move of each game costs inside a node: `python -m bench.moves`, from the root of the repository.

Random games are played in a room whose log confirms at once and whose connections discard what is written to them. This
measures Parlour alone, from the bytes of a `play` to the bytes of all replies, without the operating system and the
store.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import process_time_ns
from typing import Any, cast

from parlour import games
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Play
from parlour.protocol.types import Clock, Player
from parlour.server.connections.connection import Connection
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import uncounted
from parlour.server.connections.limits import Limits
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
ROUNDS = 5


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

    def __init__(self, game: str, seed: int) -> None:
        self.rules = games.find(game)
        options = dict(self.rules.options({}))
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

    def play(self) -> None:
        """Play the whole game."""
        confirm = self.node.instant_log.confirm
        flush = self.hub.flush
        for connection, frame in self.frames:
            connection.receive(frame)
            confirm()
            flush()
        assert self.room.state.status == "over"

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


def measure(game: str, matches: int, profile: cProfile.Profile | None = None) -> float:
    """Return the microseconds per move, over some matches."""
    spent, moves = 0, 0
    for seed in range(matches):
        match = Match(game, seed)
        start = process_time_ns()
        if profile is not None:
            profile.enable()
        match.play()
        if profile is not None:
            profile.disable()
        spent += process_time_ns() - start
        moves += len(match.frames)
        match.close()
    return spent / moves / 1000


async def main() -> None:
    games.add_folder(Path(__file__).parent / "games")
    parser = argparse.ArgumentParser(prog="python -m bench.moves", description="Measure a move inside a node.")
    parser.add_argument("--games", nargs="+", choices=games.keys(), default=games.keys(), help="(default: all)")
    parser.add_argument("--matches", type=int, default=10, metavar="N", help="matches per round (default: 10)")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    arguments = parser.parse_args()
    print("| game | µs per move |\n|:--|--:|")
    for game in arguments.games:
        profile = cProfile.Profile() if arguments.profile else None
        rounds = [measure(game, arguments.matches, profile) for _ in range(1 if profile else ROUNDS)]
        print(f"| {game} | {median(rounds):.1f} |", flush=True)
        if profile is not None:
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    asyncio.run(main())
