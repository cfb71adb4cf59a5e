"""The pipeline: order, scripts, and lost connections."""

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

from parlour.server.store.errors import ConnectionLost, NotSent, StoreRefused
from parlour.server.store.pipeline import SCAN_COUNT, Pipeline, Script, script
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])", "9de0d9e8e28fd5ed3fb9ab2ee35f35e4ce49ed09")


async def test_replies_come_in_order(pipeline: Pipeline) -> None:
    """Each callback receives the reply to its own command, in the order of the commands."""
    replies: list[Any] = []
    for n in range(5000):
        pipeline.send("ECHO", str(n), on_reply=replies.append)
        if n % 700 == 0:
            await asyncio.sleep(0)
    await pipeline.call("PING")
    assert replies == [b"%d" % n for n in range(5000)]


async def test_several_commands_at_once(pipeline: Pipeline) -> None:
    """`call_all` returns the replies to several commands in their order."""
    assert await pipeline.call_all(("SET", "k", 1), ("INCR", "k"), ("GET", "k")) == [b"OK", 2, b"2"]
    assert await pipeline.call_all() == []


async def test_scanning_for_keys(pipeline: Pipeline) -> None:
    """All keys that fit a pattern are found, however many steps that takes."""
    await pipeline.call_all(
        *((b"SET", f"some:{number}", b"") for number in range(SCAN_COUNT + 1)), (b"SET", b"other", b"")
    )
    found = [key async for keys in pipeline.scan("some:*") for key in keys]
    assert set(found) == {f"some:{number}".encode() for number in range(SCAN_COUNT + 1)}


async def test_no_callback_before_send_returns(pipeline: Pipeline, valkey: str) -> None:
    """A callback is never called before `send` has returned, with or without a connection."""
    never_opened = Pipeline(valkey)
    for each in (pipeline, never_opened):
        replies: list[Any] = []
        each.send("PING", on_reply=replies.append)
        each.run(ADD, (1, "k", 1), replies.append)
        assert replies == []
        await until(lambda replies=replies: len(replies) == 2)  # type: ignore[misc]


async def test_error_replies(pipeline: Pipeline) -> None:
    """A callback receives an error reply as a value, `call` raises StoreRefused, and other commands are unaffected."""
    replies: list[Any] = []
    pipeline.send("SET", "k", "v", on_reply=replies.append)
    pipeline.send("INCR", "k", on_reply=replies.append)
    pipeline.send("GET", "k", on_reply=replies.append)
    with pytest.raises(StoreRefused, match="not an integer"):
        await pipeline.call("INCR", "k")
    assert [type(reply) for reply in replies] == [bytes, hiredis.ReplyError, bytes]


async def test_a_failing_callback_does_not_affect_others(pipeline: Pipeline) -> None:
    """An exception in a callback is reported to the loop, and later replies are delivered."""
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
    replies: list[Any] = []

    def fail(reply: Any) -> None:
        raise ZeroDivisionError

    pipeline.send("PING", on_reply=fail)
    pipeline.send("PING", on_reply=replies.append)
    await pipeline.call("PING")
    assert len(replies) == 1
    assert [type(fault) for fault in reported] == [ZeroDivisionError]


async def test_arguments_are_bytes_or_text(pipeline: Pipeline) -> None:
    """Keys and values may be any bytes; text is encoded as UTF-8."""
    value = bytes(range(256)) * 400
    await pipeline.call(b"SET", "schlüssel", value)
    assert await pipeline.call("GET", "schlüssel".encode()) == value


async def test_a_lost_script_is_sent_again(pipeline: Pipeline) -> None:
    """A script runs whether Redis knows it, has never seen it, or has lost it."""
    append = script("append")
    assert await pipeline.call_script(append, 1, "a", 1, "header", "entry", "") == 1
    await pipeline.call("SCRIPT", "FLUSH")
    replies: list[Any] = []
    for n in (2, 3, 4):
        pipeline.run(append, (1, "a", n, "header", "entry", ""), replies.append)
    await until(lambda: len(replies) == 3)
    assert replies == [1, 1, 1]


async def test_scripts_are_loaded_in_advance(valkey: str, redis: Redis) -> None:
    """A registered script is in Redis before its first run."""
    await redis.script_flush()
    opened = Pipeline(valkey)
    opened.load(script("append"))
    await opened.open()
    assert await opened.call("EVALSHA", script("append").sha, 1, "a", 1, "header", "entry", "") == 1
    await opened.close()


async def test_a_script_is_loaded_on_an_open_connection(pipeline: Pipeline) -> None:
    """A script that is registered after the pipeline was opened is in Redis before the next command."""
    await pipeline.call("SCRIPT", "FLUSH")
    pipeline.load(script("append"))
    assert await pipeline.call("EVALSHA", script("append").sha, 1, "a", 1, "header", "entry", "") == 1


async def test_redis_crashes(start_valkey: Callable[..., PrivateValkey]) -> None:
    """When Redis is killed under load, every callback is called once and nothing acknowledged is lost."""
    server = start_valkey("--appendonly", "yes", "--appendfsync", "always")
    opened = Pipeline(server.url)
    await opened.open()
    called: Counter[int] = Counter()
    acknowledged: list[int] = []
    unknown: list[int] = []
    not_sent: list[int] = []
    numbers = itertools.count()

    def send(count: int) -> None:
        for n in itertools.islice(numbers, count):
            opened.send("SADD", "numbers", n, on_reply=partial(receive, n))

    def receive(n: int, reply: Any) -> None:
        called[n] += 1
        outcomes: dict[type, list[int]] = {int: acknowledged, ConnectionLost: unknown, NotSent: not_sent}
        outcomes[type(reply)].append(n)

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


async def test_redis_hangs(start_valkey: Callable[..., PrivateValkey]) -> None:
    """When Redis stops replying, commands in flight are lost after the timeout, and later ones are not sent."""
    server = start_valkey()
    opened = Pipeline(server.url, timeout=0.4)
    await opened.open()
    server.signal(signal.SIGSTOP)
    with pytest.raises(ConnectionLost):
        await asyncio.wait_for(opened.call("INCR", "k"), WITHIN)
    with pytest.raises(NotSent):
        await opened.call("PING")
    server.signal(signal.SIGCONT)
    await asyncio.wait_for(opened.ready(), WITHIN)
    assert await opened.call("PING") == b"PONG"
    await opened.close()


class DelayingNetwork:
    """A proxy that can hold back what clients send, and deliver it after they have disconnected."""

    def __init__(self, server_socket: str) -> None:
        self._server_socket = server_socket
        self._held: list[tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]] = []
        self._holding = False

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        replies, server = await asyncio.open_unix_connection(self._server_socket)
        back = asyncio.create_task(self._copy(replies, writer))
        while data := await reader.read(65536):
            if self._holding:
                self._held.append((replies, server, data))
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

    def resume(self) -> None:
        self._holding = False

    async def deliver_held(self) -> None:
        """Deliver what was held back, and wait until the server has processed it."""
        assert any(b"late" in data for *_, data in self._held)
        for replies, server, data in self._held:
            with suppress(ConnectionError):
                server.write(data)
                await replies.read(65536)
            server.close()


async def test_late_commands_are_dropped(valkey: str, redis: Redis) -> None:
    """A command of a lost connection that reaches Redis after the pipeline has reconnected is not executed."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        network = DelayingNetwork(valkey.removeprefix("unix://"))
        async with await asyncio.start_unix_server(network.accept, f"{folder}/s"):
            opened = Pipeline(f"unix://{folder}/s", timeout=0.4)
            await opened.open()
            assert await opened.call("SET", "k", "before") == b"OK"
            network.hold()
            with pytest.raises(ConnectionLost):
                await asyncio.wait_for(opened.call("SET", "k", "late"), WITHIN)
            network.resume()
            await asyncio.wait_for(opened.ready(), WITHIN)
            assert await opened.call("GET", "k") == b"before"
            await network.deliver_held()
            assert await redis.get("k") == b"before"
            await opened.close()


async def test_closing_fails_waiting_calls(pipeline: Pipeline, redis: Redis) -> None:
    """Closing the pipeline fails calls that wait for a reply, and later calls."""

    async def is_blocked() -> bool:
        blocked: int = (await redis.info("clients"))["blocked_clients"]
        return blocked == 1

    waiting = asyncio.ensure_future(pipeline.call("BLPOP", "nothing", 0))
    await until(is_blocked)
    await pipeline.close()
    with pytest.raises(ConnectionLost):
        await waiting
    with pytest.raises(NotSent):
        await pipeline.call("PING")


async def test_a_cancelled_call_does_not_shift_replies(pipeline: Pipeline) -> None:
    """The reply to a cancelled call is dropped, and the next call gets its own reply."""
    waiting = asyncio.ensure_future(pipeline.call("ECHO", "old"))
    await asyncio.sleep(0)
    waiting.cancel()
    assert await pipeline.call("ECHO", "new") == b"new"
