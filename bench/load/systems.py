"""The servers that are compared, and how each is started."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec import Struct

from bench.load import processes
from bench.load.toolchain import PEERS
from parlour.server.store.embedded import EmbeddedStore

PARLOUR = "parlour"
DURABLE_COLYSEUS, COLYSEUS = "durable-colyseus", "colyseus"
DURABLE_WS, WS = "durable-ws", "ws"
FLOOR = "floor"
SYSTEMS = (PARLOUR, DURABLE_COLYSEUS, COLYSEUS, DURABLE_WS, WS, FLOOR)
NEED_NODE = {DURABLE_COLYSEUS, COLYSEUS, DURABLE_WS, WS}

GAMES = Path(__file__).parents[1] / "games"

# The limits stay in force, but the load generator must not reach them.
HIGH_LIMITS = (
    "--max-connections", "100000", "--max-connections-per-address", "100000",
    "--message-rate", "1000000", "--message-burst", "1000000",
    "--unlimited-networks", "127.0.0.0/8",
)  # fmt: skip


class System(Struct, frozen=True):
    """A server to compare."""

    key: str
    title: str
    protocol: str  # of the load generator
    durable: bool  # whether it gets a store, and commits a move before it broadcasts it
    command: Callable[[int, str], list[str]]  # from the port and the store's socket ("" without a store)


class Server(Struct, frozen=True):
    """A running system."""

    port: int
    pids: tuple[int, ...]
    store_pids: tuple[int, ...] = ()
    stores: tuple[str, ...] = ()  # the addresses of the masters


def find_system(key: str, *, node: str = "node", floor: Path = Path("floor")) -> System:
    """Return the system with that key; `node` and `floor` are the programs that the peers need."""

    def script(name: str) -> Callable[[int, str], list[str]]:
        return lambda port, store: [node, str(PEERS / name), str(port), *([store] if store else [])]

    match key:
        case "parlour":
            return System(key, "Parlour", "parlour", True, _parlour)
        case "durable-colyseus":
            return System(key, "durable Colyseus", "colyseus", True, script("colyseus.mjs"))
        case "colyseus":
            return System(key, "Colyseus", "colyseus", False, script("colyseus.mjs"))
        case "durable-ws":
            return System(key, "durable ws", "plain", True, script("ws.mjs"))
        case "ws":
            return System(key, "ws", "plain", False, script("ws.mjs"))
        case "floor":
            return System(key, "C floor", "plain", False, lambda port, _: [str(floor), str(port)])
    raise ValueError(key)


def _parlour(port: int, store: str) -> list[str]:
    return [
        sys.executable, "-m", "parlour.cli", "--games", str(GAMES), "serve", "--port", str(port),
        "--redis", f"unix://{store}", "--data", "data", "--log-level", "warning", *HIGH_LIMITS,
    ]  # fmt: skip


@asynccontextmanager
async def running(system: System) -> AsyncIterator[Server]:
    """Start a system, with an empty store if it is durable, and delete everything at the end.

    The store is the one that a Parlour node starts for itself, so all durable systems have the same fsync policy.
    """
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-")))
        socket = ""
        store_pids: tuple[int, ...] = ()
        if system.durable:
            store = await stack.enter_async_context(EmbeddedStore(folder / "store"))
            assert store.pid is not None
            socket, store_pids = store.url.removeprefix("unix://"), (store.pid,)
        port = processes.free_port()
        process = await stack.enter_async_context(processes.listening(system.command(port, socket), port, folder))
        yield Server(port, (process.pid,), store_pids)
