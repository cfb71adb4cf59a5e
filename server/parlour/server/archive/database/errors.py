"""What can go wrong with the archive database."""

from __future__ import annotations

from parlour.server.store.errors import StoreUnavailable


class ArchiveUnavailable(StoreUnavailable):
    """The archive database cannot be used now; `str()` is a sentence for the operator.

    It is a `StoreUnavailable`, so that clients are told to try again wherever the store's failures are handled.
    """
