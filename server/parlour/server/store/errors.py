"""The one exception that callers of the store see."""

from __future__ import annotations


class StoreUnavailable(Exception):
    """The store cannot be reached, or refuses to serve. `str()` says why and, at start-up, what would help."""


class ConnectionLost(StoreUnavailable):
    """The connection broke before the reply came: the command may or may not have been executed."""


class NotSent(StoreUnavailable):
    """There is no connection, or too much is queued on it: the command was not executed."""


class NotReplicated(StoreUnavailable):
    """Too few replicas have confirmed a write: it is in the store, but the loss of one server may undo it."""


class IsReplica(StoreUnavailable):
    """The server is a replica, and a node has to write."""


class StoreRefused(StoreUnavailable):
    """The store replied with an error, which `str()` quotes."""
