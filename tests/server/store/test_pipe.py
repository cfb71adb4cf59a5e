"""The pipe: order, batches, and what happens when the connection breaks."""

from __future__ import annotations

import asyncio
import itertools
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import hiredis
import pytest
from redis.asyncio import Redis

from parlour.server.store import line
from parlour.server.store.connection import client
from parlour.server.store.pipe import ConnectionLost, NotSent, Pipe, Script, script
from parlour.server.store.trouble import StoreTrouble
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])", "9de0d9e8e28fd5ed3fb9ab2ee35f35e4ce49ed09")


async def test_answers_come_in_order(pipe: Pipe) -> None:
    """Each callback gets the answer to its own command, in the order in which they were sent."""
    got: list[Any] = []
    for n in range(5000):
        pipe.send("ECHO", str(n), done=got.append)
        if n % 700 == 0:
            await asyncio.sleep(0)
    await pipe.call("PING")
    assert got == [b"%d" % n for n in range(5000)]


async def test_answers_that_come_together_are_announced(pipe: Pipe) -> None:
    """`hold` is called before the callbacks of a batch and `flush` after them, also when one of them raises."""
    told: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)

    def mistaken(reply: Any) -> None:
        told.append(reply)
        raise ValueError("this callback is wrong")

    pipe.around.hold = partial(told.append, "hold")
    pipe.around.flush = partial(told.append, "flush")
    pipe.send("ECHO", "a", done=mistaken)
    await pipe.call("ECHO", "b")
    assert told == ["hold", b"a", "flush"]


async def test_one_turn_is_one_write(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is sent in one turn of the loop leaves in one write, and the next turn's in another."""
    connected = pipe._keeper.line
    assert connected is not None
    assert connected._transport is not None
    writes: list[int] = []
    write = connected._transport.write

    def counted(data: bytes) -> None:
        writes.append(data.count(b"ECHO"))
        write(data)

    monkeypatch.setattr(connected._transport, "write", counted)
    waiting = [asyncio.ensure_future(pipe.call("ECHO", n)) for n in range(300)]
    await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    await pipe.call("ECHO", 1)
    assert writes == [300, 1]


async def test_no_callback_within_send(pipe: Pipe, valkey: str) -> None:
    """A callback is never called before `send` has returned, whether there is a connection or not."""
    closed = Pipe(valkey)
    for each in (pipe, closed):
        got: list[Any] = []
        each.send("PING", done=got.append)
        each.run(ADD, (1, "k", 1), got.append)
        assert got == []
        await until(lambda got=got: len(got) == 2)  # type: ignore[misc]


async def test_errors_are_answers(pipe: Pipe) -> None:
    """A command that Redis refuses gives an exception to its callback and harms no other."""
    got: list[Any] = []
    pipe.send("SET", "k", "v", done=got.append)
    pipe.send("INCR", "k", done=got.append)
    pipe.send("GET", "k", done=got.append)
    with pytest.raises(hiredis.ReplyError, match="not an integer"):
        await pipe.call("INCR", "k")
    assert [type(each) for each in got] == [bytes, hiredis.ReplyError, bytes]


async def test_a_failing_callback_harms_no_other(pipe: Pipe) -> None:
    """An exception in a callback is reported to the loop, and the answers after it are handed out."""
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
    got: list[Any] = []

    def fail(reply: Any) -> None:
        raise ZeroDivisionError

    pipe.send("PING", done=fail)
    pipe.send("PING", done=got.append)
    await pipe.call("PING")
    assert len(got) == 1
    assert [type(each) for each in reported] == [ZeroDivisionError]


async def test_bytes_are_kept(pipe: Pipe) -> None:
    """Keys and values may be any bytes; text is written as UTF-8."""
    value = bytes(range(256)) * 400
    await pipe.call(b"SET", "schlüssel", value)
    assert await pipe.call("GET", "schlüssel".encode()) == value


async def test_a_forgotten_script_is_sent_again(pipe: Pipe) -> None:
    """A script runs whether Redis knows it, has never seen it, or was made to forget it."""
    append = script("append.lua")
    assert await pipe.call_script(append, 1, "a", 1, "head", "entry") == 1
    await pipe.call("SCRIPT", "FLUSH")
    got: list[Any] = []
    for n in (2, 3, 4):
        pipe.run(append, (1, "a", n, "head", "entry"), got.append)
    await asyncio.sleep(0)
    await pipe.call("PING")
    await pipe.call("PING")
    assert got == [1, 1, 1]


async def test_scripts_are_loaded_beforehand(valkey: str, redis: Redis) -> None:
    """A script that was made known is in Redis before anybody runs it."""
    await redis.script_flush()
    opened = Pipe(valkey)
    opened.load(script("append.lua"))
    await opened.open()
    assert await opened.call("EVALSHA", script("append.lua").sha, 1, "a", 1, "head", "entry") == 1
    await opened.close()


async def test_login_and_database(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Password and database are taken from the address; a wrong password is one clear sentence."""
    server = start_valkey("--requirepass", "se/cret", "--protected-mode", "no")
    opened = Pipe(f"unix://:se%2Fcret@{server.socket}?db=3")
    await opened.open()
    await opened.call("SET", "k", "v")
    assert b"db3:keys=1" in await opened.call("INFO", "keyspace")
    await opened.close()
    with pytest.raises(StoreTrouble, match=r"Redis at unix:///tmp/.*cannot be used: .*(WRONGPASS|invalid)"):
        await Pipe(f"unix://:wrong@{server.socket}").open(within=20)


async def test_tcp(start_valkey: Callable[..., PrivateValkey], unused_tcp_port: int) -> None:
    """A host and a port do as well as a socket; nobody there is one clear sentence."""
    with pytest.raises(StoreTrouble, match=rf"Redis at redis://127.0.0.1:{unused_tcp_port}/0 .*nobody answers there"):
        await Pipe(f"redis://127.0.0.1:{unused_tcp_port}").open(within=0.2)
    start_valkey("--port", str(unused_tcp_port))
    opened = Pipe(f"redis://127.0.0.1:{unused_tcp_port}/1")
    await opened.open()
    assert await opened.call("PING") == b"PONG"
    await opened.close()


async def test_too_much_under_way_is_refused(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue is bounded: what does not fit is refused and was not carried out, the rest is."""
    monkeypatch.setattr(line, "MOST_WAITING", 100)
    got: list[Any] = []
    for _ in range(150):
        pipe.send("INCR", "k", done=got.append)
    await pipe.ready()
    await until(lambda: len(got) == 150)
    kinds = Counter(type(each) for each in got)
    assert kinds == {int: 100, NotSent: 50}
    assert await pipe.call("GET", "k") == b"100"


async def test_a_crash_of_redis(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Redis is killed under load: every callback is called once, nothing acknowledged is lost, and it goes on."""
    server = start_valkey("--appendonly", "yes", "--appendfsync", "always")
    opened = Pipe(server.url)
    await opened.open()
    called: Counter[int] = Counter()
    acknowledged: list[int] = []
    unknown: list[int] = []
    not_sent: list[int] = []
    numbers = itertools.count()

    def send(count: int) -> None:
        for n in itertools.islice(numbers, count):
            opened.send("SADD", "numbers", n, done=partial(done, n))

    def done(n: int, reply: Any) -> None:
        called[n] += 1
        kinds: dict[type, list[int]] = {int: acknowledged, ConnectionLost: unknown, NotSent: not_sent}
        kinds[type(reply)].append(n)

    for _ in range(3):
        enough = len(acknowledged) + 1000
        while len(acknowledged) < enough:
            send(10)
            await asyncio.sleep(0)
        send(100)
        server.signal(signal.SIGKILL)
        send(100)
        await until(lambda: not opened.up)
        send(1)
        server.kill()
        server.start()
        await asyncio.wait_for(opened.ready(), WITHIN)
    stored = {int(each) for each in await opened.call("SMEMBERS", "numbers")}
    await opened.close()
    assert called == Counter(range(next(numbers)))
    assert unknown
    assert len(not_sent) == 3
    assert set(acknowledged) <= stored
    assert stored <= set(acknowledged) | set(unknown)


async def test_a_redis_that_hangs(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A Redis that stops to answer counts as lost after the timeout; nothing is sent until it is back."""
    server = start_valkey()
    opened = Pipe(server.url, timeout=0.4)
    await opened.open()
    server.signal(signal.SIGSTOP)
    with pytest.raises(ConnectionLost):
        await asyncio.wait_for(opened.call("INCR", "k"), 5)
    with pytest.raises(NotSent):
        await opened.call("PING")
    server.signal(signal.SIGCONT)
    await asyncio.wait_for(opened.ready(), WITHIN)
    assert await opened.call("PING") == b"PONG"
    await opened.close()


async def test_what_is_late_is_dropped(valkey: str, redis: Redis) -> None:
    """A command of a lost connection that reaches Redis after the pipe is back is not carried out any more."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        network = SlowNetwork(valkey.removeprefix("unix://"))
        async with await asyncio.start_unix_server(network.connect, f"{folder}/s"):
            opened = Pipe(f"unix://{folder}/s", timeout=0.4)
            await opened.open()
            assert await opened.call("SET", "k", "before") == b"OK"
            network.hold()
            with pytest.raises(ConnectionLost):
                await asyncio.wait_for(opened.call("SET", "k", "late"), 5)
            network.go_on()
            await asyncio.wait_for(opened.ready(), WITHIN)
            assert await opened.call("GET", "k") == b"before"
            await network.deliver()
            assert await redis.get("k") == b"before"
            await opened.close()


class SlowNetwork:
    """Between client and server: can hold back what clients send, and deliver it after they are gone."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._held: list[tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]] = []
        self._holding = False

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, server = await asyncio.open_unix_connection(self._server)
        back = asyncio.create_task(self._copy(answers, writer))
        while data := await reader.read(65536):
            if self._holding:
                self._held.append((answers, server, data))
            else:
                server.write(data)
        back.cancel()
        writer.close()
        if not any(server is held for _, held, _ in self._held):
            server.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)

    def hold(self) -> None:
        self._holding = True

    def go_on(self) -> None:
        self._holding = False

    async def deliver(self) -> None:
        """Send on what was held back, and wait until the server has dealt with it."""
        assert any(b"late" in data for *_, data in self._held)
        for answers, server, data in self._held:
            with suppress(ConnectionError):
                server.write(data)
                await answers.read(65536)
            server.close()


async def test_a_dead_peer_is_noticed_without_traffic(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A connection on which nobody sends anything is tried from time to time, and given up when it is dead."""
    server = start_valkey()
    opened, asking = Pipe(server.url, timeout=0.8), client(server.url)
    await opened.open()

    async def pings() -> int:
        calls: int = (await asking.info("commandstats"))["cmdstat_ping"]["calls"]
        return calls

    async def is_tried() -> bool:
        return await pings() >= before + 2

    before = await pings()
    await until(is_tried)
    assert opened.up
    await asking.aclose()
    server.signal(signal.SIGSTOP)
    await until(lambda: not opened.up)
    await opened.close()


async def test_closing_tells_those_who_wait(pipe: Pipe, redis: Redis) -> None:
    """Whoever still waits when the pipe is closed is told that the answer is lost."""

    async def is_asked() -> bool:
        blocked: int = (await redis.info("clients"))["blocked_clients"]
        return blocked == 1

    waiting = asyncio.ensure_future(pipe.call("BLPOP", "nothing", 0))
    await until(is_asked)
    await pipe.close()
    with pytest.raises(ConnectionLost):
        await waiting
    with pytest.raises(NotSent):
        await pipe.call("PING")


async def test_an_abandoned_call_is_harmless(pipe: Pipe) -> None:
    """A call whose caller gave up takes its answer off the line, so that the next one gets its own."""
    waiting = asyncio.ensure_future(pipe.call("ECHO", "old"))
    await asyncio.sleep(0)
    waiting.cancel()
    assert await pipe.call("ECHO", "new") == b"new"


async def test_a_replica_is_refused(start_valkey: Callable[..., PrivateValkey], valkey: str) -> None:
    """A server that cannot be written to is no store."""
    server = start_valkey("--replicaof", "127.0.0.1 1")
    with pytest.raises(StoreTrouble, match="it is a replica"):
        await Pipe(server.url).open(within=20)
