"""Players that play random legal moves, one game after another."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

from parlour.chaos.observations import Attempt
from parlour.chaos.recorder import Recorder
from parlour.client import Client, Table, Turn
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import ChooseFirst, Command, Moved, Ok, Play, Presence, Refused, Resign, Room
from parlour.protocol.types import Clock, Terms

# Longer than any fault of a single node, shorter than the longest outage of the store.
CLOCK = Clock("move", main=18_000)

TRY_AGAIN_AFTER = 1.0  # seconds, when a game could not be agreed on


class Player:
    """One client that plays any game it is in, and records everything about it."""

    def __init__(self, client: Client, recorder: Recorder, rng: Random, pace: float, ending: asyncio.Event) -> None:
        """`pace` is the mean time for a move, in seconds. When `ending` is set, the player to move resigns."""
        self.client = client
        self._recorder = recorder
        self._rng = rng
        self._pace = pace
        self._ending = ending

    @property
    def name(self) -> str:
        return self.client.you.name

    async def play(self, table: Table) -> None:
        """Play a game to its end, and leave the table."""
        acted = -1  # the ply of the last attempt
        claim: asyncio.Task[None] | None = None
        async for event in table:
            match event:
                case Moved():
                    self._recorder.show(event)
                case Room():
                    acted = -1  # a new copy of the game, which is authoritative
                case Presence():
                    _cancel(claim)
                    claim = asyncio.create_task(self._claim(table, event.claim_in))
            if table.result is not None:
                break
            if table.ply != acted and self._is_to_act(table):
                acted = table.ply
                await self._act(table)
        _cancel(claim)
        self._recorder.view(self.name, table.replica)
        await table.leave()

    async def _claim(self, table: Table, after: int | None) -> None:
        """Claim the win when the opponent has been offline for long enough, as far as the server knows."""
        if after is not None:
            await asyncio.sleep(after / 1000)
            with suppress(Refusal, ConnectionError):
                await table.claim()

    def _is_to_act(self, table: Table) -> bool:
        return table.turn is not None or self._chooses(table)

    def _chooses(self, table: Table) -> bool:
        return table.status == "choosing" and table.replica.chooser == table.seat

    async def _act(self, table: Table) -> None:
        attempt = self._recorder.begin(self.name, table.room, table.ply)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pace * self._rng.uniform(0.5, 1.5)):
                await self._ending.wait()
        command = await self._choose(table)
        if command is None:
            attempt.dropped = self._recorder.now
        else:
            await self._send(command, attempt)

    async def _choose(self, table: Table) -> Command | None:
        """Return any legal command; None if the game is over or it is not this player's turn any more."""
        if self._chooses(table):
            return ChooseFirst(id=0, room=table.room, go_first=self._rng.random() < 0.5)
        turn = table.turn
        if turn is None:
            return None
        if self._ending.is_set():
            return Resign(id=0, room=table.room)
        try:
            turn = await self._complete(table, turn)
        except Refusal:
            return None  # the position has changed, and there will be new choices
        return Play(id=0, room=table.room, ply=turn.ply, picks=turn.picks)

    async def _complete(self, table: Table, turn: Turn) -> Turn:
        while not turn.complete:
            turn = await table.explore(turn) if turn.unexplored else turn.pick(self._rng.choice(turn.legal_picks).place)
        return turn

    async def _send(self, command: Command, attempt: Attempt) -> None:
        attempt.sent = self._recorder.now
        answer = await self.client.connection.send(command)
        attempt.answered = self._recorder.now
        match answer:
            case Ok():
                attempt.id, attempt.seq = answer.id, answer.seq
            case Refused():
                attempt.id, attempt.refusal = answer.id, answer.code


class Opponents:
    """Two players, or one and the computer, who play one game after another."""

    def __init__(self, number: int, players: tuple[Player, ...], games: tuple[str, ...], ending: asyncio.Event) -> None:
        """One player plays against the computer."""
        self.room: str | None = None  # of the current game
        self.finished = 0  # games
        self._next = number  # number of the next game, which decides what is played
        self._players = players
        self._games = games
        self._ending = ending

    async def run(self) -> None:
        """Play until the end."""
        while not self._ending.is_set():
            try:
                tables = await self._meet()
            except Refusal:
                await asyncio.sleep(TRY_AGAIN_AFTER)
                continue
            self.room = tables[0].room
            async with asyncio.TaskGroup() as group:
                for player, table in zip(self._players, tables, strict=True):
                    group.create_task(player.play(table))
            self.room = None
            self.finished += 1

    async def _meet(self) -> list[Table]:
        """Start the next game, and return it as each player sees it."""
        number, self._next = self._next, self._next + 1
        game = self._games[number % len(self._games)]
        if len(self._players) == 1:
            (player,) = self._players
            levels = next(card.levels for card in player.client.games if card.key == game)
            return [await player.client.play_computer(Terms(game), levels[0].key, number % 2)]
        host, guest = self._players
        pending = await host.client.challenge(Terms(game, clock=CLOCK, rated=True))
        accepted = await guest.client.accept(pending.seek)
        return [await host.client.join(accepted.room), accepted]


def _cancel(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
