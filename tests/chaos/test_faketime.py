"""The clock of a process, by means of libfaketime."""

from __future__ import annotations

import os
from pathlib import Path

from parlour.chaos.faketime import FakeClock, find_library


def test_the_library_is_found(tmp_path: Path) -> None:
    """It may be in a folder of the machine's architecture."""
    assert find_library((str(tmp_path),)) is None
    library = tmp_path / "x86_64-linux-gnu" / "faketime" / "libfaketime.so.1"
    library.parent.mkdir(parents=True)
    library.touch()
    assert find_library((str(tmp_path / "missing"), str(tmp_path))) == library


def test_the_clock_is_shifted(tmp_path: Path) -> None:
    """The library reads the shift from a file, in seconds with a sign."""
    clock = FakeClock(tmp_path / "library", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "+0.000\n"
    clock.shift(-12.5)
    assert (tmp_path / "file").read_text() == "-12.500\n"


def test_the_environment_is_restored(tmp_path: Path) -> None:
    """Only processes that are started inside have the clock."""
    clock = FakeClock(tmp_path / "library", tmp_path / "file")
    before = dict(os.environ)
    with clock.preloaded():
        assert os.environ["LD_PRELOAD"] == str(tmp_path / "library")
        assert os.environ["FAKETIME_TIMESTAMP_FILE"] == str(tmp_path / "file")
    assert dict(os.environ) == before
