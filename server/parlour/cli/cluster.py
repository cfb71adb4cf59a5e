"""`parlour cluster`: a whole parlour of several nodes on this machine, as docker-compose.yml has it on others."""

from __future__ import annotations

import argparse
import asyncio
import signal
import socket
import sys
from asyncio.subprocess import Process
from contextlib import ExitStack
from pathlib import Path

from parlour.server import config
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.trouble import StoreTrouble

HOST = "127.0.0.1"
MOST_NODES = 16
AGAIN_AFTER = 1.0  # seconds until a node that was killed is started again
STOP_WITHIN = 20.0  # seconds

DESCRIPTION = """\
Starts a store and several nodes on it, and prints their addresses. Any player may use any node, and goes on at another
one when a node is killed: try it. The node is started again. Ctrl-C ends them all; the games are kept.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("cluster", help="start several nodes on this machine", description=DESCRIPTION)
    parser.add_argument("--nodes", metavar="N", type=_number_of_nodes, default=2, help="how many (default: 2)")
    parser.add_argument(
        "--port", metavar="N", type=int, default=8765,
        help="port of the first node, the others follow; 0 takes any free ones (default: 8765)",
    )  # fmt: skip
    parser.add_argument(
        "--data", metavar="DIR", type=Path, default=config.default_data() / "cluster",
        help="where everything is kept (default: cluster in the platform's place for data)",
    )  # fmt: skip
    parser.set_defaults(run=run)


def _number_of_nodes(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_NODES:
        raise argparse.ArgumentTypeError(f"it must be a whole number from 1 to {MOST_NODES}")
    return number


def run(arguments: argparse.Namespace) -> int:
    try:
        ports = _free_ports(arguments.nodes) if arguments.port == 0 else range(arguments.port, 65536)
        return asyncio.run(_run(arguments.data, list(ports)[: arguments.nodes]))
    except StoreTrouble as trouble:
        print(f"parlour: {trouble}", file=sys.stderr)
        return 1


def _free_ports(count: int) -> list[int]:
    """Ports that nobody uses now; all are held until the last is found, so that they differ."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in held]


async def _run(data: Path, ports: list[int]) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with EmbeddedStore(data) as store:
        addresses = ",".join(f"ws://{HOST}:{port}/ws" for port in ports)
        common = ("--host", HOST, "--redis", store.url, "--nodes", addresses)
        keepers = [asyncio.create_task(_keep("--port", str(port), *common)) for port in ports]
        ended = asyncio.create_task(stop.wait())
        await asyncio.wait([*keepers, ended], return_when=asyncio.FIRST_COMPLETED)
        for keeper in keepers:
            keeper.cancel()
        codes = await asyncio.gather(*keepers, return_exceptions=True)
    return max((code for code in codes if isinstance(code, int)), default=0)


async def _keep(*options: str) -> int:
    """Keep a node running until we are cancelled; then end it. Gives its exit code if it refuses to run."""
    while True:
        # In a group of its own: Ctrl-C reaches us only, and we end the nodes before their store.
        node = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "parlour.cli", "serve", *options, process_group=0
        )
        try:
            code = await node.wait()
        except asyncio.CancelledError:
            await _end(node)
            raise
        if code > 0:
            return code  # it has said why
        await asyncio.sleep(AGAIN_AFTER)


async def _end(node: Process) -> None:
    node.terminate()
    try:
        async with asyncio.timeout(STOP_WITHIN):
            await node.wait()
    except TimeoutError:
        node.kill()
        await node.wait()
