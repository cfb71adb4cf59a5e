"""A node that cannot reach its store releases its players, who go on elsewhere and lose no time by it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from parlour.client.connection import Connection
from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Closing, Hello, Refused, RoomEvent, Welcome
from parlour.protocol.types import Clock
from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.conftest import MakeServer
from tests.e2e.people import Person, sit_down
from tests.e2e.processes import ServerProcess
from tests.e2e.web import ask
from tests.server.connections.raw_client import BINARY, RawClient, frame
from tests.server.store_proxy import store_proxy
from tests.waiting import until

CLOCK = Clock("move", main=4_000)  # milliseconds; longer than it takes until the outage is noticed


async def test_players_of_a_node_that_is_cut_off_go_on_elsewhere(make_server: MakeServer, tmp_path: Path) -> None:
    """Only this node's path to the store is frozen: its player is told to leave, comes back, and moves in time.

    Meanwhile the node is not ready and refuses new players; afterwards it serves players as before.
    """
    async with (
        EmbeddedStore(tmp_path / "store") as store,
        store_proxy(store.url) as (path, frozen_url),
        AsyncExitStack() as stack,
    ):
        cut_off, other = make_server("--redis", frozen_url, data="one"), make_server("--redis", store.url, data="two")
        await asyncio.gather(cut_off.start(), other.start())
        ada = Person(await stack.enter_async_context(Connection([cut_off.url, other.url])))
        bob = Person(await stack.enter_async_context(Connection([other.url])))
        for person in (ada, bob):
            await person.hears(Welcome)
        await sit_down(ada, bob, clock=CLOCK)
        await ada.plays()
        await bob.plays()  # from now on Ada's time runs

        path.freeze()
        closing = await ada.hears(Closing)
        assert closing.code == CloseCode.UNAVAILABLE
        await until(lambda: answers(cut_off, 503))
        visitor = await RawClient.open(cut_off.port)
        await visitor.send(frame(BINARY, MSGPACK.encode(Hello())))
        refused = MSGPACK.decode_server(await visitor.message())
        visitor.close()
        assert isinstance(refused, Refused)
        assert (refused.code, refused.id) == (ErrorCode.TRY_AGAIN, None)

        await ada.plays()
        await bob.plays()
        await path.thaw()
        await until(lambda: answers(cut_off, 200))
        late = Person(await stack.enter_async_context(Connection([cut_off.url])))
        await late.hears(Welcome)

        ended = await bob.hears(RoomEvent, lambda told: told.kind == "ended")  # Ada does not move any more
        assert ended.result is not None
        assert (ended.result.reason, ended.result.winner) == ("flag", 1)
        await cut_off.stop()
        await other.stop()


async def answers(node: ServerProcess, status: int) -> bool:
    """Return whether a node's readiness probe answers with this status."""
    return (await ask(node, "/readyz")).status == status
