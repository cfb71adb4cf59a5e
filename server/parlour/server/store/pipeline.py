"""The store's client: one auto-pipelining connection on which no command waits for another's reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from hashlib import sha1
from importlib.resources import files
from typing import Any

import hiredis
from msgspec import Struct

from parlour.server.store.address import Address, parse
from parlour.server.store.connector import Connector
from parlour.server.store.errors import NotSent, StoreRefused
from parlour.server.store.keys import Keys
from parlour.server.store.resp import Arg, OnReply, RespConnection, resolve

Check = Callable[[RespConnection], Awaitable[None]]


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

    Everything sent in one loop iteration leaves in one write. The pipeline reconnects by itself. A callback is called
    exactly once, always later than `send`, with

    - the reply, or a `hiredis.ReplyError` if Redis answers with an error;
    - `ConnectionLost` if the connection broke before the reply: the command may or may not have been executed;
    - `NotSent` if there was no connection, or far too many commands in flight: it was not executed.

    Once the pipeline is connected again, nothing in flight on the previous connection can still be executed, so a
    question asked then has a final answer. The coroutines raise StoreUnavailable.
    """

    def __init__(
        self,
        address: Address | str,
        *,
        keys: Keys | None = None,
        check: Check | None = None,
        report: Callable[[Exception], None] = lambda _: None,
        timeout: float = 5.0,
    ) -> None:
        """`keys` names the keys of the deployment, for all parts of the store that use this pipeline.

        `check` is awaited on every new connection, and raises StoreUnavailable to refuse it.

        `report` is called with the errors of the connection.
        """
        where = parse(address) if isinstance(address, str) else address
        # Awaited on every new connection before anything else can use it.
        self.before_use: Check = _ready_as_it_is
        self.keys = Keys() if keys is None else keys
        self._connector = Connector(where, self._greet, report=report, timeout=timeout)
        self._check = check
        self._loop = asyncio.get_running_loop()
        self._scripts: dict[str, Script] = {}
        self._run_id = b""  # of the server behind the last connection
        self._client_id = 0  # of the last connection there

    async def open(self, within: float = 5.0) -> None:
        """Connect. Raise StoreUnavailable after `within` seconds."""
        await self._connector.open(within)

    async def close(self) -> None:
        """Disconnect. Callers that must lose nothing wait for their replies first."""
        await self._connector.close()

    def reconnect(self) -> None:
        """Break the connection and open a new one: the address may lead to another server now."""
        self._connector.reconnect()

    @property
    def up(self) -> bool:
        """Whether there is a connection now."""
        return self._connector.connection is not None

    async def ready(self) -> None:
        """Wait until there is a connection."""
        await self._connector.ready()

    def send(self, *args: Arg, on_reply: OnReply) -> None:
        """Send a command; `on_reply` receives the reply."""
        connection = self._connector.connection
        if connection is None:
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
        return await future

    async def call_all(self, *commands: tuple[Arg, ...]) -> list[Any]:
        """Send several commands in one write and return their replies in order."""
        return list(await asyncio.gather(*(self.call(*command) for command in commands)))

    # -- scripts

    def load(self, script: Script) -> None:
        """Register a script: it is loaded into Redis now, and by every later connection before use."""
        self._scripts[script.sha] = script
        if self.up:
            self.send_and_forget(b"SCRIPT", b"LOAD", script.text)

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
        return await future

    async def _greet(self, connection: RespConnection, facts: dict[bytes, Any]) -> None:
        info = await connection.call("INFO", "server")
        run_id = info.partition(b"run_id:")[2].split()[0]
        if run_id == self._run_id:
            # The server may not have read all commands of the broken connection yet. From here on it drops them.
            with suppress(StoreRefused):  # already gone, or forbidden by the hosting provider
                await connection.call("CLIENT", "KILL", "ID", self._client_id)
        self._run_id, self._client_id = run_id, facts[b"id"]
        if self._check is not None:
            await self._check(connection)
        for known in self._scripts.values():
            await connection.call("SCRIPT", "LOAD", known.text)
        await self.before_use(connection)


async def _ready_as_it_is(connection: RespConnection) -> None:
    """Do nothing with a new connection."""


def _ignore(reply: Any) -> None:
    """Discard a reply."""
