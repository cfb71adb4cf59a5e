"""Where a server is, as people write it."""

from __future__ import annotations

from urllib.parse import urlsplit

from parlour.protocol.errors import ErrorCode, Refusal

SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


def socket_address(text: str) -> str:
    """Where to connect to, from the address of the socket or of the page."""
    try:
        parts = urlsplit(text)
        scheme = SCHEMES[parts.scheme]
        if not parts.hostname or parts.port == 0:
            raise ValueError
    except (KeyError, ValueError):
        sentence = "A server has an address such as https://play.example.org or ws://127.0.0.1:8765/ws."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence) from None
    return f"{scheme}://{parts.netloc}{parts.path if parts.path not in ('', '/') else '/ws'}"
