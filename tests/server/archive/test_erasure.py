"""A deleted player leaves the archive, and the chains of the records stay as they were."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.protocol.messages import GetRecord, ListGames, Resign
from parlour.protocol.types import Terms
from parlour.server.archive import verify
from parlour.server.archive.erasure import Erasure
from parlour.server.archive.record import DELETED, final_link
from tests.server.running_node import running_node
from tests.waiting import until


async def test_the_name_is_erased_and_the_chain_holds(valkey: str, redis: Redis) -> None:
    """The record that is served afterwards is valid and has the same chain as one that was downloaded before."""
    async with running_node(valkey) as node:
        sedge, thorn = await node.call(name="Sedge"), await node.call(name="Thorn")
        room = await node.table(Terms("isaac"), sedge, thorn)
        await sedge.ask(Resign(id=0, room=room))

        async def is_archived() -> bool:
            return bool((await thorn.ask(ListGames(id=0, player="Thorn"))).rows)

        await until(is_archived)
        before = await thorn.ask(GetRecord(id=0, room=room))
        id = await node.store.players.id_of("sedge")
        assert id is not None

        await node.store.moderation.delete(id)
        erasure = Erasure(node.node.database)
        assert await erasure.erase(id) == 1
        assert await erasure.erase(id) == 0
        for key in await redis.keys("*"):
            if room.encode() in key:
                await redis.delete(key)  # as after an hour
        node.registry.close()

        after = await thorn.ask(GetRecord(id=0, room=room))
        (listed,) = (await thorn.ask(ListGames(id=0, player="Thorn"))).rows
    assert [player.name for player in before.players] == ["Sedge", "Thorn"]
    for found in (after, listed):
        assert [player.name for player in found.players] == [DELETED, "Thorn"]
    assert "Sedge" not in after.text
    assert final_link(after.chain) == final_link(before.chain)
    for record in (before, after):
        verify.verified(verify.read(record.text))
