"""Reading a request that may have a body: a command by HTTP. The head and the body are bounded, and checked by h11."""

from __future__ import annotations

from http import HTTPStatus

import h11

LARGEST_HEAD = 16 * 1024  # bytes
LARGEST_BODY = 64 * 1024  # bytes
OF_BODY = (b"content-length", b"transfer-encoding", b"expect", b"trailer")


class BadRequest(Exception):
    """The request cannot be read."""

    def __init__(self, status: HTTPStatus, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence


class RequestReader:
    """Takes a request in pieces. It is complete once `head` and `body` are there."""

    def __init__(self) -> None:
        self.method = b""
        self.head = b""  # what follows the method, without the headers about the body
        self.body = b""
        self._connection = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)
        self._request: h11.Request | None = None
        self._received = bytearray()

    def feed(self, data: bytes) -> bool:
        """Take more data; return whether the request is complete. Raise BadRequest if it cannot be read."""
        try:
            self._connection.receive_data(data)
            return self._read()
        except h11.RemoteProtocolError as error:
            sentence = f"This is not an HTTP request: {error}."
            raise BadRequest(HTTPStatus.BAD_REQUEST, "request_malformed", sentence) from None

    @property
    def is_continue_awaited(self) -> bool:
        """Whether the client sends the body only after it was told to continue."""
        return self._connection.they_are_waiting_for_100_continue

    def told_to_continue(self) -> None:
        """Note that the client was told to continue."""
        self._connection.send(h11.InformationalResponse(status_code=HTTPStatus.CONTINUE, headers=[]))

    def _read(self) -> bool:
        while True:
            event = self._connection.next_event()
            if isinstance(event, h11.Request):
                self._request = event
            elif isinstance(event, h11.Data):
                self._received += event.data
                if len(self._received) > LARGEST_BODY:
                    sentence = f"The body of a request may have at most {LARGEST_BODY:,} bytes."
                    raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "request_too_large", sentence)
            elif isinstance(event, h11.EndOfMessage):
                assert self._request is not None
                request = self._request
                lines = [b"%b HTTP/1.1" % request.target]
                lines += [b"%b: %b" % each for each in request.headers if each[0] not in OF_BODY]
                self.method, self.head = request.method, b"\r\n".join((*lines, b"", b""))
                self.body = bytes(self._received)
                return True
            else:
                return False
