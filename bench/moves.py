"""What a move costs inside a node, game by game: `python -m bench.moves`, from the root of the repository.

Random games are played in a room whose log confirms at once and whose sockets swallow what is written. So this is the
work of Parlour itself, from the bytes of a `play` to the bytes of all answers, without the system's and the store's.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from random import Random
from statistics import median
from time import process_time_ns
from typing import Any, cast

from parlour import games
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Play
from parlour.protocol.tables import Clock
from parlour.server.metrics import Metrics
from parlour.server.rooms.core import Room, created, evolve
from parlour.server.rooms.events import Created, Seated, Started
from parlour.server.rooms.live import LiveRoom
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.log import Appended, Pen, RoomLog
from parlour.server.transport.incident import uncounted
from parlour.server.transport.limits import Limits, Rate
from parlour.server.transport.peer import Peer
from parlour.server.transport.switchboard import Switchboard
from parlour.server.visitor import Visitor

CLOCK = Clock("fischer", 600_000, 1_000)
BEGAN = 1_700_000_000_000
ROUNDS = 5


class Swallow:
    """A connection that takes everything."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, data: bytes) -> None:
        self.bytes += len(data)

    def buffered(self) -> int:
        return 0

    def hang_up(self, code: int, reason: str) -> None:
        pass

    def abort(self) -> None:
        pass


class Confirming:
    """A log that has everything at once, and tells so when it is asked to."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []

    def pen(self, room: str) -> Pen:
        return cast("Pen", Writing(self._waiting))

    def append(
        self,
        room: str,
        first_seq: int,
        entries: Sequence[bytes],
        done: Callable[[Appended], None],
        *,
        deadline: int | None = None,
    ) -> None:
        self._waiting.append(partial(done, Appended.OK))

    async def save_snapshot(self, room: str, seq: int, data: bytes) -> bool:
        return True

    def confirm(self) -> None:
        waiting = self._waiting.copy()
        self._waiting.clear()
        for done in waiting:
            done()


class Writing:
    """A pen for it."""

    def __init__(self, waiting: list[Callable[[], None]]) -> None:
        self._waiting = waiting

    def append(self, seq: int, entry: bytes, done: Callable[[Any], None]) -> None:
        self._waiting.append(partial(done, 1))


class Alive:
    """A heart that has never stopped."""

    sure_until = 2 * BEGAN
    newest = 0


class Surroundings:
    """What a room needs of its node."""

    def __init__(self) -> None:
        self.confirming = Confirming()
        self.log = cast("RoomLog", self.confirming)
        self.metrics = Metrics()
        self.time = BEGAN
        self.heartbeat = cast("Heartbeat", Alive())

    def now(self) -> int:
        self.time += 100
        return self.time

    def remind(self, room: str, at: int | None) -> None:
        pass

    def rematch(self, room: Room) -> None:
        pass

    def ended(self, room: Room) -> None:
        pass

    def talk(self, message: object) -> None:
        pass

    def think(self, room: Room) -> None:
        pass

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        work.close()


class Table:
    """A room with its two players, who are driven by hand."""

    def __init__(self, game: str, seed: int) -> None:
        self.rules = games.find(game)
        options = dict(self.rules.options({}))
        room = created("ABCDEF", Created(BEGAN, game, options, CLOCK))
        for seat in (0, 1):
            room = evolve(room, Seated(BEGAN, seat, f"player-{seat}", f"Player {seat}"))
        room = evolve(room, Started(BEGAN))
        self.node = Surroundings()
        self.board = Switchboard(self, Limits(rate=1e9, address_rate=1e9), uncounted)

        async def load() -> Room | None:
            return room

        self.room = LiveRoom(room, self.node, load)
        self.visitors = [self._visitor(seat) for seat in (0, 1)]
        self.frames = list(self._frames(Random(seed)))

    def _visitor(self, seat: int) -> Visitor:
        wire = Swallow()
        source = self.board.crowd.enter("127.0.0.1")
        peer = Peer(wire, wire.write, self.board, codec=MSGPACK, address="127.0.0.1", source=source)
        visitor = Visitor(peer, self.node.metrics, Rate(1, 1))
        visitor.player, visitor.name = f"player-{seat}", f"Player {seat}"
        visitor.session.greeted = True
        peer.owner = visitor
        self.room.join(visitor, None)
        return visitor

    def _frames(self, random: Random) -> Sequence[tuple[Peer, bytes]]:
        """A whole game, chosen beforehand."""
        state, ply, found = self.room.room.state, 0, []
        while (seat := self.rules.to_move(state)) is not None:
            move = random.choice(self.rules.moves(state))
            play = Play(id=ply, room="ABCDEF", ply=ply, move=self.rules.write(state, move))
            found.append((self.visitors[seat].peer, MSGPACK.encode(play)))
            state = self.rules.apply(state, move)
            ply += 1
        return found

    def play(self) -> None:
        """The whole game."""
        confirm = self.node.confirming.confirm
        flush = self.board.flush
        for peer, frame in self.frames:
            self.board.hold()
            peer.take(frame)
            flush()
            self.board.hold()
            confirm()
            flush()
        assert self.room.room.status == "over"

    def close(self) -> None:
        self.room.close()

    # -- as the transport's listener

    def opened(self, peer: Peer) -> None: ...

    def received(self, peer: Peer, frame: bytes | str) -> None:
        visitor = peer.owner
        assert isinstance(visitor, Visitor)
        message = visitor.session.receive(frame, visitor.standings)
        assert isinstance(message, Play)
        self.room.play(visitor, message)

    def drained(self, peer: Peer) -> None: ...

    def closed(self, peer: Peer, code: int) -> None: ...


def measure(game: str, number: int, profile: cProfile.Profile | None) -> float:
    """Microseconds for each move, over some games."""
    spent, moves = 0, 0
    for seed in range(number):
        table = Table(game, seed)
        began = process_time_ns()
        if profile is not None:
            profile.enable()
        table.play()
        if profile is not None:
            profile.disable()
        spent += process_time_ns() - began
        moves += len(table.frames)
        table.close()
    return spent / moves / 1000


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.moves", description="What a move costs inside a node.")
    parser.add_argument("--game", action="append", help="only this one; may be given again")
    parser.add_argument("--games", type=int, default=10, help="played in each round (default: 10)")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    given = parser.parse_args()
    print("| game | µs per move |\n|:--|--:|")
    for game in given.game or games.keys():
        profile = cProfile.Profile() if given.profile else None
        found = [measure(game, given.games, profile) for _ in range(1 if profile else ROUNDS)]
        print(f"| {game} | {median(found):.1f} |", flush=True)
        if profile is not None:
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    from pathlib import Path

    games.add_folder(Path(__file__).parent / "standin")
    asyncio.run(main())
