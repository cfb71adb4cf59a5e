"""A person with a real client, who does one thing after the other and waits for what must follow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from parlour.client.connection import Connection, RefusedError
from parlour.protocol.messages import (
    Accept,
    Challenge,
    Choices,
    Command,
    Explore,
    Join,
    Ok,
    Paired,
    Play,
    Room,
    Welcome,
)
from parlour.protocol.messages import ServerMessage as AnyMessage
from parlour.protocol.replica import RoomReplica
from parlour.protocol.types import Clock, OptionValue, Pick, Terms
from tests.inbox import Inbox
from tests.waiting import WITHIN

M = TypeVar("M")


class Person:
    """Keeps messages until they are asked for, so nothing depends on their order."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.room = ""  # the table at which this person sits
        self._inbox = Inbox(connection.news.get)

    @property
    def name(self) -> str:
        assert self.connection.welcome is not None
        return self.connection.welcome.you.name

    @property
    def table(self) -> RoomReplica:
        return self.connection.rooms[self.room]

    # -- asking

    async def asks(self, command: Command) -> AnyMessage:
        """Send a command and return the answer."""
        async with asyncio.timeout(WITHIN):
            return await self.connection.call(command)

    async def does(self, command: Command) -> Ok:
        """Send a command that is answered with ok."""
        answer = await self.asks(command)
        assert isinstance(answer, Ok), answer
        return answer

    async def cannot(self, command: Command) -> str:
        """Return the code with which a command is refused."""
        try:
            answer = await self.asks(command)
        except RefusedError as refused:
            assert refused.sentence.endswith(".")
            return refused.code
        raise AssertionError(f"{command} was not refused but answered by {answer}")

    async def joins(self, room: str) -> RoomReplica:
        """Join a room."""
        answer = await self.asks(Join(id=0, room=room))
        assert isinstance(answer, Room), answer
        self.room = room
        return self.table

    # -- waiting

    async def hears(self, kind: type[M], fits: Callable[[M], bool] = lambda _: True) -> M:
        """Return the first message of a kind that fits and was not returned before."""
        return await self._inbox.take(kind, fits)

    async def sees(self, fits: Callable[[RoomReplica], bool]) -> RoomReplica:
        """Return the room once it fits."""
        async with asyncio.timeout(WITHIN):
            while not fits(self.table):
                await self._inbox.more()
        return self.table

    def has_heard(self, kind: type[M]) -> list[M]:
        """Return the messages of a kind that were received and not asked for."""
        while not self.connection.news.empty():
            self._inbox.keep(self.connection.news.get_nowait())
        return self._inbox.of(kind)

    # -- playing

    async def plays(self) -> str:
        """Make the first turn that is offered, when it is this person's turn; return the move as text."""
        ply = len((await self.sees(lambda table: table.scene.to_move == table.seat)).moves)
        choices = await self.hears(Choices, lambda choices: choices.ply == ply and choices.id is None)
        step, picks = choices.step, choices.picks
        while True:
            pick = step.picks[0]
            place = pick.place if isinstance(pick, Pick) else pick
            picks = (*picks, place)
            if isinstance(pick, Pick) and pick.more:
                answer = await self.asks(Explore(id=0, room=self.room, ply=ply, picks=picks))
                assert isinstance(answer, Choices)
                step = answer.step
            elif isinstance(pick, Pick) and pick.then is not None:
                step = pick.then
            else:
                break
        await self.does(Play(id=0, room=self.room, ply=ply, picks=picks))
        return (await self.sees(lambda table: len(table.moves) > ply)).moves[ply]


@asynccontextmanager
async def people(url: str, *names: str) -> AsyncIterator[list[Person]]:
    """Connect some people to a server, and wait for their welcome."""
    async with AsyncExitStack() as stack:
        found = [Person(await stack.enter_async_context(Connection([url], name=name))) for name in names]
        for person in found:
            await person.hears(Welcome)
        yield found


async def sit_down(
    first: Person,
    second: Person,
    game: str = "replica",
    clock: Clock | None = None,
    options: dict[str, OptionValue] | None = None,
) -> str:
    """Let the first person invite the second, who accepts; both join. Return the room."""
    terms = Terms(game, options or {}, clock or Clock())
    invitation = await first.does(Challenge(id=0, terms=terms, seat="first"))
    assert invitation.seek is not None
    accepted = await second.does(Accept(id=0, seek=invitation.seek))
    assert accepted.room is not None
    for person in (first, second):
        await person.hears(Paired, lambda paired: paired.room == accepted.room)
        await person.joins(accepted.room)
    return accepted.room
