"""Messages between a supervisor and a worker arrive whole and in order, until either end is closed."""

from __future__ import annotations

import socket
from math import inf

from parlour.server.workers.channel import open_channel
from parlour.server.workers.messages import Family, FromWorker, Health, Opened, Sampled


async def test_messages_arrive_in_order() -> None:
    """Also large ones, and numbers that JSON does not have."""
    ours, theirs = socket.socketpair()
    receiver, sender = await open_channel(ours, FromWorker), await open_channel(theirs, FromWorker)
    sent = [Opened(), Sampled([Family("m", "text " * 50_000, "gauge", [("m", {"a": "b"}, inf)])]), Health(False)]
    for message in sent:
        sender.send(message)
    sender.close()

    assert [message async for message in receiver.receive()] == sent
    receiver.close()


async def test_a_message_to_an_end_that_is_closed_is_lost() -> None:
    """The caller need not check whether the other process has just ended."""
    ours, theirs = socket.socketpair()
    sender = await open_channel(ours, FromWorker)
    theirs.close()
    sender.send(Opened())
    assert [message async for message in sender.receive()] == []
    sender.close()
    sender.send(Opened())


async def test_a_message_that_is_cut_off_is_not_received() -> None:
    """A process may be killed in the middle of one."""
    ours, theirs = socket.socketpair()
    receiver = await open_channel(ours, FromWorker)
    theirs.send(b"\0\0\0\x50" + b"half")
    theirs.close()
    assert [message async for message in receiver.receive()] == []
    receiver.close()
