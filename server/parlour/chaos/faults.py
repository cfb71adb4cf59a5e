"""The kinds of faults: what each one breaks, and for how long."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Target = Literal["node", "store"]


class FaultKind(Struct, frozen=True):
    """A way to break one part of the system. Every fault ends by itself."""

    name: str
    target: Target  # "node": one of them, or its connections
    seconds: tuple[float, float]  # the shortest and the longest time it lasts
    sentence: str


# A player has `players.CLOCK` for a move. Faults of a node and of its clients' network are much shorter than that,
# since the clock keeps running. Those of the store may last longer, since the server must not charge an outage to the
# players, and so may those between a node and the store, since a node that is cut off must let its players go.
KINDS = {
    kind.name: kind
    for kind in (
        FaultKind("node-kill", "node", (0, 3), "kill a node with SIGKILL and start it again"),
        FaultKind("node-stop", "node", (0, 3), "stop a node with SIGTERM and start it again"),
        FaultKind("node-freeze", "node", (3, 6), "suspend a node with SIGSTOP"),
        FaultKind("store-kill", "store", (0, 8), "kill the store with SIGKILL and start it again"),
        FaultKind("store-stop", "store", (0, 8), "stop the store with SIGTERM and start it again"),
        FaultKind("store-freeze", "store", (5, 20), "suspend the store with SIGSTOP"),
        FaultKind("store-pause", "store", (2, 8), "make the store delay all commands (CLIENT PAUSE)"),
        FaultKind("store-readonly", "store", (2, 8), "make the store a replica, which accepts no writes"),
        FaultKind("store-full", "store", (2, 8), "leave the store no memory, so that it accepts no writes"),
        FaultKind("store-clock", "store", (4, 10), "set the store's clock forward or back (needs libfaketime)"),
        FaultKind("client-cut", "node", (0, 2), "cut a node's clients off, and refuse new connections"),
        FaultKind("client-delay", "node", (3, 6), "delay everything between a node and its clients"),
        FaultKind("client-stall", "node", (2, 5), "keep clients connected to a node, but forward nothing"),
        FaultKind("client-mute", "node", (2, 4), "forward what clients send to a node, but none of its replies"),
        FaultKind("link-cut", "node", (0, 20), "cut a node off from the store, and refuse new connections"),
        FaultKind("link-delay", "node", (3, 6), "delay everything between a node and the store"),
        FaultKind("link-stall", "node", (4, 20), "keep a node connected to the store, but forward nothing"),
    )
}

NEEDS_FAKETIME = "store-clock"
CLIENT_FAULTS = tuple(name for name in KINDS if name.startswith("client-"))


class Fault(Struct, frozen=True):
    """A planned or current fault."""

    kind: str
    seconds: float  # how long it lasts, not counting the recovery
    node: int | None = None  # the number of the node that it hits; None: the store
    amount: float = 0.0  # seconds: of a delay, or of the shift of a clock

    def __str__(self) -> str:
        return self.kind if self.node is None else f"{self.kind} on node {self.node + 1}"
