"""Why a connection to a server could not be opened, with a stable code and a sentence that says what to do."""

from __future__ import annotations

import ssl
from enum import StrEnum
from http import HTTPStatus
from socket import gaierror
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from websockets.exceptions import InvalidMessage, InvalidStatus, InvalidURI, NegotiationError

from parlour.protocol.codec import CODECS

PROTOCOL = "parlour."  # how its subprotocols begin, in every version
SUBPROTOCOL_UNKNOWN = "subprotocol_unknown"  # what a server answers to a client that speaks another version


class ConnectCode(StrEnum):
    """Why there is no connection."""

    ADDRESS_INVALID = "address_invalid"
    REFUSED = "connection_refused"  # nothing listens there
    HOST_UNKNOWN = "host_unknown"
    UNREACHABLE = "host_unreachable"
    TIMEOUT = "connection_timeout"
    CLOSED = "connection_closed"  # the other end closed the connection without an answer
    TLS_MISSING = "tls_missing"  # the address says https, but the server does not speak TLS
    TLS_REQUIRED = "tls_required"  # the address says http, but the server speaks TLS
    CERTIFICATE_INVALID = "certificate_invalid"
    REDIRECTED = "redirected"
    NOT_HTTP = "not_http"  # something other than a web server answers
    HTTP_STATUS = "http_status"  # a web server answers, but not with a WebSocket
    VERSION_MISMATCH = "version_mismatch"  # the server speaks another version of the protocol
    NOT_PARLOUR = "not_parlour"  # the answer is not that of a Parlour server


# Trying again may help with these; the others need another address or another version.
TEMPORARY = frozenset({
    ConnectCode.REFUSED, ConnectCode.HOST_UNKNOWN, ConnectCode.UNREACHABLE, ConnectCode.TIMEOUT, ConnectCode.CLOSED,
})  # fmt: skip


class ConnectError(ConnectionError):
    """A connection could not be opened. `str()` is the sentence."""

    def __init__(self, code: ConnectCode, sentence: str, *, is_temporary: bool | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.is_temporary: bool = code in TEMPORARY if is_temporary is None else is_temporary  # trying again may help


class _HttpRefusal(Struct):
    """The HTTP response in which a Parlour server says why it does not open a WebSocket."""

    error: str
    text: str


def explain(error: BaseException, address: str, timeout: float) -> ConnectError:
    """Return the `ConnectError` for an error of the network or of `websockets`. `timeout` is in seconds."""
    where = _place(address)
    match error:
        case ConnectError():
            return error
        case TimeoutError():
            return ConnectError(ConnectCode.TIMEOUT, f"{where} did not answer within {timeout:g} seconds.")
        case ConnectionRefusedError():
            sentence = f"Nothing listens at {where}. Check the address and that the server is running."
            return ConnectError(ConnectCode.REFUSED, sentence)
        case gaierror():
            host = urlsplit(address).hostname
            return ConnectError(
                ConnectCode.HOST_UNKNOWN, f"There is no host named {host}. Check the spelling and your network."
            )
        case ssl.SSLCertVerificationError():
            sentence = f"The certificate of {where} is not valid: {error.verify_message}."
            return ConnectError(ConnectCode.CERTIFICATE_INVALID, sentence)
        case ssl.SSLError():
            sentence = f"{where} does not speak TLS. Write the address with http:// instead of https://."
            return ConnectError(ConnectCode.TLS_MISSING, sentence)
        case InvalidStatus():
            return _explain_status(error.response.status_code, bytes(error.response.body), address)
        case InvalidURI() if error.uri == address:
            return ConnectError(ConnectCode.ADDRESS_INVALID, f"{address} is not the address of a server.")
        case InvalidURI():
            return ConnectError(ConnectCode.REDIRECTED, f"{where} redirects to {error.uri}. Use that address.")
        case NegotiationError() if (theirs := str(error).rpartition(" ")[2]).startswith(PROTOCOL):
            return _version_mismatch(where, theirs)
        case InvalidMessage():
            return _explain_no_http(error, where)
        case ConnectionError():
            return ConnectError(ConnectCode.CLOSED, f"{where} closed the connection.")
        case OSError():
            reason = error.strerror or str(error)
            return ConnectError(ConnectCode.UNREACHABLE, f"{where} cannot be reached: {reason}.")
        case _:
            return ConnectError(ConnectCode.NOT_PARLOUR, f"{where} is not a Parlour server: {error}.")


def wrong_subprotocol(address: str, chosen: str | None) -> ConnectError:
    """Return the error for a server that opens a WebSocket without a subprotocol that this client speaks."""
    if chosen is None:
        sentence = f"{_place(address)} is not a Parlour server: it does not speak the protocol {_versions()}."
        return ConnectError(ConnectCode.NOT_PARLOUR, sentence)
    return _version_mismatch(_place(address), chosen)


def unreadable_welcome(address: str) -> ConnectError:
    """Return the error for a server whose first message cannot be read."""
    return _version_mismatch(_place(address), "another version of it")


def closed_before_welcome(address: str, reason: str) -> ConnectError:
    """Return the error for a server that closes the connection before it has answered hello."""
    why = f": {reason.rstrip('.')}" if reason else ""
    return ConnectError(ConnectCode.CLOSED, f"{_place(address)} closed the connection{why}.")


def _explain_status(status: int, body: bytes, address: str) -> ConnectError:
    where, path = _place(address), urlsplit(address).path
    try:
        refusal = msgspec.json.decode(body, type=_HttpRefusal)
    except (msgspec.DecodeError, UnicodeDecodeError):
        refusal = None
    if refusal is not None and refusal.error == SUBPROTOCOL_UNKNOWN:
        return _version_mismatch(where, refusal.text.partition(": ")[2].rstrip(".") or "others")
    if b"HTTPS" in body[:1000] and status == HTTPStatus.BAD_REQUEST:
        sentence = f"{where} expects TLS. Write the address with https:// instead of http://."
        return ConnectError(ConnectCode.TLS_REQUIRED, sentence)
    answer = f"HTTP {status}" if refusal is None else f"HTTP {status}: {refusal.text.rstrip('.')}"
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        sentence = f"{where} is not available at the moment ({answer})."
        return ConnectError(ConnectCode.HTTP_STATUS, sentence, is_temporary=True)
    advice = "Write only the host and the port." if path != "/ws" else "Check the address."
    return ConnectError(
        ConnectCode.HTTP_STATUS, f"There is no Parlour server at {path} on {where} ({answer}). {advice}"
    )


def _explain_no_http(error: InvalidMessage, where: str) -> ConnectError:
    if isinstance(error.__cause__, EOFError):
        sentence = (
            f"{where} closed the connection without an answer."
            " It may expect https:// instead of http://, or not be a Parlour server."
        )
        return ConnectError(ConnectCode.CLOSED, sentence)
    sentence = f"{where} is not a Parlour server: its answer is not HTTP/1.1. Check the port."
    return ConnectError(ConnectCode.NOT_HTTP, sentence)


def _version_mismatch(where: str, theirs: str) -> ConnectError:
    sentence = f"{where} speaks {theirs}, but this program speaks {_versions()}. Update the older one of the two."
    return ConnectError(ConnectCode.VERSION_MISMATCH, sentence)


def _versions() -> str:
    return " and ".join(CODECS)


def _place(address: str) -> str:
    """Return the host and the port of an address."""
    return urlsplit(address).netloc.rpartition("@")[2]
