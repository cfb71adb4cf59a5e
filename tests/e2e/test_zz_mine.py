from __future__ import annotations
import asyncio
from tests.e2e.attacker import Attacker
from tests.e2e.test_abuse import blocks
from tests.e2e.web import numbers
from parlour.protocol.messages import *
from parlour.protocol.codec import MSGPACK
from parlour.protocol.tables import Terms, Clock
from tests.server.transport.raw_client import *
import pytest
@pytest.mark.parametrize("n",[1,5,20,60])
async def test_x(make_server, n):
    server = make_server("--message-rate","20","--message-burst","100"); await server.start()
    cs=[]
    for i in range(n):
        c=await RawClient.open(server.port); cs.append(c)
        await c.send(frame(BINARY, MSGPACK.encode(Hello())))
        await c.message()
    s0=await numbers(server)
    data=frame(BINARY, MSGPACK.encode(Ping(5)))*12000
    print(len(data))
    async def go(c):
        try: await c.send(data)
        except ConnectionError: pass
    await asyncio.gather(*map(go,cs))
    print([await c.closing() for c in cs][:5])
    await asyncio.sleep(0.3)
    s1=await numbers(server)
    print(n,'blocks', await blocks(server), 'cpu', s1['process_cpu_seconds_total']-s0['process_cpu_seconds_total'])
    print({k[k.index('le='):]: s1[k]-s0[k] for k in s1 if 'loop_busy_seconds_bucket' in k})
    for c in cs: c.close()
