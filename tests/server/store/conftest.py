"""Connections to the store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.store.tls_proxy import TlsProxy, run_tls_proxy


@pytest.fixture
async def tls_proxy(valkey: str, tmp_path: Path) -> AsyncIterator[TlsProxy]:
    """The shared Valkey behind TLS."""
    async with run_tls_proxy(valkey.removeprefix("unix://"), tmp_path) as proxy:
        yield proxy
