"""The number of seeks, queued games and invitations that one connection may have open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from parlour.protocol.errors import ErrorCode, Refusal

MAX_SEEKS = 20  # of one connection: seeks and queued games together, and as many invitations


@contextmanager
def reserve(ids: set[str], id: str, plural: str) -> Iterator[None]:
    """Add an id to a session's set while its seek is created, and remove it if that fails.

    Refuse an id over the limit. The id is added before anything is awaited, so commands that arrive together are
    counted too.
    """
    is_new = id not in ids
    if is_new and len(ids) >= MAX_SEEKS:
        raise Refusal(ErrorCode.LIMIT_REACHED, f"You already have {MAX_SEEKS} {plural}. Withdraw one first.")
    ids.add(id)
    try:
        yield
    except BaseException:
        if is_new:
            ids.discard(id)
        raise
