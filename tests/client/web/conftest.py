"""The built browser client."""

from __future__ import annotations

import pytest

from tests.client.web.building import build_page


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Build the page from the current sources."""
    build_page(tmp_path_factory.getbasetemp().parent)
