"""Many games at once, and what must be true of them in the end, whatever became of the servers meanwhile.

The games stop at certain plies until the test lets them go on, so that none is over before the last disaster.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import pairwise
from random import Random
from types import TracebackType
from typing import Self

import msgspec

from parlour import games
from parlour.client.connection import Connection
from parlour.games.match import Match
from parlour.protocol.messages import Choices, Join, Ok, Play, Record
from parlour.protocol.replica import RoomReplica
from parlour.protocol.types import Clock
from tests.e2e.players import RandomPlayer
from tests.e2e.processes import ServerProcess
from tests.e2e.web import ask

# How many moves each game has by the end of each stage. Games of random moves are longer than the last of these,
# though one of Mitsudomoe may end with its third move.
STAGES = {"isaac": (5, 10, 15), "mapello": (12, 24, 36), "mitsudomoe": (1, 2, 3), "replica": (2, 4, 6)}

# The four, with more of those that are quick to play.
MIXED = ("mapello", "replica", "isaac", "mapello", "replica", "mitsudomoe")

WITHIN = 120.0  # seconds for whatever is awaited here; a busy machine may need some of them


class Entrant(RandomPlayer):
    """Plays one game, as far as the tournament allows. Every turn has to be acknowledged."""

    def __init__(self, connection: Connection, rng: Random, game: str, tournament: Tournament) -> None:
        super().__init__(connection, rng)
        self.game = game
        self.seqs: dict[int, int] = {}  # ply -> the number that the move got in the room
        self._tournament = tournament

    async def _turn(self, choices: Choices) -> None:
        await self._tournament.may_play(self.game, choices.ply)
        picks = await self._choose(choices)
        assert self.room is not None
        sent = self.connection.send(Play(id=0, room=self.room, ply=choices.ply, picks=picks))
        self._tournament.under_way()
        answer = await sent
        assert isinstance(answer, Ok)
        assert answer.seq is not None
        self.acknowledged[choices.ply] = picks
        self.seqs[choices.ply] = answer.seq
        self._tournament.count()


class Tournament:
    """Many games, as an async context manager; `finish` it. It fails as soon as one of its players does."""

    def __init__(self, seed: int) -> None:
        self.entrants: list[Entrant] = []
        self.spectators: dict[str, list[Connection]] = {}  # by room
        self.moves = 0  # acknowledged so far
        self._rng = Random(seed)
        self._stage = -1
        self._next_stage = asyncio.Event()
        self._goal, self._reached = 0, asyncio.Event()
        self._connections = AsyncExitStack()
        self._group = asyncio.TaskGroup()
        self._tasks: list[asyncio.Task[RoomReplica]] = []

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with self._connections:
            await self._group.__aexit__(kind, value, trace)

    # -- who plays

    async def enter(self, connection: Connection, game: str) -> Entrant:
        """Add a client that will play one game; `play` or `play_on` follows."""
        await self._connections.enter_async_context(connection)
        entrant = Entrant(connection, Random(self._rng.random()), game, self)
        self.entrants.append(entrant)
        return entrant

    async def begin(self, games: int, connect: Callable[[], Connection]) -> None:
        """Start a number of games of all kinds, and wait until all players have joined. No move is made yet."""
        for number in range(2 * games):
            self.play(await self.enter(connect(), MIXED[number // 2 % len(MIXED)]))
        await self.seated()

    def play(self, entrant: Entrant, clock: Clock | None = None) -> None:
        """Let a client queue for a game and play it."""
        self._tasks.append(self._group.create_task(entrant.play(entrant.game, clock)))

    def play_on(self, entrant: Entrant) -> None:
        """Let a client play the game for which it was paired in another way."""
        self._tasks.append(self._group.create_task(entrant.play_on()))

    async def watch(self, connection: Connection, room: str) -> None:
        """Let a client watch a game to its end."""
        await self._connections.enter_async_context(connection)
        self.spectators.setdefault(room, []).append(connection)
        self._tasks.append(self._group.create_task(_watch(connection, room)))

    async def seated(self) -> None:
        """Wait until all players have joined their rooms."""
        async with asyncio.timeout(WITHIN):
            for entrant in self.entrants:
                await entrant.joined.wait()

    # -- how far they play

    async def may_play(self, game: str, ply: int) -> None:
        """Wait until the stage in which this move is made."""
        while ply >= self._limit(game):
            await self._next_stage.wait()

    def _limit(self, game: str) -> float:
        stages = STAGES[game]
        return 0 if self._stage < 0 else stages[self._stage] if self._stage < len(stages) else float("inf")

    def _begin(self, stage: int) -> None:
        self._stage = stage
        begun, self._next_stage = self._next_stage, asyncio.Event()
        begun.set()

    def count(self) -> None:
        """Count an acknowledged move."""
        self.moves += 1

    def under_way(self) -> None:
        """Note a move that was sent and cannot have been answered yet."""
        if self.moves >= self._goal:
            self._reached.set()

    async def play_for_a_while(self) -> None:
        """Let the games go on, and return at a random moment when moves of many of them are in flight."""
        before = sum(self._limit(one.game) for one in self.entrants) / 2
        self._begin(self._stage + 1)
        after = sum(self._limit(one.game) for one in self.entrants) / 2
        self._goal = int(before + (after - before) * self._rng.uniform(0.05, 0.7))
        self._reached.clear()
        async with asyncio.timeout(WITHIN):
            await self._reached.wait()

    async def finish(self) -> None:
        """Let all games go on to their end, and wait for it."""
        self._begin(max(len(stages) for stages in STAGES.values()))
        async with asyncio.timeout(WITHIN):
            await asyncio.gather(*self._tasks)

    @property
    def unanswered(self) -> int:
        """The number of commands in flight."""
        return sum(len(one.connection.session.unanswered) for one in self.entrants)

    # -- what must be true

    @property
    def rooms(self) -> dict[str, list[Entrant]]:
        """The players by room."""
        rooms: dict[str, list[Entrant]] = {}
        for entrant in self.entrants:
            assert entrant.room is not None
            rooms.setdefault(entrant.room, []).append(entrant)
        return rooms

    async def check(self, server: ServerProcess) -> None:
        """Check every game by the record that this server has of it: see `check_game`."""
        for room, players in self.rooms.items():
            record = await fetch_record(server, room)
            check_game(record, players)
            for connection in self.spectators.get(room, ()):
                check_replica(connection.rooms[room], record)
                assert connection.rooms[room].scene == players[0].replica.scene
        assert self.moves == sum(len(entrant.acknowledged) for entrant in self.entrants)


async def _watch(connection: Connection, room: str) -> RoomReplica:
    await connection.call(Join(id=0, room=room))
    while connection.rooms[room].result is None:
        await connection.news.get()
    return connection.rooms[room]


async def fetch_record(server: ServerProcess, room: str) -> Record:
    """Return the record of a game, as a server sends it to the public."""
    return msgspec.json.decode((await ask(server, f"/api/v1/records/{room}")).body, type=Record)


def check_game(record: Record, players: list[Entrant]) -> None:
    """A finished game has all that was acknowledged, where it was acknowledged, and nothing else.

    A move may have been stored although its acknowledgement was lost, but then the client has sent it again and was
    answered. So in the end the moves of a game are exactly those that were acknowledged to its two players, each once.
    """
    seats = {player.replica.seat: player for player in players}
    assert len(players) == 2
    assert seats.keys() == {0, 1}

    game = games.find(record.terms.game)
    options = game.options(record.options)
    match = Match(game, options, None if record.position is None else game.parse(record.position, options))
    seqs = []
    for ply, recorded in enumerate(record.moves):
        assert match.outcome is None
        mover = game.to_move(match.state)
        assert mover is not None
        picks = seats[mover].acknowledged[ply]
        assert ply not in seats[1 - mover].acknowledged
        move = game.check(match.state, picks)
        assert recorded.move == game.write(match.state, move)
        seqs.append(seats[mover].seqs[ply])
        match.play(move)
    assert len(record.moves) == sum(len(player.acknowledged) for player in players)
    assert all(earlier < later for earlier, later in pairwise(seqs))

    outcome = match.outcome
    assert outcome is not None
    assert record.result is not None
    result = record.result
    assert (result.winner, result.reason, result.scores) == (outcome.winner, outcome.reason, outcome.scores)

    final = game.scene(match.state)
    for player in players:
        check_replica(player.replica, record)
        assert player.replica.scene.pieces == final.pieces
    assert players[0].replica.scene == players[1].replica.scene


def check_replica(replica: RoomReplica, record: Record) -> None:
    """Check that a client that followed the game has seen all of it."""
    assert replica.in_sync
    assert tuple(replica.moves) == tuple(recorded.move for recorded in record.moves)
    assert replica.result == record.result
