"""A server process that counts its Python objects when it receives SIGUSR1.

    python -m bench.guests.node FILE serve …             the rest is passed to `parlour`

The counts are written to the file, as a JSON object by type.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import msgspec

from parlour.cli import main


def census() -> Mapping[str, int]:
    """Return the number of objects that the garbage collector knows, by type."""
    gc.collect()
    return Counter(type(each).__qualname__ for each in gc.get_objects())


def write(file: Path, counts: Mapping[str, int]) -> None:
    """Write counts to a file, which appears at once and complete."""
    written = file.with_suffix(".new")
    written.write_bytes(msgspec.json.encode(counts))
    written.replace(file)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, lambda *_: write(Path(sys.argv[1]), census()))
    sys.exit(main(sys.argv[2:]))
