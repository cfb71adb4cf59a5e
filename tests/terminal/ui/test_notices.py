"""Transient notices."""

from __future__ import annotations

from parlour.terminal.ui.notices import LIFETIME, Notices


def test_a_notice_expires() -> None:
    """It is shown for its lifetime, counted from the moment it was added."""
    notices = Notices()
    notices.add("Bob declined the draw.", now=10)
    assert notices.current(10 + LIFETIME - 0.1) == "Bob declined the draw."
    assert notices.current(10 + LIFETIME) == ""
    assert notices.current(10) == ""


def test_a_newer_notice_replaces_an_older_one() -> None:
    """An empty sentence changes nothing, and a cleared notice is gone."""
    notices = Notices()
    notices.add("one", now=0)
    notices.add("two", now=1)
    notices.add("", now=2)
    assert notices.current(LIFETIME) == "two"
    notices.clear()
    assert notices.current(2) == ""
