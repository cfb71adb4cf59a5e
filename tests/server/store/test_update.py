"""Updates on the wire between nodes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parlour.server.store.update import Update, head, read


@given(st.integers(1, 2**53), st.lists(st.binary(max_size=300), min_size=1, max_size=20))
def test_updates_read_back(first_seq: int, entries: list[bytes]) -> None:
    """Whatever entries are told, the same are heard."""
    assert read(head(first_seq, entries) + b"".join(entries)) == Update(first_seq, entries)
