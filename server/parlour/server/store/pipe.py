"""The fast way to Redis: one connection on which nobody waits for the others' answers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from hashlib import sha1
from importlib.resources import files
from typing import Any

import hiredis
from msgspec import Struct

from parlour.server.store.address import Address, parse
from parlour.server.store.keeper import Keeper
from parlour.server.store.line import Arg, ConnectionLost, Done, Line, NotSent, pack, settle

__all__ = ["ConnectionLost", "NotSent", "Pipe", "Script", "is_forgotten", "script"]


class Script(Struct, frozen=True):
    """A Lua script, and the name by which Redis knows it."""

    text: str
    sha: str


def script(name: str) -> Script:
    """The script in the file `name` beside this one."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


def is_forgotten(reply: Any) -> bool:
    """Whether Redis answers that it does not know the script any more."""
    return type(reply) is hiredis.ReplyError and str(reply).startswith("NOSCRIPT")


class Pipe:
    """Sends commands without waiting and gives each answer to its callback, in order.

    Everything sent in one turn of the event loop leaves in one write. The pipe connects again by itself. A callback is
    called exactly once, always later than `send`, with

    - the answer, or a `hiredis.ReplyError` if Redis answers so;
    - `ConnectionLost` if the connection broke before the answer: the command may or may not have been carried out;
    - `NotSent` if there was no connection, or far too many commands under way: it was not carried out.

    Once the pipe is up again nothing of what was under way on the connection before can still be carried out, so a
    question asked then has a final answer.
    """

    def __init__(self, address: Address | str, *, timeout: float = 5.0) -> None:
        where = parse(address) if isinstance(address, str) else address
        self._keeper = Keeper(where, self._greet, timeout=timeout)
        self.around = self._keeper.around
        self._loop = asyncio.get_running_loop()
        self._scripts: dict[str, Script] = {}
        self._run_id = b""  # of the server that the last connection led to
        self._client_id = 0  # of the last connection there

    async def open(self, within: float = 5.0) -> None:
        """Connect; raises StoreTrouble if that takes longer than `within` seconds."""
        await self._keeper.open(within)

    async def close(self) -> None:
        """Hang up. To lose nothing, wait for your own answers first."""
        await self._keeper.close()

    @property
    def up(self) -> bool:
        """Whether there is a connection now."""
        return self._keeper.line is not None

    async def ready(self) -> None:
        """Wait until there is a connection."""
        await self._keeper.ready()

    def send(self, *args: Arg, done: Done) -> None:
        """Send a command; `done` gets the answer."""
        self.put(pack(args), done)

    def put(self, command: bytes, done: Done) -> None:
        """Send a command that is packed already."""
        line = self._keeper.line
        if line is None:
            self._loop.call_soon(done, NotSent("There is no connection to Redis"))
        else:
            line.put(command, done)

    async def call(self, *args: Arg) -> Any:
        """Send a command and wait for its answer; errors are raised."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self.send(*args, done=partial(settle, future))
        return await future

    # -- scripts

    def load(self, script: Script) -> None:
        """Make a script known: from the next connection on Redis has it beforehand."""
        self._scripts[script.sha] = script

    def teach(self, script: Script) -> None:
        """Tell Redis a script anew that somebody has made it forget."""
        self.send(b"SCRIPT", b"LOAD", script.text, done=_ignore)

    def run(self, script: Script, args: tuple[Arg, ...], done: Done) -> None:
        """Run a script; `args` are the number of keys, the keys, and the arguments. `done` gets its answer.

        If somebody has made Redis forget the script it is sent along a second time: only then can an answer come later
        than that of a command sent after it.
        """
        self.send(b"EVALSHA", script.sha, *args, done=partial(self._ran, done, script, args))

    def _ran(self, done: Done, script: Script, args: tuple[Arg, ...], reply: Any) -> None:
        if is_forgotten(reply):
            self.send(b"EVAL", script.text, *args, done=done)
        else:
            done(reply)

    async def call_script(self, script: Script, *args: Arg) -> Any:
        """Run a script and wait for its answer; errors are raised."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self.run(script, args, partial(settle, future))
        return await future

    async def _greet(self, line: Line, facts: dict[bytes, Any]) -> None:
        info = await line.call("INFO", "server")
        run_id = info.partition(b"run_id:")[2].split()[0]
        if run_id == self._run_id:
            # The server may still have commands of the broken connection before it, unread.
            # From here on it drops them.
            with suppress(hiredis.ReplyError):  # some hosting companies forbid it
                await line.call("CLIENT", "KILL", "ID", self._client_id)
        self._run_id, self._client_id = run_id, facts[b"id"]
        for known in self._scripts.values():
            await line.call("SCRIPT", "LOAD", known.text)


def _ignore(reply: Any) -> None:
    """Whether Redis has learned the script shows when it is used."""
