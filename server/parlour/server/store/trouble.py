"""What can be wrong with the store, said in one sentence to the person who runs the node."""

from __future__ import annotations


class StoreTrouble(Exception):
    """The store cannot be used as it was asked for; `str()` says why and what would help."""
