"""Addresses, as people write them and as sockets need them."""

from __future__ import annotations

import pytest

from parlour.client.address import is_on_this_machine, socket_address
from parlour.protocol.errors import Refusal


@pytest.mark.parametrize(
    ("given", "socket"),
    [
        ("ws://127.0.0.1:8765/ws", "ws://127.0.0.1:8765/ws"),
        ("http://127.0.0.1:8765", "ws://127.0.0.1:8765/ws"),
        ("https://play.example.org/", "wss://play.example.org/ws"),
        ("wss://play.example.org/games/ws", "wss://play.example.org/games/ws"),
        ("http://[::1]:80", "ws://[::1]:80/ws"),
        ("127.0.0.1:8765", "ws://127.0.0.1:8765/ws"),
        ("[::1]:8765", "ws://[::1]:8765/ws"),
        ("localhost:8765/", "ws://localhost:8765/ws"),
        ("localhost", "ws://127.0.0.1:8765/ws"),
        ("play.example.org", "wss://play.example.org/ws"),
        ("play.example.org:443", "wss://play.example.org:443/ws"),
    ],
)
def test_addresses(given: str, socket: str) -> None:
    """The address of the page, of the socket, and host:port are all accepted."""
    assert socket_address(given) == socket


@pytest.mark.parametrize(
    "given", ["", " ", "two words", "ftp://a", "ws://", "http://a:99999", "a:0", "http://[", "ws://a:b", "a:b"]
)
def test_what_is_no_address(given: str) -> None:
    """Anything else is refused with an example."""
    with pytest.raises(Refusal, match="like https://"):
        socket_address(given)


def test_loopback_addresses() -> None:
    """They are told apart from all others, by name and by number."""
    assert all(is_on_this_machine(f"ws://{host}:8765/ws") for host in ("localhost", "127.0.0.1", "127.8.8.8", "[::1]"))
    assert not any(is_on_this_machine(f"wss://{host}/ws") for host in ("play.example.org", "10.0.0.1", "[::2]"))
