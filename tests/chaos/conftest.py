"""A system with two nodes, and clients on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.chaos.recorder import Recorder
from parlour.chaos.system import System


@pytest.fixture
async def system(tmp_path: Path) -> AsyncIterator[System]:
    async with System(tmp_path, nodes=2, workers=0) as running:
        yield running


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()
