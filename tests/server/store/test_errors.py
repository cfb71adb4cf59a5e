"""The exceptions of the store."""

from __future__ import annotations

import pytest

from parlour.server.store.errors import ConnectionLost, NotSent, StoreRefused, StoreUnavailable


@pytest.mark.parametrize("error", [ConnectionLost, NotSent, StoreRefused])
def test_callers_need_one_exception(error: type[Exception]) -> None:
    """Every failure of the store is a StoreUnavailable, and none is an OSError of a library."""
    assert issubclass(error, StoreUnavailable)
    assert not issubclass(error, OSError)
