"""Sessions: commands of one player's connections are kept apart, and a session's commands are recognised."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from parlour import games
from parlour.games.match import Match
from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    Challenge,
    Command,
    Create,
    Cursor,
    Join,
    Moved,
    Offer,
    Ok,
    Paired,
    Play,
    Queue,
    Register,
    Resign,
    Room,
    Said,
    Say,
    Seek,
    SignedIn,
    SignIn,
)  # fmt: skip
from parlour.protocol.types import Terms
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.two_nodes import two_nodes
from tests.server.running_node import Caller

LINES = 5  # that each connection says
PASSWORD = "correct horse battery"
REPLICA, ISAAC = Terms("replica"), Terms("isaac")


class Callers:
    """Connections to real servers, closed at the end of the test."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack

    async def call(self, url: str, token: str | None = None, session: str | None = None, *rooms: Cursor) -> Caller:
        """Connect as a new guest, or with a token and a session."""
        subprotocols = [Subprotocol(MSGPACK.subprotocol)]
        caller = Caller(await self._stack.enter_async_context(connect(url, subprotocols=subprotocols, max_size=None)))
        await caller.hello(token, rooms, session=session)
        return caller


@pytest.fixture
async def callers() -> AsyncIterator[Callers]:
    async with AsyncExitStack() as stack:
        yield Callers(stack)


async def sit_down(first: Caller, second: Caller) -> str:
    """Start a game of Replica between two players, which both join; return its room."""
    code = (await first.ask(Challenge(id=0, terms=REPLICA, seat="first"), 1)).seek
    room: str = (await second.ask(Accept(id=0, seek=code), 1)).room
    for caller in (first, second):
        await caller.hears(Paired, lambda paired: paired.room == room)
        assert isinstance(await caller.ask(Join(id=0, room=room), 2), Room)
    return room


def new_match() -> Match[Any]:
    game = games.find("replica")
    return Match(game, game.options({}))


def turn(room: str, match: Match[Any]) -> Play:
    """Return the first legal turn, and make it in `match`."""
    ply, move = len(match.moves), match.game.moves(match.state)[0]
    match.play(move)
    return Play(id=0, room=room, ply=ply, picks=tuple(move))


async def check_same_ids(callers: Callers, ones_url: str, twos_url: str) -> None:
    """Let two connections of one player use the same ids, at the same time and in turn."""
    one, ben = await callers.call(ones_url), await callers.call(twos_url)
    room = await sit_down(one, ben)
    two = await callers.call(twos_url, one.token)
    assert two.session_id != one.session_id
    assert isinstance(await two.ask(Join(id=0, room=room), 2), Room)

    for id in range(10, 10 + LINES):
        says = [caller.ask(Say(id=0, room=room, text=f"{name} {id}"), id) for name, caller in (("1", one), ("2", two))]
        assert await asyncio.gather(*says) == [Ok(id=id)] * 2
    said = [(await ben.hears(Said)).text for _ in range(2 * LINES)]
    assert sorted(said) == sorted(f"{name} {id}" for name in "12" for id in range(10, 10 + LINES))

    kinds = (one, REPLICA), (two, ISAAC)
    creates = [caller.ask(Create(id=0, terms=terms, levels=(None, "1")), 30) for caller, terms in kinds]
    for created, (caller, terms) in zip(await asyncio.gather(*creates), kinds, strict=True):
        assert (await caller.ask(Join(id=0, room=created.room), 31)).terms.game == terms.game

    match = new_match()
    for caller, id in ((one, 40), (ben, 40), (two, 40), (ben, 41)):
        ok = await caller.ask(turn(room, match), id)
        assert isinstance(ok, Ok), ok
        # The next turn is sent when every connection has seen this one.
        for each in (one, two, ben):
            moved = await each.hears(Moved)
            assert (moved.epoch, moved.seq) == (ok.epoch, ok.seq)
    assert len((await one.ask(Join(id=0, room=room), 50)).moves) == len(match.moves) == 4


async def test_two_connections_with_the_same_ids(server: ServerProcess, callers: Callers) -> None:
    """Every command of both connections takes effect once, and each answer belongs to its own command."""
    await check_same_ids(callers, server.url, server.url)
    assert server.errors == []


async def test_two_nodes_with_the_same_ids(make_server: MakeServer, tmp_path: Path, callers: Callers) -> None:
    """The same, with the two connections of the player on different nodes."""
    async with two_nodes(make_server, tmp_path) as ((one, two), _):
        await check_same_ids(callers, one.url, two.url)
        assert [node.errors for node in (one, two)] == [[], []]


async def test_an_id_is_used_for_another_command(server: ServerProcess, callers: Callers) -> None:
    """Every kind of command that changes something is refused with id_reused then, and changes nothing."""
    ada, ben = await callers.call(server.url), await callers.call(server.url)
    room = await sit_down(ada, ben)
    match = new_match()
    account = Register(id=0, name="Ann", password=PASSWORD)
    assert isinstance(await (await callers.call(server.url)).ask(account), SignedIn)
    first = turn(room, match)
    pairs: list[tuple[Command, Command]] = [
        (first, Play(id=0, room=room, ply=2, picks=first.picks)),
        (Offer(id=0, room=room, kind="draw"), Offer(id=0, room=room, kind="takeback")),
        (Say(id=0, room=room, text="Hello"), Say(id=0, room=room, text="Good luck")),
        (Seek(id=0, terms=ISAAC), Seek(id=0, terms=REPLICA)),
        (Challenge(id=0, terms=ISAAC), Challenge(id=0, terms=REPLICA)),
        (Queue(id=0, terms=ISAAC), Queue(id=0, terms=REPLICA)),
        (Create(id=0, terms=ISAAC, levels=(None, "1")), Create(id=0, terms=ISAAC, levels=("1", None))),
        (SignIn(id=0, name="Ann", password=PASSWORD), SignIn(id=0, name="Ann", password="wrong")),
        (Resign(id=0, room=room), Offer(id=0, room=room, kind="rematch")),
    ]
    for id, (command, other) in enumerate(pairs, 10):
        answer = await ada.ask(command, id)
        assert isinstance(answer, Ok | SignedIn), answer
        assert await ada.code(other, id) == ErrorCode.ID_REUSED
        assert await ada.ask(command, id) == answer
    whole = await ben.ask(Join(id=0, room=room), 50)
    assert (len(whole.moves), whole.offers, whole.status) == (1, (), "over")
    assert {said.text for said in ben.has_heard(Said)} == {"Hello"}


async def test_a_command_is_sent_again_after_a_crash(server: ServerProcess, callers: Callers) -> None:
    """A client that reconnects with its session gets the original answer to each command, and none is done twice."""
    ada, ben = await callers.call(server.url), await callers.call(server.url)
    room = await sit_down(ada, ben)
    match = new_match()
    commands: list[Command] = [
        turn(room, match),
        Offer(id=0, room=room, kind="draw"),
        Queue(id=0, terms=ISAAC),
        Seek(id=0, terms=ISAAC),
        Challenge(id=0, terms=ISAAC),
        Create(id=0, terms=ISAAC, levels=(None, "1")),
    ]
    answers = [await ada.ask(command, id) for id, command in enumerate(commands, 10)]
    assert all(isinstance(answer, Ok) for answer in answers)

    await server.kill()
    await server.start()

    again = await callers.call(server.url, ada.token, ada.session_id, Cursor(room, 1, 1))
    assert [await again.ask(command, id) for id, command in enumerate(commands, 10)] == answers
    other = await callers.call(server.url, ada.token, None, Cursor(room, 1, 1))
    assert await other.code(commands[0], 10) == ErrorCode.STALE_PLY
    whole = await again.ask(Join(id=0, room=room), 50)
    assert (len(whole.moves), whole.offers) == (1, ("0:draw",))
    assert server.errors == []
