"""Sends commands to the masters of a cluster, and follows their redirections."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import hiredis
from msgspec import Struct

from parlour.server.store.errors import NotSent
from parlour.server.store.masters import Masters
from parlour.server.store.resp import Arg, OnReply
from parlour.server.store.slots import require_one_slot, slot_of_command
from parlour.server.store.topology import Topology

# A command that gets one of these replies was not executed, so it can be sent again.
REDIRECTIONS = ("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN")
RETRY_FOR = 2.0  # seconds; then the caller gets the reply
AT_ONCE = 3  # redirections of a command that are followed at once; further ones after a pause
PAUSE = 0.05  # seconds
MAX_WAITING = 10_000  # commands that wait for such a pause


class _Command(Struct, eq=False):
    """A command on its way to the right master."""

    slot: int
    args: tuple[Arg, ...]
    on_reply: OnReply
    redirected: int = 0
    give_up_at: float = 0.0


class Redirects:
    """Sends each command to the master that has the slot of its keys."""

    def __init__(self, topology: Topology, masters: Masters) -> None:
        self._topology = topology
        self._masters = masters
        self._loop = asyncio.get_running_loop()
        self._waiting = 0

    def send(self, args: tuple[Arg, ...], on_reply: OnReply) -> None:
        """Send a command. Raise ValueError if its keys are in several slots, or if it has none."""
        require_one_slot(args)
        slot = slot_of_command(args) if self._topology.is_cluster else 0
        command = _Command(slot, args, on_reply)
        if not self._try(command):
            self._loop.call_soon(on_reply, NotSent("There is no connection to Redis"))

    def _try(self, command: _Command) -> bool:
        """Send a command to the master of its slot, or return False if that is not connected."""
        name = self._topology.slots[command.slot]
        connector = None if name is None else self._masters.named(name)
        if name is None or connector is None or connector.connection is None:
            return False
        connector.connection.send(command.args, partial(self._replied, command, name))
        return True

    def _replied(self, command: _Command, asked: str, reply: Any) -> None:
        if type(reply) is not hiredis.ReplyError:
            command.on_reply(reply)
            return
        kind, *words = str(reply).split(" ")
        now = self._loop.time()
        command.redirected += 1
        command.give_up_at = command.give_up_at or now + RETRY_FOR
        if kind not in REDIRECTIONS or now > command.give_up_at:
            command.on_reply(reply)
        elif kind == "MOVED":
            self._topology.moved(int(words[0]), words[1], asked)
            if command.redirected > AT_ONCE or not self._try(command):
                self._try_later(command, reply)
        elif kind == "ASK":
            self._visit(command, self._topology.visit(words[1], asked), reply)
        else:
            self._topology.refresh()
            self._try_later(command, reply)

    def _visit(self, command: _Command, name: str, reply: Any) -> None:
        """Send a command to the master that its key has moved to, although the slot has not moved yet."""
        connector = self._masters.named(name)
        if command.redirected > AT_ONCE or connector is None or connector.connection is None:
            self._try_later(command, reply)
            return
        connector.connection.send((b"ASKING",), _ignore)
        connector.connection.send(command.args, partial(self._replied, command, name))

    def _try_later(self, command: _Command, reply: Any) -> None:
        if self._waiting >= MAX_WAITING:
            command.on_reply(reply)
            return
        self._waiting += 1
        command.redirected = 0
        self._loop.call_later(PAUSE, self._try_again, command, reply)

    def _try_again(self, command: _Command, reply: Any) -> None:
        self._waiting -= 1
        if self._try(command):
            return
        if self._loop.time() > command.give_up_at:
            command.on_reply(reply)
        else:
            self._try_later(command, reply)


def _ignore(reply: Any) -> None:
    """Discard the reply to ASKING; that to the command says whether it worked."""
