"""Server addresses as users write them."""

from __future__ import annotations

from urllib.parse import urlsplit

from parlour.protocol.errors import ErrorCode, Refusal

SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


def socket_address(text: str) -> str:
    """Return the WebSocket address for the address of a socket or of a server's web page."""
    try:
        parts = urlsplit(text)
        scheme = SCHEMES[parts.scheme]
        if not parts.hostname or parts.port == 0:
            raise ValueError
    except (KeyError, ValueError):
        sentence = "Write a server address like https://play.example.org or ws://127.0.0.1:8765/ws."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence) from None
    return f"{scheme}://{parts.netloc}{parts.path if parts.path not in ('', '/') else '/ws'}"
