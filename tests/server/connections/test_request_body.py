"""Reading a request with a body."""

from __future__ import annotations

import pytest

from parlour.server.connections.request_body import LARGEST_BODY, BadRequest, RequestReader

HEAD = b"POST /a?b HTTP/1.1\r\nHost: h\r\nX-One: 1\r\n"


@pytest.mark.parametrize(
    "body",
    [b"Content-Length: 5\r\n\r\nhello", b"Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"],
)
def test_a_request_may_arrive_in_any_pieces(body: bytes) -> None:
    """What remains is the request without the headers of its body."""
    reader = RequestReader()
    data = HEAD + body
    assert [reader.feed(data[at : at + 1]) for at in range(len(data))] == [False] * (len(data) - 1) + [True]
    assert (reader.method, reader.body) == (b"POST", b"hello")
    assert reader.head == b"/a?b HTTP/1.1\r\nhost: h\r\nx-one: 1\r\n\r\n"


def test_a_request_without_a_body_is_complete_at_once() -> None:
    """Its body is empty."""
    reader = RequestReader()
    assert reader.feed(HEAD + b"\r\n")
    assert reader.body == b""


def test_a_client_is_told_to_continue() -> None:
    """Once."""
    reader = RequestReader()
    assert not reader.feed(HEAD + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    assert reader.is_continue_awaited
    reader.told_to_continue()
    assert not reader.is_continue_awaited
    assert reader.feed(b"ab")


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST / HTTP/1.1\r\n\r\n", 400),  # no host
        (HEAD + b"Content-Length: x\r\n\r\n", 400),
        (HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (HEAD + b"X: " + b"y" * 20_000, 400),
        (HEAD + b"Content-Length: %d\r\n\r\n" % (LARGEST_BODY + 1) + b" " * (LARGEST_BODY + 1), 413),
    ],
)
def test_other_requests_are_refused(data: bytes, status: int) -> None:
    """Before all of it is kept."""
    with pytest.raises(BadRequest) as refused:
        RequestReader().feed(data)
    assert refused.value.status == status
