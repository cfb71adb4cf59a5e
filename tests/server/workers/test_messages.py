"""Every message between a supervisor and its workers has a tag of its own."""

from __future__ import annotations

from typing import get_args

import msgspec

from parlour.server.workers.messages import FromSupervisor, FromWorker


def test_messages_have_different_tags() -> None:
    """A receiver can tell them apart."""
    for union in (FromSupervisor, FromWorker):
        tags = [msgspec.inspect.type_info(kind).tag for kind in get_args(union)]  # type: ignore[attr-defined]
        assert len(set(tags)) == len(tags) == 4
