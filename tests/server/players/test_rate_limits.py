"""Rate limits: the code of each, what it is counted for, and that it recovers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal, Retry
from parlour.protocol.messages import CreateBot, Hello, Refused, Register, SignedIn, SignIn
from parlour.server.players.rate_limits import PLAYERS_PER_ADDRESS, Action, RateLimits
from parlour.server.settings import Settings
from parlour.server.store.keys import Keys
from tests.server.running_node import Caller, RunningNode, running_node

keys = Keys()

PASSWORD = "wooden bishop"


def rates(each: int) -> dict[str, Any]:
    """Return settings that limit every action to this many a minute."""
    return {f"{action.name.lower()}_rate": each for action in Action}


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    """A node that allows three of every action a minute."""
    async with running_node(valkey, **rates(3)) as running:
        yield running


async def let_a_minute_pass(redis: Redis) -> None:
    """Restore all budgets."""
    for key in await redis.keys(keys.budget("*")):
        await redis.delete(key)


def test_every_action_can_be_retried_later() -> None:
    """The code of every limit allows a retry, and its default is generous."""
    settings = Settings()
    for action in Action:
        assert action.code.retry is Retry.LATER
        assert getattr(settings, f"{action.name.lower()}_rate") >= 10


async def test_new_guests(node: RunningNode, redis: Redis) -> None:
    """An address gets a limited number of new guests; players with a token can connect, and new guests can later."""
    ann, _, _ = [await node.call() for _ in range(3)]
    late = await node.call(greet=False)
    await late.send(Hello("test"))
    refused = await late.hears(Refused)
    assert refused.code == ErrorCode.TOO_MANY_NAMES
    assert refused.text == "Too many new guests in a short time. Try again in 20 seconds."
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


async def test_many_names_from_one_address(node: RunningNode) -> None:
    """Trying one password with many names is limited by address."""
    await node.call()
    (session,) = node.node.dispatcher.sessions
    limits = RateLimits(node.store.budgets, StoppedClock(), Settings(sign_in_rate=1))  # type: ignore[arg-type]
    for number in range(PLAYERS_PER_ADDRESS):
        await limits.check(Action.SIGN_IN, session, f"ann{number}")
    with pytest.raises(Refusal, match="Too many sign-ins") as refused:
        await limits.check(Action.SIGN_IN, session, "another")
    assert refused.value.code is ErrorCode.TOO_MANY_SIGN_INS


@pytest.mark.parametrize(
    ("action", "code"),
    [(Action.SEEK, ErrorCode.TOO_MANY_SEEKS), (Action.CHALLENGE, ErrorCode.TOO_MANY_CHALLENGES)],
)
async def test_players_are_counted_separately(node: RunningNode, action: Action, code: ErrorCode) -> None:
    """Seeks and invitations are counted for each player, so that others at the same address are not affected."""
    await node.call()
    await node.call()
    one, other = node.node.dispatcher.sessions
    for _ in range(3):
        await node.node.rate_limits.check(action, one)
    for _ in range(3):
        await node.node.rate_limits.check(action, other)
    with pytest.raises(Refusal, match=f"Too many {action.plural}") as refused:
        await node.node.rate_limits.check(action, one)
    assert refused.value.code is code


async def test_no_limit(valkey: str, redis: Redis) -> None:
    """A rate of 0 means no limit, and nothing is counted."""
    async with running_node(valkey, **rates(0)) as node:
        await node.call()
        (session,) = node.node.dispatcher.sessions
        for action in Action:
            for _ in range(50):
                await node.node.rate_limits.check(action, session)
    assert await redis.keys(keys.budget("*")) == []


async def test_nodes_count_together(valkey: str, redis: Redis) -> None:
    """All nodes share the same budgets."""
    async with running_node(valkey, "one", guest_rate=2) as one, running_node(valkey, "two", guest_rate=2) as two:
        await one.call()
        await two.call()
        for node in (one, two):
            late = await node.call(greet=False)
            await late.send(Hello("test"))
            assert (await late.hears(Refused)).code == ErrorCode.TOO_MANY_NAMES
