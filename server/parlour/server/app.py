"""Builds a node from its parts, runs it, and takes it down in the reverse order. The only file that knows them all."""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
import signal
import sys
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import Literal

import msgspec
from redis.exceptions import RedisError

from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import Closing
from parlour.server import loop
from parlour.server.computer.engines import Engines
from parlour.server.computer.pace import Pace
from parlour.server.computer.worker import Worker
from parlour.server.config import Settings
from parlour.server.metrics import CONTENT_TYPE, Metrics, watch_loop
from parlour.server.node import Node
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.store import Store
from parlour.server.store.trouble import StoreTrouble
from parlour.server.transport import server as transport
from parlour.server.transport.http import Ask, Page, Reply, Routes
from parlour.server.transport.limits import Limits
from parlour.server.transport.static import packaged

log = logging.getLogger(__name__)

SWEEP_EVERY = 1.0  # seconds
# So many objects more than before, and garbage is looked for. Rooms and messages are values without cycles, so there is
# hardly any; with Python's own 700 the search took a fifth of the processor.
YOUNG = 20_000
QUIET_WITHIN = 2.0  # seconds for commands under way when the node stops


def run(settings: Settings) -> int:
    """Serve until told to stop; gives the exit code."""
    try:
        return loop.run(_serve(settings))
    except (StoreTrouble, Refusal) as trouble:
        print(f"parlour: {trouble}", file=sys.stderr)
        return 1
    except OSError as trouble:
        where = f"{settings.host}:{settings.port}"
        print(f"parlour: cannot listen on {where}: {trouble.strerror or trouble}.", file=sys.stderr)
        return 1


async def _serve(settings: Settings) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with AsyncExitStack() as parts:
        url = settings.redis or await _start_embedded(settings, parts)
        # Random, because a container gives every process the same name and number.
        store = Store(url, f"{settings.node_name}-{secrets.token_hex(4)}")
        await store.open()
        parts.push_async_callback(store.close)
        metrics = Metrics()
        node = Node(settings, store, metrics, f"parlour {version('parlour')}")
        parts.callback(node.house.close)
        server = await transport.start(
            node,
            host=settings.host,
            port=settings.port,
            origins=settings.origins,
            proxies=[str(network) for network in settings.trusted_proxies],
            limits=_limits(settings),
            routes=Routes(_pages(node, store, metrics, settings), settings.static or packaged()),
            count=metrics.happened,
        )
        # What follows from the answers of the store that came together leaves together.
        store.pipe.around.hold, store.pipe.around.flush = server.hold, server.flush
        if settings.bot_workers:
            await _start_worker(node, store, settings, parts)
        tasks = [
            asyncio.create_task(_sweep(node)),
            asyncio.create_task(watch_loop(metrics.loop_lag, metrics.loop_busy)),
        ]
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        page = settings.public_url or f"http://{host}:{server.port}"
        print(f"Parlour is open at {page} (players connect to ws://{host}:{server.port}/ws).")
        sys.stdout.flush()
        # What is here now stays, and need not be looked at by each collection: that takes 25 ms.
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, 20, 50)
        await stop.wait()
        log.info("stopping")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        server.stop_accepting()
        await node.settle(QUIET_WITHIN)
        closing = Closing(code=CloseCode.RESTART, text="The server stops. Connect again.", nodes=settings.nodes)
        await server.stop(max(0.1, settings.stop_grace - QUIET_WITHIN), closing)
    return 0


def run_bots(settings: Settings) -> int:
    """Do the computer's work until told to stop, beside nodes on the same Redis; gives the exit code."""
    try:
        return asyncio.run(_work(settings))
    except (StoreTrouble, Refusal) as trouble:
        print(f"parlour: {trouble}", file=sys.stderr)
        return 1


async def _work(settings: Settings) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    assert settings.redis is not None
    async with AsyncExitStack() as parts:
        store = Store(settings.redis, f"{settings.node_name}-{secrets.token_hex(4)}", serves=False)
        await store.open()
        parts.push_async_callback(store.close)
        # A node that nobody can connect to: the computer plays in rooms like everybody else.
        node = Node(settings, store, Metrics(), f"parlour {version('parlour')}")
        parts.callback(node.house.close)
        await _start_worker(node, store, settings, parts)
        print(f"The computer thinks with {settings.bot_workers} processes. Ctrl-C ends it.")
        sys.stdout.flush()
        sweep = asyncio.create_task(_sweep(node))
        await stop.wait()
        sweep.cancel()
        await node.settle(QUIET_WITHIN)
    return 0


async def _start_embedded(settings: Settings, parts: AsyncExitStack) -> str:
    """A store of our own, which is brought back if it dies; gives its address."""
    ended = asyncio.Event()

    def on_exit(code: int) -> None:
        log.error("the embedded store ended with %d and is started again", code)
        ended.set()

    fsync: Literal["always", "everysec"] = "always" if settings.fsync == "always" else "everysec"
    embedded = EmbeddedStore(settings.data, fsync=fsync, on_exit=on_exit)
    url = await embedded.start()
    parts.push_async_callback(embedded.stop)

    async def revive() -> None:
        while True:
            await ended.wait()
            ended.clear()
            await embedded.restart()

    task = asyncio.create_task(revive())
    parts.callback(task.cancel)
    return url


async def _start_worker(node: Node, store: Store, settings: Settings, parts: AsyncExitStack) -> asyncio.Task[None]:
    """Have the computer's work done here."""
    engines = Engines(settings.bot_workers)
    parts.push_async_callback(engines.close)
    pace = Pace(int(settings.bot_pace * 1000), int(settings.bot_pace_alone * 1000))
    worker = Worker(node.house, store.jobs, engines, node.opine, node.now, pace)
    task = asyncio.create_task(worker.run())
    parts.callback(task.cancel)
    return task


async def _sweep(node: Node) -> None:
    """Look after what nobody asks for, again and again."""
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        try:
            await node.sweep()
        except (OSError, RedisError):
            log.warning("the store does not answer")
        except Exception:
            log.exception("a sweep failed")


def _limits(settings: Settings) -> Limits:
    return Limits(
        connections=settings.max_connections,
        connections_per_address=settings.max_connections_per_address,
        rate=settings.message_rate,
        burst=settings.message_burst,
        address_rate=settings.message_rate * 20,
        address_burst=settings.message_burst * 20,
        soft_buffer=settings.send_buffer_soft,
        hard_buffer=settings.send_buffer_hard,
        ping_interval=settings.ping_interval,
    )


def _pages(node: Node, store: Store, metrics: Metrics, settings: Settings) -> dict[str, Page]:
    async def healthz(_: Ask) -> Reply:
        return Reply(b'{"status": "alive"}')

    async def readyz(_: Ask) -> Reply:
        if not store.pipe.up:
            return Reply(b'{"status": "the store does not answer"}', status=503)
        return Reply(b'{"status": "ready"}')

    async def show_metrics(_: Ask) -> Reply:
        metrics.connections = len(node.visitors)
        metrics.rooms = len(node.house.rooms)
        metrics.store_up = store.pipe.up
        return Reply(metrics.render(), CONTENT_TYPE)

    async def game(ask: Ask) -> Reply:
        name = ask.rest.removesuffix(".txt")
        try:
            record = await node.archive.record(name)
        except OSError:
            raise Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Try again in a few seconds.") from None
        if name == ask.rest:
            return Reply(msgspec.json.encode(record))
        if not record.text:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, "The game is still on. Its text can be had when it is over.")
        return Reply(record.text.encode(), "text/plain; charset=utf-8")

    pages: dict[str, Page] = {"/healthz": healthz, "/readyz": readyz, "/api/games/": game}
    return pages | {"/metrics": show_metrics} if settings.metrics else pages
