"""The lobby as a whole: cancelling, and a store that is down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from redis.asyncio import Redis

from parlour.protocol.messages import Accept, Cancel, Challenge, Ok, Paired, Queue, Seek
from tests.server.matchmaking.pairing_checks import ISAAC
from tests.server.running_node import running_node
from tests.server.store.private_valkey import PrivateValkey

QUEUE, SEEK = Queue(id=0, terms=ISAAC), Seek(id=0, terms=ISAAC)


async def test_a_repeated_cancel(valkey: str, redis: Redis) -> None:
    """A repeated cancel gets the first reply again, although there is nothing left to cancel."""
    async with running_node(valkey) as node:
        ada = await node.call()
        seeks = [(await ada.ask(made)).seek for made in (QUEUE, SEEK, Challenge(id=0, terms=ISAAC))]
        for id, seek in enumerate(seeks, 50):
            first = await ada.ask(Cancel(id=0, seek=seek), id)
            assert isinstance(first, Ok)
            assert await ada.ask(Cancel(id=0, seek=seek), id) == first
            assert await ada.code(Cancel(id=0, seek=seek)) == "invite_unknown"


async def test_without_the_store(start_valkey: Callable[..., PrivateValkey]) -> None:
    """While the store is down every command is answered once, with try_again, and works when the store is back."""
    valkey = start_valkey("--appendonly", "yes", "--appendfsync", "always")
    async with running_node(valkey.url) as node:
        ada, ben = await node.call(), await node.call()
        valkey.kill()
        await node.until(lambda: not node.store.pipeline.up)
        commands = (QUEUE, SEEK, Challenge(id=0, terms=ISAAC), Accept(id=0, seek="x"), Cancel(id=0, seek="x"))
        for command in commands:
            assert await ada.code(command) == "try_again"
        valkey.start()
        await asyncio.gather(node.store.pipeline.ready(), node.store.pubsub.ready())
        assert isinstance(await ada.ask(QUEUE), Ok)
        assert isinstance(await ben.ask(QUEUE), Ok)
        assert (await ada.hears(Paired)).room == (await ben.hears(Paired)).room
