"""Server addresses as users write them."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from parlour.protocol.errors import ErrorCode, Refusal

SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
PATH = "/ws"  # of the WebSocket, unless the address has another one
HTTPS_PORT = 443

DEFAULT_PORT = 8765
THIS_MACHINE = f"ws://127.0.0.1:{DEFAULT_PORT}{PATH}"  # where `parlour serve` listens if it is told nothing else


def socket_address(text: str) -> str:
    """Return the WebSocket address for the address of a server's web page or socket, or for `host` or `host:port`.

    Without a scheme, a host alone means https, and a host with a port http, except for port 443. `localhost` alone is
    the server on this machine.
    """
    try:
        if "://" in text:
            parts = urlsplit(text)
            scheme = SCHEMES[parts.scheme]
        else:
            parts = urlsplit(f"//{text.strip()}")
            scheme = "wss" if parts.port in (None, HTTPS_PORT) else "ws"
        if not parts.hostname or parts.port == 0 or any(letter.isspace() for letter in parts.netloc):
            raise ValueError
    except (KeyError, ValueError):
        sentence = "Write a server address like https://play.example.org, 127.0.0.1:8765 or ws://127.0.0.1:8765/ws."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence) from None
    if text == "localhost":
        return THIS_MACHINE
    return f"{scheme}://{parts.netloc}{parts.path if parts.path not in ('', '/') else PATH}"


def is_on_this_machine(address: str) -> bool:
    """Return whether an address is a loopback address, which no proxy can reach."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
