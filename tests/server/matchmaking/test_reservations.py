"""The limit of open seeks per connection."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.matchmaking.reservations import MAX_SEEKS, reserve


def test_an_id_is_reserved() -> None:
    """The id is in the set while the seek is created, and stays there."""
    ids: set[str] = set()
    with reserve(ids, "a", "seeks"):
        assert ids == {"a"}
    assert ids == {"a"}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_releases_the_id(error: type[BaseException]) -> None:
    """If creating the seek fails, the id is removed, unless it was there before."""
    ids = {"old"}
    for id in ("new", "old"):
        with pytest.raises(error), reserve(ids, id, "seeks"):
            raise error
    assert ids == {"old"}


def test_one_too_many_is_refused() -> None:
    """A new id beyond the limit is refused with advice; one that is already there is not."""
    ids = {str(number) for number in range(MAX_SEEKS)}
    with (
        pytest.raises(Refusal, match=r"You already have 20 seeks\. Withdraw one first\.") as refused,
        reserve(ids, "x", "seeks"),
    ):
        pass
    assert refused.value.code is ErrorCode.LIMIT_REACHED
    with reserve(ids, "0", "seeks"):
        pass
    assert len(ids) == MAX_SEEKS
