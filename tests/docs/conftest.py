"""The tools that draw the pictures."""

from __future__ import annotations

import pytest

from tests.client.web.building import build_page


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Install what client/web/docs needs, once for all test processes."""
    build_page(tmp_path_factory.getbasetemp().parent)
