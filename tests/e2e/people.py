"""Somebody at a real client who does one thing after the other, and waits for what must follow."""

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
from parlour.protocol.mirror import Mirror
from parlour.protocol.tables import Clock, OptionValue, Pick, Terms
from tests.inbox import Inbox
from tests.waiting import WITHIN

M = TypeVar("M")


class Person:
    """Keeps what came until it is asked for, so nothing depends on what comes first."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.room = ""  # the table at which this person sits
        self._inbox = Inbox(connection.news.get)

    @property
    def name(self) -> str:
        assert self.connection.welcome is not None
        return self.connection.welcome.you.name

    @property
    def table(self) -> Mirror:
        return self.connection.rooms[self.room]

    # -- asking

    async def asks(self, command: Command) -> AnyMessage:
        """Have a command carried out; the answer to it."""
        async with asyncio.timeout(WITHIN):
            return await self.connection.call(command)

    async def does(self, command: Command) -> Ok:
        """Have a command carried out that is answered by ok."""
        answer = await self.asks(command)
        assert isinstance(answer, Ok), answer
        return answer

    async def cannot(self, command: Command) -> str:
        """The code with which a command is refused."""
        try:
            answer = await self.asks(command)
        except RefusedError as refused:
            assert refused.sentence.endswith(".")
            return refused.code
        raise AssertionError(f"{command} was not refused but answered by {answer}")

    async def joins(self, room: str) -> Mirror:
        """Sit down at a table, or watch it."""
        answer = await self.asks(Join(id=0, room=room))
        assert isinstance(answer, Room), answer
        self.room = room
        return self.table

    # -- waiting

    async def hears(self, kind: type[M], fits: Callable[[M], bool] = lambda _: True) -> M:
        """The first message of a kind that fits and was not given before."""
        return await self._inbox.take(kind, fits)

    async def sees(self, fits: Callable[[Mirror], bool]) -> Mirror:
        """The table, once it is like that."""
        async with asyncio.timeout(WITHIN):
            while not fits(self.table):
                await self._inbox.more()
        return self.table

    def has_heard(self, kind: type[M]) -> list[M]:
        """What came of a kind and was not asked for."""
        while not self.connection.news.empty():
            self._inbox.keep(self.connection.news.get_nowait())
        return self._inbox.of(kind)

    # -- playing

    async def plays(self) -> str:
        """Make the first turn that is offered, when it is one's turn; the move as text."""
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
    """Some people at a server, past their welcome."""
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
    """Let the first one invite the second one, who accepts, and both join; the room."""
    terms = Terms(game, options or {}, clock or Clock())
    invitation = await first.does(Challenge(id=0, terms=terms, seat="first"))
    assert invitation.seek is not None
    accepted = await second.does(Accept(id=0, seek=invitation.seek))
    assert accepted.room is not None
    for person in (first, second):
        await person.hears(Paired, lambda paired: paired.room == accepted.room)
        await person.joins(accepted.room)
    return accepted.room
