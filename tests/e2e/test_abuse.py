"""Nobody can hurt a server, or the games of others, by what he sends."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from random import Random

from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.messages import Ping
from tests.e2e.attacker import Attacker
from tests.e2e.conftest import MakeServer
from tests.e2e.nonsense import Nonsense
from tests.e2e.paced_table import PacedTable
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers

MEBIBYTE = 1024 * 1024
LONGEST_BLOCK = 0.05  # seconds for which the event loop may be held up


async def blocks(server: ServerProcess) -> float:
    """How often the event loop was at work for longer than it may be, since the server started."""
    samples = await numbers(server)
    name = "parlour_loop_busy_seconds"
    return samples[f"{name}_count"] - samples[f'{name}_bucket{{le="{LONGEST_BLOCK}"}}']


async def test_nonsense_is_refused_and_disturbs_nobody(make_server: MakeServer) -> None:
    """Of ten thousand bad frames each gets its answer, while a game beside them goes on as if there were none."""
    server = make_server()
    await server.start()
    seen = 0.0
    parts, each = 25, 40
    async with PacedTable(server) as table, AsyncExitStack() as stack:
        attackers = []
        for number in range(10):
            codec = JSON if number % 3 == 2 else MSGPACK
            attacker = await stack.enter_async_context(Attacker.connect(server, codec))
            attackers.append((attacker, Nonsense(Random(number), codec, [table.room])))
        before = await blocks(server)
        for part in range(parts):
            attacks = []
            for attacker, nonsense in attackers:
                frames = [nonsense.any() for _ in range(each - 2)] + [nonsense.oversized() for _ in range(2)]
                attacks.append(attacker.attack(frames))
            await asyncio.gather(*attacks, table.play_to(part + 1))
            if part == 1:
                memory = (await numbers(server))["process_resident_memory_bytes"]
        after = await numbers(server)
        assert after["process_resident_memory_bytes"] - memory < 64 * MEBIBYTE
        print('MEM', (after["process_resident_memory_bytes"] - memory)/1e6)
        print({k:v for k,v in after.items() if 'loop_' in k})
        assert await blocks(server) - before == 0
        await table.finish()
        print(sum((a.refusals for a, _ in attackers), start=attackers[0][0].refusals.__class__()))
        assert all(player.connection.connects == 1 for player in table.players)
    assert server.errors == []
