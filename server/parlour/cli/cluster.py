"""`parlour cluster`: several nodes and their store on this machine, to try out the deployment of docker-compose.yml."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import socket
import sys
from asyncio.subprocess import Process
from contextlib import ExitStack
from pathlib import Path

from parlour.cli.argument_types import checked
from parlour.cli.commands import add_command
from parlour.server.configuration.setting_types import whole_number
from parlour.server.configuration.settings import default_data
from parlour.server.restarts import Restarts, how_it_ended
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.supervisor import StoreSupervisor

logger = logging.getLogger(__name__)

HOST = "127.0.0.1"
MAX_NODES = 16
STOP_TIMEOUT = 20.0  # seconds

DESCRIPTION = """\
Start a store and several nodes that share it, and print their addresses. Players may connect to any node, and fail
over to another one when theirs is killed. Killed nodes are restarted, and so is the store. Ctrl-C stops them all; the
games are kept.
"""

EPILOG = "example: parlour cluster --nodes 3"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "cluster",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument(
        "--nodes", metavar="N", type=checked(whole_number(1, MAX_NODES)), default=2,
        help="number of nodes (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--port", metavar="N", type=checked(whole_number(0, 65535 - MAX_NODES)), default=8765,
        help="port of the first node, the others follow; 0 picks any free ports (default: 8765)",
    )  # fmt: skip
    parser.add_argument(
        "--data", metavar="DIR", type=Path, default=default_data() / "cluster",
        help="folder of the store and of the archive (default: cluster in the platform's folder for application data)",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(format="parlour: %(message)s", level=logging.WARNING)  # the restarts of the store
    try:
        first, count = arguments.port, arguments.nodes
        return asyncio.run(_run(arguments.data, list(range(first, first + count)) if first else _free_ports(count)))
    except StoreUnavailable as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 1


def _free_ports(count: int) -> list[int]:
    """Return ports that are free now; all are held until the last is found, so that they differ."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in held]


async def _run(data: Path, ports: list[int]) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with StoreSupervisor(data) as store:
        addresses = ",".join(f"ws://{HOST}:{port}/ws" for port in ports)
        common = ("--host", HOST, "--redis", store.url, "--data", str(data), "--nodes", addresses)
        nodes = [asyncio.create_task(_supervise(store, port, *common)) for port in ports]
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([*nodes, stopped], return_when=asyncio.FIRST_COMPLETED)
        for node in nodes:
            node.cancel()
        codes = await asyncio.gather(*nodes, return_exceptions=True)
    return max((code for code in codes if isinstance(code, int)), default=0)


async def _supervise(store: StoreSupervisor, port: int, *options: str) -> int:
    """Run a node, restart it when it is killed, and stop it on cancellation. Return its exit code if it fails."""
    restarts, clock = Restarts(), asyncio.get_running_loop()
    while True:
        began = clock.time()
        # In its own process group, so that Ctrl-C reaches only this process, which stops the nodes before the store.
        node = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "parlour.cli", "serve", "--port", str(port), *options, process_group=0
        )
        try:
            code = await node.wait()
        except asyncio.CancelledError:
            await _stop(node)
            raise
        if code > 0 and store.outage is None:  # without a store no node can start
            return code  # the node has printed why
        logger.warning("the node at port %s %s; restarting it", port, how_it_ended(code))
        await asyncio.sleep(restarts.pause(clock.time() - began))


async def _stop(node: Process) -> None:
    node.terminate()
    try:
        async with asyncio.timeout(STOP_TIMEOUT):
            await node.wait()
    except TimeoutError:
        node.kill()
        await node.wait()
