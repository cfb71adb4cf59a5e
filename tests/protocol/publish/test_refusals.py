"""The list of refusals is complete. tests/docs/test_protocol.py compares it with a real server."""

from __future__ import annotations

from parlour.protocol.errors import ErrorCode
from publish.model import CLIENT_KINDS
from publish.refusals import ELSEWHERE, GENERAL, REFUSALS


def test_every_message_is_listed() -> None:
    """Each message from a client has its codes, without those that any message can be refused with."""
    assert list(REFUSALS) == list(CLIENT_KINDS)
    for kind, codes in REFUSALS.items():
        assert len(set(codes)) == len(codes), kind.__name__
        assert not set(codes) & {*GENERAL, *ELSEWHERE}, kind.__name__


def test_every_code_is_listed() -> None:
    """Each code is that of a message, of all messages, or of operators."""
    listed = {code for codes in REFUSALS.values() for code in codes}
    assert {*listed, *GENERAL, *ELSEWHERE} == set(ErrorCode)
