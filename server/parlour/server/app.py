"""Runs a server process: builds its parts, serves until it is told to stop, and closes them in reverse order."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import secrets
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any, Literal
from urllib.parse import urlsplit

from parlour import games
from parlour.protocol.errors import CloseCode, Refusal
from parlour.protocol.messages import Closing
from parlour.server import descriptors, loop, tracing
from parlour.server.admin.api import AdminApi
from parlour.server.admin.http_server import AdminServer
from parlour.server.admin.operators import OperatorFileError, read_operators
from parlour.server.api.handler import ApiHandler
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import archive_url
from parlour.server.archive.pairing import pair
from parlour.server.bots.engine_pool import EnginePool
from parlour.server.bots.pacing import Pace
from parlour.server.configuration.settings import Settings
from parlour.server.connections import server as connections
from parlour.server.connections.http import Endpoint, Routes
from parlour.server.connections.limits import Limits
from parlour.server.connections.monitoring_port import open_monitoring_port
from parlour.server.connections.server import WebServer
from parlour.server.connections.site import Site
from parlour.server.connections.static_files import ADMIN_PAGE, DOCS, INDEX, installed_page, load, with_prefix
from parlour.server.metrics import Metrics, render, watch_event_loop
from parlour.server.monitoring import monitoring_endpoints, public_endpoints
from parlour.server.node import Node, PartTypes
from parlour.server.pages.routes import PICTURES, PageRoutes
from parlour.server.push.vapid import PushKeyError
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.store import Store
from parlour.server.store.supervisor import StoreSupervisor
from parlour.server.workers.link import WorkerLink
from parlour.server.workers.totals import Collected, from_metric
from parlour.tournaments import swiss

logger = logging.getLogger(__name__)

SWEEP_EVERY = 1.0  # seconds
DRAIN_WITHIN = 2.0  # seconds for commands in flight when the process stops
IMPORT_LATE_AFTER = 3.0  # seconds, during which the first pages are served
END_WITHIN = 1.0  # seconds for background tasks to end
CLOSE_WITHIN = 2.0  # seconds for the store and the engines to close
STDERR = 2  # its file descriptor
SHORTEST_STOP = 3.0  # seconds for everything, however short the grace for clients is


def run(settings: Settings, join: Callable[[], WorkerLink] | None = None) -> int:
    """Serve until told to stop; return the exit code. `join` links a worker to its supervisor."""
    return run_main(loop.run, _serve(settings, join), settings)


def run_worker(settings: Settings) -> int:
    """Compute bot moves until told to stop, beside nodes on the same store; return the exit code."""
    return run_main(asyncio.run, _work(settings), settings)


def run_main(runner: Callable[[Coroutine[Any, Any, None]], None], main: Coroutine[Any, Any, None], of: Settings) -> int:
    """Run the main coroutine of a process; return the exit code, and print why it could not start."""
    try:
        runner(main)
    except (StoreUnavailable, Refusal, OperatorFileError, PushKeyError) as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        address = error.filename or f"{of.host}:{of.port}"
        print(f"parlour: cannot listen on {address}: {error.strerror or error}.", file=sys.stderr)
        return 1
    finally:
        faulthandler.cancel_dump_traceback_later()
    return 0


async def _serve(settings: Settings, join: Callable[[], WorkerLink] | None) -> None:
    stop, end_of_service = stop_signal(), asyncio.Event()
    async with AsyncExitStack() as parts:
        link = None if join is None else await _open_link(join(), stop, parts)
        url, store_outage = settings.redis, _no_outage
        if link is not None and link.store_url is not None:
            url, store_outage = link.store_url, lambda: link.store_outage
        elif url is None:
            embedded = await start_embedded_store(settings, parts)
            url, store_outage = embedded.url, lambda: embedded.outage
        node, store = await _start_node(settings, parts, url)
        metrics = node.metrics
        monitoring = monitoring_endpoints(
            node, store, render_metrics=partial(_render_metrics, node, link), store_outage=store_outage
        )
        server = await connections.start(
            node.dispatcher,
            host=settings.host,
            port=settings.port,
            origins=settings.origins,
            proxies=[str(network) for network in settings.trusted_proxies],
            limits=connection_limits(settings),
            routes=await asyncio.to_thread(_routes, settings, node, monitoring),
            site=site(settings),
            count=metrics.count_incident,
            shares_port=link is not None,
        )  # fmt: skip
        public_port = server.port
        node.control.on_drain = lambda drains: node.run(_drain(settings, node, server, public_port, drains))
        if settings.admin_token_file is not None:
            await _start_admin_server(settings, node, store, parts, shares_port=link is not None)
        await _open_monitoring(settings, monitoring, parts, shares_port=link is not None)
        store.heartbeat.on_health = lambda healthy: node.run(_health_changed(settings, node, server, link, healthy))
        if settings.bot_workers:
            _start_worker(node, store, settings, parts)
        background = [
            asyncio.create_task(sweep_until(end_of_service, node, store.health.report), name="sweep"),
            asyncio.create_task(watch_event_loop(metrics.event_loop_lag, metrics.event_loop_busy), name="loop metrics"),
            asyncio.create_task(_import_late(), name="late imports"),
        ]
        loop.shorten_collections()
        if link is None:
            announce(settings, server.port)
        else:
            link.sample = lambda: [from_metric(metric) for metric in node.current_metrics().registry.collect()]
            link.on_listen = partial(_listen, settings, node, server)
            link.opened()

        await stop.wait()
        logger.info("stopping")
        node.is_stopping = True
        if link is None or not link.ended:
            await _delay_stop(settings.drain_delay, stop)
        exit_within(settings.stop_grace)
        end_of_service.set()
        await end_tasks(background)
        await _stop_serving(settings, node, server)


async def _delay_stop(seconds: float, stop: asyncio.Event) -> None:
    """Keep serving for a while, so that load balancers notice; a second signal ends the delay."""
    stop.clear()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()


async def _stop_serving(settings: Settings, node: Node, server: WebServer) -> None:
    """Complete the commands in flight, then send the clients to other nodes."""
    server.stop_accepting()
    server.stop_receiving()
    await node.drain(DRAIN_WITHIN)
    closing = Closing(code=CloseCode.RESTART, text="The server is stopping. Connect again.", nodes=settings.nodes)
    await server.stop(max(0.1, settings.stop_grace - DRAIN_WITHIN - CLOSE_WITHIN), closing)


async def _import_late() -> None:
    """Import the modules that were left out to start faster, before the event loop needs them."""
    await asyncio.sleep(IMPORT_LATE_AFTER)
    await asyncio.to_thread(import_module, swiss.DUTCH)


def announce(settings: Settings, port: int) -> None:
    """Print the address to open."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    prefix = site(settings).path_prefix
    page = settings.public_url or f"http://{host}:{port}{prefix}"
    if is_exposed(settings):
        logger.warning(
            "players connect without TLS, so others on the network can read passwords and tokens: "
            "put a proxy with TLS in front and set --public-url to its https address"
        )
    print(f"Parlour is open at {page} (players connect to ws://{host}:{port}{prefix}/ws).", flush=True)


def is_exposed(settings: Settings) -> bool:
    """Return whether other machines can connect, although no setting says that a proxy with TLS is in front."""
    is_loopback = settings.host in ("localhost", "::1") or settings.host.startswith("127.")
    is_proxied = bool(settings.trusted_proxies) or (settings.public_url or "").startswith("https://")
    return not is_loopback and not is_proxied


def site(settings: Settings) -> Site:
    """Return how users reach the server. Settings that are not given follow from the public URL."""
    public = urlsplit(settings.public_url or "")
    prefix = public.path.rstrip("/") if settings.path_prefix is None else settings.path_prefix
    hsts = public.scheme == "https" if settings.hsts is None else settings.hsts
    return Site(prefix, settings.allowed_hosts, hsts=hsts)


def _routes(settings: Settings, node: Node, monitoring: Mapping[str, Endpoint]) -> Routes:
    """Return what the port of players serves. Raise OSError if the page cannot be read."""
    endpoints = public_endpoints(monitoring, settings.metrics)
    api = ApiHandler(node, node.metrics.count_incident)
    folder, docs = settings.static or installed_page(), installed_page(DOCS)
    if folder is None or not (folder / INDEX).is_file():
        return Routes(endpoints, folder, api=api, docs=docs)
    prefix = site(settings).path_prefix
    template = with_prefix((folder / INDEX).read_bytes(), prefix).decode()
    pages = PageRoutes(node, template, prefix, settings.public_url)
    return Routes({**endpoints, PICTURES: pages.picture}, folder, pages.page, api=api, docs=docs)


async def _open_monitoring(
    settings: Settings, endpoints: Mapping[str, Endpoint], parts: AsyncExitStack, *, shares_port: bool = False
) -> None:
    if settings.monitoring is None:
        return
    try:
        port = await open_monitoring_port(settings.monitoring, endpoints, shares_port=shares_port)
    except OSError as error:
        raise OSError(error.errno, error.strerror, "{}:{}".format(*settings.monitoring)) from error
    parts.callback(port.close)


async def _work(settings: Settings) -> None:
    assert settings.redis is not None
    stop = stop_signal()
    async with AsyncExitStack() as parts:
        # A node without a port: bots play in rooms like all other players.
        node, store = await _start_node(settings, parts, settings.redis, serves_players=False)
        endpoints = monitoring_endpoints(node, store, render_metrics=partial(_render_metrics, node, None))
        await _open_monitoring(settings, endpoints, parts)
        _start_worker(node, store, settings, parts)
        sweep = asyncio.create_task(sweep_until(stop, node, store.health.report), name="sweep")
        print(f"Computing bot moves with {settings.bot_workers} processes. Press Ctrl-C to stop.", flush=True)
        await stop.wait()
        exit_within(settings.stop_grace)
        await end_tasks([sweep])
        await node.drain(DRAIN_WITHIN)


async def _health_changed(
    settings: Settings, node: Node, server: WebServer, link: WorkerLink | None, healthy: bool
) -> None:
    """Close all connections of a node that cannot write to its store, if other nodes may be able to."""
    if link is not None:
        await link.report_health(healthy)
    if settings.redis is None:  # a private store has no other nodes to serve the players
        return
    if healthy:
        logger.info("the store accepts writes again")
    elif not node.heartbeat.is_healthy:
        logger.warning("nothing could be written to the store for 3 seconds; the players are sent to other nodes")
        text = "This server cannot reach its store. Connect to another one."
        closing = Closing(code=CloseCode.UNAVAILABLE, text=text, nodes=settings.nodes)
        server.close_connections(CloseCode.UNAVAILABLE, closing)


async def _drain(settings: Settings, node: Node, server: WebServer, port: int, drains: bool) -> None:
    """Send all clients to other nodes and accept no more, or serve clients again, as an operator says."""
    node.is_draining = drains
    if drains:
        logger.info("draining: the players are sent to other nodes")
        server.stop_accepting()
        text = "This server is being emptied for maintenance. Connect to another one."
        server.close_connections(CloseCode.RESTART, Closing(code=CloseCode.RESTART, text=text, nodes=settings.nodes))
    elif not server.is_accepting and not node.is_stopping:
        logger.info("serving clients again")
        await server.open(settings.host, port)


async def _render_metrics(node: Node, link: WorkerLink | None) -> bytes:
    if link is None:
        return node.current_metrics().render()
    return render(Collected(await link.scrape()))


def _no_outage() -> str | None:
    """Return None: there is no embedded store that could fail."""
    return None


# -- a worker and its supervisor


async def _open_link(link: WorkerLink, stop: asyncio.Event, parts: AsyncExitStack) -> WorkerLink:
    """Connect a worker to its supervisor; it stops when that ends."""
    await link.open()
    parts.callback(link.close)
    link.on_end = stop.set
    task = asyncio.create_task(link.run(), name="supervisor")
    parts.push_async_callback(end_tasks, [task])
    return link


async def _listen(settings: Settings, node: Node, server: WebServer, is_open: bool) -> None:
    """Open or close the port, as the supervisor says."""
    if is_open == server.is_accepting or node.is_stopping or node.is_draining:
        return
    if is_open:
        await server.open(settings.host, settings.port)
    else:
        server.stop_accepting()


# -- stopping


def stop_signal() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def exit_within(seconds: float) -> None:
    """Exit after this time even if a part of the process does not close, or the event loop is stuck.

    That loses nothing: what was acknowledged is in the store, and an embedded store stops when its node ends.
    """
    faulthandler.dump_traceback_later(max(seconds, SHORTEST_STOP), exit=True, file=STDERR)


async def end_tasks(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel tasks and wait for them, but not forever.

    A library can swallow a cancellation: with Python 3.11, `asyncio.wait_for` returns its result instead if that is
    ready at the same time. A node that waited for such a task would never exit.
    """
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=END_WITHIN)


# -- parts


async def start_embedded_store(settings: Settings, parts: AsyncExitStack) -> StoreSupervisor:
    """Start the store of a server that was not given one."""
    if settings.wait_replicas:
        raise StoreUnavailable("The setting wait_replicas needs a Redis with replicas (--redis).")
    fsync: Literal["always", "everysec"] = "always" if settings.fsync == "always" else "everysec"
    supervisor = StoreSupervisor(settings.data, fsync=fsync)
    await supervisor.start()
    parts.push_async_callback(supervisor.stop)
    return supervisor


async def _start_node(
    settings: Settings, parts: AsyncExitStack, url: str, *, serves_players: bool = True
) -> tuple[Node, Store]:
    for fault in games.faults().values():
        logger.warning("%s [%s]", fault.sentence, fault.code)
    # The random part is needed because containers give every process the same host name and pid.
    name = f"{settings.node_name}-{secrets.token_hex(4)}"
    store = Store(
        url,
        name,
        key_prefix=settings.key_prefix,
        wait_replicas=settings.wait_replicas,
        serves_players=serves_players,
    )
    await store.open()
    parts.push_async_callback(store.close)
    database = Database(archive_url(settings.archive, settings.data, settings.key_prefix))
    parts.push_async_callback(database.close)
    await database.open()
    await pair(store, database)
    types = PartTypes()
    if (exporter := tracing.exporter()) is not None:
        traced_parts = import_module("parlour.server.traced_parts")  # which needs OpenTelemetry
        parts.push_async_callback(traced_parts.start(exporter, name))
        types = traced_parts.TRACED
    node = Node(settings, store, database, Metrics(), f"parlour {version('parlour')}", types)
    parts.callback(node.close)
    await node.push_notifications.open()
    return node, store


async def _start_admin_server(
    settings: Settings, node: Node, store: Store, parts: AsyncExitStack, *, shares_port: bool
) -> None:
    """Open the port of operators."""
    assert settings.admin_token_file is not None
    operators = read_operators(settings.admin_token_file)
    page = installed_page(ADMIN_PAGE)
    files = {} if page is None else await asyncio.to_thread(load, page)
    server = AdminServer(AdminApi(node, store), operators, files)
    await server.open(settings.admin_host, settings.admin_port, shares_port=shares_port)
    parts.push_async_callback(server.close)
    host = f"[{settings.admin_host}]" if ":" in settings.admin_host else settings.admin_host
    logger.info("operators connect to http://%s:%d", host, server.port)


def _start_worker(node: Node, store: Store, settings: Settings, parts: AsyncExitStack) -> None:
    engines = EnginePool(settings.bot_workers)
    parts.push_async_callback(engines.close)
    pace = Pace(int(settings.bot_pace * 1000), int(settings.bot_pace_alone * 1000))
    worker = node.types.worker(
        node.registry, store.jobs, engines, node.publish_evaluation, node.now, pace, store.health.report, node.metrics
    )
    task = asyncio.create_task(worker.run(), name="bot worker")
    parts.push_async_callback(end_tasks, [task])


async def sweep_until(stop: asyncio.Event, node: Node, report: Callable[[Exception], None]) -> None:
    """Do the node's periodic work until it stops, and report errors of the store."""
    while not stop.is_set():
        await asyncio.sleep(SWEEP_EVERY)
        try:
            await node.sweep()
        except StoreUnavailable as error:
            report(error)
        except Exception:
            logger.exception("a sweep failed")


def connection_limits(settings: Settings) -> Limits:
    """Return the limits of connections in the settings, lowered to what the system allows."""
    files = descriptors.raise_limit()
    return Limits(
        connections=descriptors.connection_limit(settings.max_connections, files),
        sockets=descriptors.socket_limit(files),
        connections_per_address=settings.max_connections_per_address,
        rate=settings.message_rate,
        burst=settings.message_burst,
        address_rate=settings.message_rate * 20,
        address_burst=settings.message_burst * 20,
        soft_buffer=settings.send_buffer_soft,
        hard_buffer=settings.send_buffer_hard,
        ping_interval=settings.ping_interval,
    )
