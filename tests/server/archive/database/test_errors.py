"""The archive's failures are handled like the store's."""

from __future__ import annotations

from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.store.errors import StoreUnavailable


def test_clients_are_told_to_try_again() -> None:
    """Whatever handles a store that is away handles an archive that is away."""
    assert issubclass(ArchiveUnavailable, StoreUnavailable)
