"""Connections of a command to a server."""

from __future__ import annotations

import pytest

from parlour.cli.connector import Connector
from parlour.client.connect_errors import ConnectError
from parlour.client.connection import RefusedError
from parlour.protocol.errors import ErrorCode
from tests.cli.test_token import PASSWORD, player_of, server
from tests.e2e.processes import ServerProcess

__all__ = ["server"]


async def test_a_guest(server: ServerProcess) -> None:
    """Without a token the client is a new guest."""
    async with Connector(server.url, wait=False).client() as guest:
        assert guest.you.guest


async def test_a_client_signed_in_to_an_account(server: ServerProcess) -> None:
    """The client is signed out afterwards: its token is no longer valid."""
    async with Connector(server.url, wait=False).signed_in("ann", PASSWORD) as owner:
        assert (owner.you.name, owner.you.guest) == ("Ann", False)
        assert not (await player_of(server, owner.token)).you.guest

    assert (await player_of(server, owner.token)).you.guest


async def test_a_wrong_password(server: ServerProcess) -> None:
    """The refusal of the server reaches the caller."""
    with pytest.raises(RefusedError) as caught:
        async with Connector(server.url, wait=False).signed_in("ann", "wrong"):
            pass

    assert caught.value.code == ErrorCode.SIGN_IN_REFUSED


async def test_an_unreachable_server() -> None:
    """Unless the connector waits, it fails with the reason."""
    with pytest.raises(ConnectError) as caught:
        async with Connector("ws://127.0.0.1:1/ws", wait=False).client():
            pass

    assert caught.value.code == "connection_refused"
