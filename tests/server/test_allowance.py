"""How often one may: the code of each limit, whom it is counted for, and that it goes by."""

from __future__ import annotations

from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Retry
from parlour.protocol.messages import Hello, MakeBot, Refused, Register, SignedIn, SignIn
from parlour.server.allowance import PLAYERS_PER_ADDRESS, Kind
from parlour.server.config import Settings
from parlour.server.store import keys
from tests.server.running_node import Caller, RunningNode, running_node

PASSWORD = "wooden bishop"


def rates(each: int) -> dict[str, Any]:
    """The settings that limit everything to so many a minute."""
    return {f"{kind.name.lower()}_rate": each for kind in Kind}


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    """A node that allows three of everything in a minute."""
    async with running_node(valkey, **rates(3)) as running:
        yield running


async def forgive(redis: Redis) -> None:
    """What a minute does."""
    for key in await redis.keys(keys.budget("*")):
        await redis.delete(key)


def test_every_kind_can_be_tried_again_later() -> None:
    """A limit is no verdict: its code says so, and its setting is generous."""
    settings = Settings()
    for kind in Kind:
        assert kind.code.retry is Retry.LATER
        assert getattr(settings, f"{kind.name.lower()}_rate") >= 10


async def test_new_guests(node: RunningNode, redis: Redis) -> None:
    """An address gets so many new guests; those who have a token come in all the same, and new ones do later."""
    ann, _, _ = [await node.call() for _ in range(3)]
    late = await node.call(greet=False)
    await late.send(Hello("test"))
    refused = await late.hears(Refused)
    assert refused.code == ErrorCode.TOO_MANY_NAMES
    assert refused.text == "Too many new guests in a short time: try again in 20 seconds."
    await node.call(ann.token)
    await forgive(redis)
    await late.hello()


async def test_names(node: RunningNode, redis: Redis) -> None:
    """Accounts and bots are counted together, by address."""
    ann, ben = await node.call(), await node.call()
    for number, caller in enumerate((ann, ben)):
        answer = await caller.ask(Register(id=0, name=f"Ann {number}", password=PASSWORD))
        assert isinstance(answer, SignedIn), answer
    assert isinstance(await ann.ask(MakeBot(id=0, name="Robbie")), SignedIn)
    assert await ann.code(MakeBot(id=0, name="Robot")) == ErrorCode.TOO_MANY_NAMES
    await forgive(redis)
    assert isinstance(await ann.ask(MakeBot(id=0, name="Robot")), SignedIn)


async def test_sign_ins(node: RunningNode, redis: Redis) -> None:
    """Passwords for one name can be tried so often, by all together, in whatever capitals; other names are free."""
    ann, ben = await node.call(), await node.call()
    await ann.ask(Register(id=0, name="Ann", password=PASSWORD))

    async def tried(caller: Caller, name: str, password: str = "wrong") -> str:
        return await caller.code(SignIn(id=0, name=name, password=password))

    tries = [await tried(caller, name) for caller, name in ((ann, "ann"), (ben, "Ann"), (ben, "ANN"))]
    assert tries == [ErrorCode.SIGN_IN_REFUSED] * 3
    assert await tried(ben, "ann") == ErrorCode.TOO_MANY_SIGN_INS
    assert await tried(ann, "Ann", PASSWORD) == ErrorCode.TOO_MANY_SIGN_INS
    assert await tried(ben, "Carl") == ErrorCode.SIGN_IN_REFUSED
    await forgive(redis)
    assert isinstance(await ben.ask(SignIn(id=0, name="Ann", password=PASSWORD)), SignedIn)


async def test_many_names_from_one_address(valkey: str, redis: Redis) -> None:
    """Whoever tries one password with many names is stopped too, but for what comes back meanwhile."""
    async with running_node(valkey, sign_in_rate=1) as node:
        ann = await node.call()
        tried, began = 0, monotonic()
        while (code := await ann.code(SignIn(id=0, name=f"Ann {tried}", password=PASSWORD))) == "sign_in_refused":
            tried += 1
    assert code == ErrorCode.TOO_MANY_SIGN_INS
    assert 0 <= tried - PLAYERS_PER_ADDRESS <= (monotonic() - began) * PLAYERS_PER_ADDRESS / 60


@pytest.mark.parametrize(
    ("kind", "code"),
    [(Kind.SEEK, ErrorCode.TOO_MANY_SEEKS), (Kind.CHALLENGE, ErrorCode.TOO_MANY_CHALLENGES)],
)
async def test_players_have_their_own(node: RunningNode, kind: Kind, code: ErrorCode) -> None:
    """Seeks and invitations are counted for each player, so that others at the same address go on."""
    await node.call()
    await node.call()
    one, other = node.node.visitors
    for _ in range(3):
        await node.node.allowance.check(kind, one)
    for _ in range(3):
        await node.node.allowance.check(kind, other)
    with pytest.raises(Exception, match=f"Too many {kind.words}") as refused:
        await node.node.allowance.check(kind, one)
    assert refused.value.code is code  # type: ignore[attr-defined]


async def test_no_limit(valkey: str, redis: Redis) -> None:
    """A limit of 0 is none, and nothing is counted."""
    async with running_node(valkey, **rates(0)) as node:
        await node.call()
        (visitor,) = node.node.visitors
        for kind in Kind:
            for _ in range(50):
                await node.node.allowance.check(kind, visitor)
    assert await redis.keys(keys.budget("*")) == []


async def test_nodes_count_together(valkey: str, redis: Redis) -> None:
    """What was spent at one node is spent at the other."""
    async with running_node(valkey, "one", guest_rate=2) as one, running_node(valkey, "two", guest_rate=2) as two:
        await one.call()
        await two.call()
        for node in (one, two):
            late = await node.call(greet=False)
            await late.send(Hello("test"))
            assert (await late.hears(Refused)).code == ErrorCode.TOO_MANY_NAMES
