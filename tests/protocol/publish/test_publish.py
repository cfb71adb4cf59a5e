"""The published files match the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from publish.__main__ import ROOT, VECTORS, published, stale

FILES = published()


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in FILES])
def test_a_published_file_is_fresh(path: Path) -> None:
    """The file is what `python -m publish` would write."""
    assert path.read_text("utf-8") == FILES[path], "run `python -m publish`"


def test_nothing_else_is_published() -> None:
    """No published vectors are left that are no longer generated."""
    assert stale(FILES) == []


def test_stale_files_are_found(tmp_path: Path) -> None:
    """A missing, different or superfluous file is stale; no other file is."""
    fresh, missing, different, left_over = (tmp_path / f"{name}.json" for name in "abcd")
    for path in (fresh, different, left_over):
        path.write_text("[]", "utf-8")

    assert stale({fresh: "[]", missing: "[]", different: "[1]"}, tmp_path) == [missing, different, left_over]


def test_publishing_is_repeatable() -> None:
    """The same source yields the same bytes."""
    assert published() == FILES


def test_vectors_are_of_reasonable_size() -> None:
    """All vectors together are smaller than a megabyte."""
    vectors = [text for path, text in FILES.items() if path.is_relative_to(VECTORS)]
    assert 0 < sum(len(text.encode()) for text in vectors) < 1_000_000
