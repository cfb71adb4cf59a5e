"""The meaning of replies of push services."""

from __future__ import annotations

from parlour.server.push.outcome import PushOutcome, outcome_of


def test_every_status_has_a_meaning() -> None:
    """A busy or broken service is asked again, a browser that is gone is forgotten, all else is final."""
    assert {outcome_of(status) for status in (200, 201, 202)} == {PushOutcome.SENT}
    assert {outcome_of(status) for status in (404, 410)} == {PushOutcome.GONE}
    assert {outcome_of(status) for status in (429, 500, 503)} == {None}
    assert {outcome_of(status) for status in (301, 400, 401, 403, 413)} == {PushOutcome.FAILED}
