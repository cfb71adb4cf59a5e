"""Limits per minute: the code of each, who pays, and that they recover."""

from __future__ import annotations

from collections.abc import AsyncIterator
from ipaddress import ip_network
from typing import Any

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Assess,
    Challenge,
    Create,
    CreateBot,
    GetRecord,
    GetRules,
    Hello,
    Message,
    Refused,
    Register,
    Rules,
    Say,
    Seek,
    SignedIn,
    SignIn,
)  # fmt: skip
from parlour.protocol.types import Terms
from parlour.server.configuration.settings import Settings
from parlour.server.limits.accounting import Accounting
from parlour.server.limits.costs import PICTURE_COST, Resource
from parlour.server.sessions.session import Session
from parlour.server.store.keys import Keys
from tests.server.running_node import LIMITS, Caller, RunningNode, running_node

keys = Keys()

PASSWORD = "wooden bishop"
ISAAC = Terms("isaac")


def rates(each: int) -> dict[str, Any]:
    """Return settings that limit every resource to this much a minute, for tests too."""
    return {resource.setting: each for resource in Resource} | {"unlimited_networks": ()}


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    """A node that allows three of every action a minute."""
    async with running_node(valkey, **rates(3)) as running:
        yield running


async def let_a_minute_pass(redis: Redis) -> None:
    """Restore all budgets."""
    for key in await redis.keys(keys.budget("*")):
        await redis.delete(key)


async def test_new_guests(node: RunningNode, redis: Redis) -> None:
    """An address gets a limited number of new guests; players with a token can connect, and new guests can later."""
    ann, _, _ = [await node.call() for _ in range(3)]
    late = await node.call(greet=False)
    await late.send(Hello("test"))
    refused = await late.hears(Refused)
    assert refused.code == ErrorCode.TOO_MANY_NAMES
    assert refused.text == "Too many new guests in a short time. Try again in 20 seconds."
    assert refused.retry_after is not None
    assert 19_000 < refused.retry_after <= 20_000
    await node.call(ann.token)
    await let_a_minute_pass(redis)
    await late.hello()


async def test_names(node: RunningNode, redis: Redis) -> None:
    """Accounts and bots are counted together, by address."""
    ann, ben = await node.call(), await node.call()
    for number, caller in enumerate((ann, ben)):
        answer = await caller.ask(Register(id=0, name=f"Ann {number}", password=PASSWORD))
        assert isinstance(answer, SignedIn), answer
    assert isinstance(await ann.ask(CreateBot(id=0, name="Robbie")), SignedIn)
    assert await ann.code(CreateBot(id=0, name="Robot")) == ErrorCode.TOO_MANY_NAMES
    await let_a_minute_pass(redis)
    assert isinstance(await ann.ask(CreateBot(id=0, name="Robot")), SignedIn)


async def test_sign_ins(node: RunningNode, redis: Redis) -> None:
    """Sign-ins to one name are limited for all players together, in any case; other names are not affected."""
    ann, ben = await node.call(), await node.call()
    await ann.ask(Register(id=0, name="Ann", password=PASSWORD))

    async def try_to_sign_in(caller: Caller, name: str, password: str = "wrong") -> str:
        return await caller.code(SignIn(id=0, name=name, password=password))

    codes = [await try_to_sign_in(caller, name) for caller, name in ((ann, "ann"), (ben, "Ann"), (ben, "ANN"))]
    assert codes == [ErrorCode.SIGN_IN_REFUSED] * 3
    assert await try_to_sign_in(ben, "ann") == ErrorCode.TOO_MANY_SIGN_INS
    assert await try_to_sign_in(ann, "Ann", PASSWORD) == ErrorCode.TOO_MANY_SIGN_INS
    assert await try_to_sign_in(ben, "Carl") == ErrorCode.SIGN_IN_REFUSED
    await let_a_minute_pass(redis)
    assert isinstance(await ben.ask(SignIn(id=0, name="Ann", password=PASSWORD)), SignedIn)


class StoppedClock:
    """A clock that stands still, so that no budget recovers."""

    def now(self) -> int:
        return 1_800_000_000_000


def accounting(node: RunningNode, **settings: Any) -> Accounting:
    """Return the accounting of a node with other settings, for which no time passes."""
    return Accounting(node.store.budgets, StoppedClock(), Settings(**settings))  # type: ignore[arg-type]


async def allowed(accounting: Accounting, session: Session, message: Message, most: int) -> int:
    """Return how often a message is allowed, up to `most` times."""
    for number in range(most):
        try:
            await accounting.charge(session, message)
        except Refusal:
            return number
    return most


async def test_many_names_from_one_address(node: RunningNode) -> None:
    """Trying one password with many names is limited by address."""
    await node.call()
    (session,) = node.node.dispatcher.sessions
    limits = accounting(node, sign_in_rate=1, players_per_address=5)
    for number in range(5):
        await limits.charge(session, SignIn(id=1, name=f"ann{number}", password="x"))
    with pytest.raises(Refusal, match="Too many sign-ins") as refused:
        await limits.charge(session, SignIn(id=1, name="another", password="x"))
    assert refused.value.code is ErrorCode.TOO_MANY_SIGN_INS


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (Seek(id=1, terms=ISAAC), ErrorCode.TOO_MANY_SEEKS),
        (Challenge(id=1, terms=ISAAC), ErrorCode.TOO_MANY_CHALLENGES),
        (Say(id=1, room="room", text="Hello"), ErrorCode.TOO_MUCH_CHAT),
        (Create(id=1, terms=ISAAC, levels=("1", None)), ErrorCode.OVER_BUDGET),
        (Assess(id=1, room="room", ply=0), ErrorCode.OVER_BUDGET),
        (GetRecord(id=1, room="room"), ErrorCode.OVER_BUDGET),
    ],
    ids=["seek", "challenge", "chat", "create", "hint", "record"],
)
async def test_players_are_counted_separately(node: RunningNode, message: Message, code: ErrorCode) -> None:
    """Others at the same address are not affected, until the address has used its share."""
    for _ in range(3):
        await node.call()
    one, two, three = node.node.dispatcher.sessions
    rates = {"seek_rate": 2, "challenge_rate": 2, "chat_rate": 2, "engine_rate": 2, "processor_rate": 0.05}
    # A quarter of the players at an address chat at the same time.
    players = 8 if isinstance(message, Say) else 2
    limits = accounting(node, storage_rate=12_000, players_per_address=players, **rates)
    assert [await allowed(limits, session, message, 3) for session in (one, two)] == [2, 2]
    with pytest.raises(Refusal) as refused:
        await limits.charge(three, message)
    assert refused.value.code is code
    assert refused.value.retry_after is not None
    assert 0 < refused.value.retry_after <= 60_000


async def test_addresses_are_counted_separately(node: RunningNode) -> None:
    """All addresses of an IPv6 network share their budgets; an unlimited network has none."""
    limits = accounting(
        node, processor_rate=0.02, players_per_address=1, unlimited_networks=(ip_network("10.0.0.0/8"),)
    )
    await limits.charge_address("2001:db8::1", PICTURE_COST)
    with pytest.raises(Refusal, match="Try again in 60 seconds") as refused:
        await limits.charge_address("2001:db8::2", PICTURE_COST)
    assert refused.value.retry_after == 60_000
    await limits.charge_address("2001:db8:0:1::1", PICTURE_COST)
    for _ in range(3):
        await limits.charge_address("10.1.2.3", PICTURE_COST)


async def test_a_refusal_costs_nothing(node: RunningNode) -> None:
    """A command that one budget refuses spends nothing of the others."""
    await node.call()
    (session,) = node.node.dispatcher.sessions
    seek = Seek(id=1, terms=ISAAC)
    assert await allowed(accounting(node, seek_rate=10, storage_rate=2_000), session, seek, 10) == 2
    assert await allowed(accounting(node, seek_rate=10, storage_rate=0), session, seek, 10) == 8


async def test_no_limit(valkey: str, redis: Redis) -> None:
    """A rate of 0 means no limit, and nothing is counted."""
    async with running_node(valkey, **rates(0)) as node:
        await node.call()
        (session,) = node.node.dispatcher.sessions
        assert await allowed(node.node.accounting, session, Seek(id=1, terms=ISAAC), 50) == 50
    assert await redis.keys(keys.budget("*")) == []


async def test_nodes_count_together(valkey: str, redis: Redis) -> None:
    """All nodes share the same budgets."""
    async with (
        running_node(valkey, "one", guest_rate=2, unlimited_networks=()) as one,
        running_node(valkey, "two", guest_rate=2, unlimited_networks=()) as two,
    ):
        await one.call()
        await two.call()
        for node in (one, two):
            late = await node.call(greet=False)
            await late.send(Hello("test"))
            assert (await late.hears(Refused)).code == ErrorCode.TOO_MANY_NAMES


async def test_a_command_that_costs_more_counts_as_several_messages(valkey: str, redis: Redis) -> None:
    """It is refused with the time to wait when they are over the rate; an idle client may always send one."""
    few = replace(LIMITS, rate=0.1, burst=6)
    async with running_node(valkey, limits=few) as node:
        ann = await node.call()
        answers = [await ann.ask(GetRules(id=0, game="isaac")) for _ in range(2)]
        assert isinstance(answers[0], Rules)
        assert (answers[1].code, answers[1].retry_after > 1_000) == (ErrorCode.TOO_FAST, True)
