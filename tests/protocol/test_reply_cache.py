"""A server remembers its recent replies, so that a repeated command is not carried out again."""

from __future__ import annotations

from parlour.protocol.messages import Ok
from parlour.protocol.reply_cache import ReplyCache


def test_a_reply_is_found_by_sender_and_id() -> None:
    """The same id from another player is another command."""
    cache = ReplyCache()
    cache.put("ada", 7, Ok(id=7, seq=1))

    assert cache.get("ada", 7) == Ok(id=7, seq=1)
    assert cache.get("ben", 7) is None
    assert cache.get("ada", 8) is None


def test_the_oldest_reply_is_forgotten_first() -> None:
    """The cache holds a limited number of replies."""
    cache = ReplyCache(keep=2)
    for id in (1, 2, 3):
        cache.put("ada", id, Ok(id=id))

    assert [cache.get("ada", id) for id in (1, 2, 3)] == [None, Ok(id=2), Ok(id=3)]
