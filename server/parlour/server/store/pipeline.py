"""The store's client: one auto-pipelining connection per master on which no command waits for another's reply."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha1
from importlib.resources import files
from typing import Any

import hiredis
from msgspec import Struct

from parlour.server.store.address import Address, parse
from parlour.server.store.errors import NotSent, StoreRefused
from parlour.server.store.keys import Keys
from parlour.server.store.masters import Masters
from parlour.server.store.redirects import Redirects
from parlour.server.store.replicated import ReplicatedConnection
from parlour.server.store.resp import Arg, OnReply, RespConnection, resolve
from parlour.server.store.slots import slot
from parlour.server.store.topology import Topology

Check = Callable[[RespConnection], Awaitable[None]]

# Set by the tests: then the keys of each command are checked as a cluster would, with any store.
CHECK_SLOTS = "PARLOUR_TEST_CHECK_SLOTS"

PROBE_TTL = 60_000  # milliseconds
SCAN_COUNT = 500  # keys that Redis looks at before it serves other clients
MOST_PROBES = 200_000  # numbers tried to find a key on every master; enough for one that has a single slot


class Script(Struct, frozen=True):
    """A Lua script and the digest that Redis knows it by."""

    text: str
    sha: str


def script(name: str) -> Script:
    """Return the script in the file `scripts/<name>.lua`."""
    text = files(__package__).joinpath("scripts", f"{name}.lua").read_text(encoding="utf-8")
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


def is_unknown_script(reply: Any) -> bool:
    """Return whether Redis replies that it does not know a script, which only happens after a SCRIPT FLUSH."""
    return type(reply) is hiredis.ReplyError and str(reply).startswith("NOSCRIPT")


class Pipeline:
    """Sends commands without waiting and passes each reply to its callback, in order.

    A command goes to the master that has the hash slot of its first key; all keys of one command have to be in the same
    slot. Everything sent to one master in one loop iteration leaves in one write. The pipeline reconnects by itself. A
    callback is called exactly once, always later than `send`, with

    - the reply, or a `hiredis.ReplyError` if Redis answers with an error;
    - `ConnectionLost` if the connection broke before the reply: the command may or may not have been executed;
    - `NotSent` if there was no connection, or far too many commands in flight: it was not executed;
    - `NotReplicated` if too few replicas have confirmed it: it was executed, but may be undone.

    Once the pipeline is connected again, nothing in flight on the previous connection can still be executed, so a
    question asked then has a final answer. The coroutines raise StoreUnavailable.
    """

    def __init__(
        self,
        store: Topology | str,
        *,
        keys: Keys | None = None,
        wait_replicas: int = 0,
        report: Callable[[Exception], None] = lambda _: None,
        timeout: float = 5.0,
    ) -> None:
        """`keys` names the keys of the deployment, for all parts of the store that use this pipeline.

        A reply comes when this many replicas (`wait_replicas`) have what was written before. `report` is called with
        the errors of the connections.
        """
        self.keys = Keys() if keys is None else keys
        self.topology = Topology(parse(store), report) if isinstance(store, str) else store
        self.wait_replicas = wait_replicas
        connection = ReplicatedConnection if wait_replicas else RespConnection
        self._masters = Masters(self.topology, self._greet, connection=connection, report=report, timeout=timeout)
        self._redirects = Redirects(self.topology, self._masters)
        # A store with one master needs neither a slot map nor redirections.
        self._sole = None if CHECK_SLOTS in os.environ else self._masters.sole
        self._loop = asyncio.get_running_loop()
        self._scripts: dict[str, Script] = {}
        self._checks: list[tuple[int, Check]] = []
        self._probes: list[str] = []  # a key on each master
        self.topology.on_change.append(self._probes.clear)
        self._clients: dict[str, tuple[bytes, int]] = {}  # by master: the last server's run id, and our id there

    async def open(self, within: float = 5.0) -> None:
        """Connect. Raise StoreUnavailable after `within` seconds."""
        await self._masters.open(within)

    async def close(self) -> None:
        """Disconnect. Callers that must lose nothing wait for their replies first."""
        await self._masters.close()
        await self.topology.close()

    def before_use(self, key: str, check: Check) -> None:
        """Await `check` on every new connection to the master of a key before anything else can use it.

        It raises StoreUnavailable to refuse the connection.
        """
        self._checks.append((slot(key), check))

    def reconnect(self) -> None:
        """Break the connection and open a new one: the address may lead to another server now."""
        self._masters.reconnect()

    @property
    def up(self) -> bool:
        """Whether every master is connected now."""
        return self._masters.up

    async def ready(self, key: str | None = None) -> None:
        """Wait until the master of a key is connected, or every master."""
        await self._masters.ready(None if key is None else slot(key))

    def server_of(self, key: str) -> Address | None:
        """Return the address of the server that has a key; None if it is not known now."""
        connector = self._masters.of(slot(key))
        return None if connector is None else connector.address

    def send(self, *args: Arg, on_reply: OnReply) -> None:
        """Send a command; `on_reply` receives the reply."""
        if self._sole is None:
            self._redirects.send(args, on_reply)
        elif (connection := self._sole.connection) is None:
            self._loop.call_soon(on_reply, NotSent("There is no connection to Redis"))
        else:
            connection.send(args, on_reply)

    def send_and_forget(self, *args: Arg) -> None:
        """Send a command whose loss does no harm."""
        self.send(*args, on_reply=_ignore)

    async def call(self, *args: Arg) -> Any:
        """Send a command and return its reply."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self.send(*args, on_reply=partial(resolve, future))
        try:
            return await future
        finally:
            del future  # its error refers to this frame: a reference cycle

    async def call_all(self, *commands: tuple[Arg, ...]) -> list[Any]:
        """Send several commands in one write and return their replies in order."""
        return list(await asyncio.gather(*(self.call(*command) for command in commands)))

    async def scan(self, pattern: str) -> AsyncIterator[list[bytes]]:
        """Yield the keys of all masters that fit a pattern, some at a time. A key may be yielded twice."""
        await self.ready()  # a master that is left out would go unnoticed
        for connection in self._masters.connections:
            cursor = 0
            while True:
                reply, found = await connection.call(b"SCAN", cursor, b"MATCH", pattern, b"COUNT", SCAN_COUNT)
                yield found
                cursor = int(reply)
                if cursor == 0:
                    break

    async def probe(self) -> None:
        """Raise StoreUnavailable unless every master takes writes, and replicates them if that is waited for.

        With one master and no replicas to wait for there is nothing to do: any write of the caller shows the same.
        """
        if not self.topology.is_cluster and not self.wait_replicas:
            return
        if not self._probes:
            self._probes.extend(self._probe_keys())
        await self.call_all(*((b"SET", key, b"", b"PX", PROBE_TTL) for key in self._probes))

    def _probe_keys(self) -> Iterator[str]:
        missing = set(self.topology.slots) - {None}
        for number in range(MOST_PROBES):
            key = self.keys.probe(number)
            master = self.topology.slots[slot(key)]
            if master in missing:
                missing.remove(master)
                yield key

    # -- scripts

    def load(self, script: Script) -> None:
        """Register a script: it is loaded into Redis now, and by every later connection before use."""
        self._scripts[script.sha] = script
        for connection in self._masters.connections:
            connection.send((b"SCRIPT", b"LOAD", script.text), _ignore)

    def run(self, script: Script, args: tuple[Arg, ...], on_reply: OnReply) -> None:
        """Run a script; `args` are the number of keys, the keys, and the arguments.

        If Redis has lost the script (SCRIPT FLUSH), its text is sent instead: only then can a reply come later than
        that of a command sent after it.
        """
        self.send(b"EVALSHA", script.sha, *args, on_reply=partial(self._ran, on_reply, script, args))

    def _ran(self, on_reply: OnReply, script: Script, args: tuple[Arg, ...], reply: Any) -> None:
        if is_unknown_script(reply):
            self.send(b"EVAL", script.text, *args, on_reply=on_reply)
        else:
            on_reply(reply)

    async def call_script(self, script: Script, *args: Arg) -> Any:
        """Run a script and return its reply."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self.run(script, args, partial(resolve, future))
        try:
            return await future
        finally:
            del future  # its error refers to this frame: a reference cycle

    async def _greet(self, master: str, connection: RespConnection, facts: dict[bytes, Any]) -> None:
        info = await connection.call("INFO", "server")
        run_id = info.partition(b"run_id:")[2].split()[0]
        last_run_id, client_id = self._clients.get(master, (b"", 0))
        if run_id == last_run_id:
            # The server may not have read all commands of the broken connection yet. From here on it drops them.
            with suppress(StoreRefused):  # already gone, or forbidden by the hosting provider
                await connection.call("CLIENT", "KILL", "ID", client_id)
        self._clients[master] = run_id, facts[b"id"]
        for known in self._scripts.values():
            await connection.call("SCRIPT", "LOAD", known.text)
        for at, check in self._checks:
            if self.topology.slots[at] == master:
                await check(connection)
        if isinstance(connection, ReplicatedConnection):
            connection.replicas = self.wait_replicas


def _ignore(reply: Any) -> None:
    """Discard a reply."""
