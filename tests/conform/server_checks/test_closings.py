"""Close codes.

Here the rules are kept; test_broken_servers.py covers those that are not.
"""

from __future__ import annotations

from parlour.conform.server_checks import closings
from tests.conform.unbroken import expect_small_server_keeps


def test_the_small_server_keeps_these_rules() -> None:
    """A server that keeps the rules of this module is reported as keeping them."""
    expect_small_server_keeps(closings)
