"""Talks to the admin API of a server."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from parlour.protocol.errors import ErrorCode, Refusal

SERVER, TOKEN = "PARLOUR_ADMIN_SERVER", "PARLOUR_ADMIN_TOKEN"
THIS_MACHINE = "http://127.0.0.1:8766"
TIMEOUT = 90.0  # seconds; deleting a player with many games takes a while


class AdminRefusal(Refusal):
    """The server refused a request. `code` may be one that this version does not know."""

    def __init__(self, code: str, sentence: str) -> None:
        Exception.__init__(self, sentence)
        self.code = code  # type: ignore[assignment]  # a text, as it was received
        self.sentence = sentence


class AdminClient:
    """Sends requests with an operator's token. The methods raise Refusal and ConnectionError."""

    def __init__(self, server: str, token: str) -> None:
        self._server = server.rstrip("/")
        self._token = token

    def get(self, *path: str, **query: str) -> Any:
        """Return the resource at this path."""
        return self._send("GET", path, query, None)

    def post(self, *path: str, **fields: Any) -> Any:
        """Execute the action at this path, with these fields, and return its answer."""
        return self._send("POST", path, {}, json.dumps(fields).encode())

    def _send(self, method: str, path: tuple[str, ...], query: Mapping[str, str], body: bytes | None) -> Any:
        url = f"{self._server}/api/{'/'.join(quote(part, safe='') for part in path)}"
        url += f"?{urlencode(query)}" if query else ""
        headers = {"Authorization": f"Bearer {self._token}"}
        try:
            with urlopen(Request(url, body, headers, method=method), timeout=TIMEOUT) as reply:  # noqa: S310  # checked
                return json.load(reply)
        except HTTPError as error:
            raise _refusal(error, self._server) from None
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            sentence = f"The admin API at {self._server} cannot be reached: {reason}. Start the server with"
            raise ConnectionError(f"{sentence} --admin-token-file FILE, or name it with --server.") from None
        except ValueError:
            raise ConnectionError(f"{self._server} is not the admin API of a Parlour server.") from None


def _refusal(error: HTTPError, server: str) -> Exception:
    try:
        found = json.load(error)
        return AdminRefusal(found["error"], found["text"])
    except (ValueError, KeyError, TypeError):
        return ConnectionError(f"{server} is not the admin API of a Parlour server: it answers HTTP {error.code}.")


def admin_client(server: str | None, token_file: Path | None, environ: Mapping[str, str] = os.environ) -> AdminClient:
    """Return a client for the server and the token that the user has named. Raise Refusal without a token."""
    address = server or environ.get(SERVER) or THIS_MACHINE
    address = address if "://" in address else f"http://{address}"
    if urlsplit(address).scheme not in ("http", "https"):
        raise Refusal(ErrorCode.OPTION_INVALID, f"{address} is not an address such as {THIS_MACHINE}.")
    return AdminClient(address, _token(token_file, environ))


def _token(file: Path | None, environ: Mapping[str, str]) -> str:
    if file is not None:
        try:
            lines = [line.split() for line in file.read_text("utf-8").splitlines()]
        except (OSError, UnicodeError) as error:
            raise Refusal(ErrorCode.OPTION_INVALID, f"{file} cannot be read: {error}.") from None
        # A line of the server's file has the operator's name before the token.
        tokens = [words[-1] for words in lines if words and not words[0].startswith("#")]
        if tokens:
            return tokens[0]
        raise Refusal(ErrorCode.OPTION_INVALID, f"{file} has no token.")
    if token := environ.get(TOKEN, "").strip():
        return token
    raise Refusal(ErrorCode.OPTION_INVALID, f"An operator's token is needed: set {TOKEN}, or use --token-file FILE.")
