"""A connection that passes on replies only when replicas have what was written."""

from __future__ import annotations

from functools import partial
from typing import Any

from parlour.server.store.errors import NotReplicated
from parlour.server.store.resp import Arg, OnReply, RespConnection, pack

# Milliseconds for the replicas. Commands behind the WAIT are not executed until it ends, so it must end before a
# missing heartbeat matters.
WAIT_FOR = 1_000


class ReplicatedConnection(RespConnection):
    """Ends each write with one WAIT, and holds back the replies to its commands until that is answered.

    If fewer than `replicas` replicas have everything that this connection has written, each of these commands gets
    `NotReplicated` instead of its reply. Reads wait too: what they show may be what was just written.
    """

    def __init__(self) -> None:
        super().__init__()
        self.replicas = 0  # number to wait for; 0 while the connection is being prepared
        self._held: list[tuple[OnReply, Any]] = []

    def send(self, args: tuple[Arg, ...], on_reply: OnReply) -> None:
        super().send(args, partial(self._hold, on_reply) if self.replicas else on_reply)

    def _hold(self, on_reply: OnReply, reply: Any) -> None:
        self._held.append((on_reply, reply))

    def _flush(self) -> None:
        if self.replicas:
            self._outgoing.append(pack((b"WAIT", self.replicas, WAIT_FOR)))
            self._callbacks.append(self._confirm)
        super()._flush()

    def _confirm(self, acknowledged: Any) -> None:
        """Pass on the replies to one write, once it is known how many replicas have it."""
        held, self._held = self._held, []
        is_replicated = isinstance(acknowledged, int) and acknowledged >= self.replicas
        problem = acknowledged
        if not isinstance(acknowledged, Exception):
            problem = NotReplicated(f"{acknowledged} of {self.replicas} replicas have confirmed a write in time")
        for on_reply, reply in held:
            try:
                on_reply(reply if is_replicated or isinstance(reply, Exception) else problem)
            except Exception as fault:
                self._report(on_reply, fault)
