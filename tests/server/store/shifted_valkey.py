"""A Valkey for tests whose clock can be set."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from bench.load.toolchain import find_compiler
from tests.server.store.private_valkey import PrivateValkey

SOURCE = Path(__file__).with_name("shifted_clock.c")


class ShiftedValkey(PrivateValkey):
    """A server whose clock differs from this machine's."""

    def __init__(self, milliseconds: int, *settings: str) -> None:
        super().__init__(*settings)
        self._shift = self._folder / "shift"
        library = self._folder / "clock.so"
        compiler = find_compiler()
        assert compiler is not None
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
        self._environment |= {"LD_PRELOAD": str(library), "SHIFT": str(self._shift)}
        self.shift(milliseconds)

    def shift(self, milliseconds: int) -> None:
        """Set the clock, to a difference from this machine's."""
        with tempfile.NamedTemporaryFile("w", dir=self._folder, delete=False) as file:
            file.write(str(milliseconds))
        Path(file.name).replace(self._shift)  # at once, so the server never reads half a number
