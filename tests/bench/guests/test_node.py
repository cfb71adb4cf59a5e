"""A server process can count its objects."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench.guests.node import census, write


class Kept:
    """A type that no other code has."""


def test_objects_are_counted_by_type() -> None:
    """Those that are gone are not counted."""
    kept = [Kept() for _ in range(7)]
    assert census()["Kept"] == len(kept)
    kept.clear()
    assert "Kept" not in census()


def test_the_counts_are_written_to_a_file(tmp_path: Path) -> None:
    """As JSON, and with no other file beside it."""
    write(tmp_path / "census", {"Room": 3})
    assert msgspec.json.decode((tmp_path / "census").read_bytes()) == {"Room": 3}
    assert list(tmp_path.iterdir()) == [tmp_path / "census"]
