"""The compiled programs, which several tests of the load benchmark run."""

from __future__ import annotations

import pytest

from bench.load import toolchain
from bench.load.toolchain import Programs


@pytest.fixture(scope="session")
def programs() -> Programs:
    """The load generator and the floor server."""
    return toolchain.build(toolchain.find_compiler())
