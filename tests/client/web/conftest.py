"""The browser client, built."""

from __future__ import annotations

import pytest

from tests.client.web.building import build_page


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The page is there, and is what the sources say."""
    build_page(tmp_path_factory.getbasetemp().parent)
