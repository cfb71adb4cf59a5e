"""A server remembers its recent replies, so that a repeated command is not carried out again."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Ok, Say
from parlour.protocol.reply_cache import ReplyCache


def say(id: int, text: str = "Hello!") -> Say:
    return Say(id=id, room="room", text=text)


def test_a_reply_is_found_by_sender_and_id() -> None:
    """The same id from another player, or in another session, is another command."""
    cache = ReplyCache()
    cache.put(("ada", "one"), say(7), Ok(id=7, seq=1))

    assert cache.get(("ada", "one"), say(7)) == Ok(id=7, seq=1)
    assert cache.get(("ben", "one"), say(7)) is None
    assert cache.get(("ada", "two"), say(7)) is None
    assert cache.get(("ada", "one"), say(8)) is None


def test_a_different_command_with_a_known_id_is_refused() -> None:
    """It does not get the reply to the first one."""
    cache = ReplyCache()
    cache.put("ada", say(7), Ok(id=7))

    with pytest.raises(Refusal) as refused:
        cache.get("ada", say(7, "Good luck!"))
    assert refused.value.code == ErrorCode.ID_REUSED


def test_the_oldest_reply_is_forgotten_first() -> None:
    """The cache holds a limited number of replies."""
    cache = ReplyCache(keep=2)
    for id in (1, 2, 3):
        cache.put("ada", say(id), Ok(id=id))

    assert [cache.get("ada", say(id)) for id in (1, 2, 3)] == [None, Ok(id=2), Ok(id=3)]
