"""The lobby and challenges.

Here the rules are kept; test_broken_clients.py covers those that are not.
"""

from __future__ import annotations

from parlour.conform.client_faults import meeting
from tests.conform.unbroken import expect_small_client_keeps


def test_the_small_client_copes() -> None:
    """A client that keeps the rules of these faults is reported as keeping them."""
    expect_small_client_keeps(meeting)
