"""The lobby, as it is followed over changes, gaps and cuts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest

from parlour.client import Lobby, Terms, connect
from parlour.client.connection import Connection
from parlour.protocol import messages
from parlour.protocol.messages import LiveGame, LobbyChanged, OpenSeek, WatchLobby
from parlour.protocol.types import Player
from tests.client.playing import sit_down
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Proxy
from tests.waiting import WITHIN


async def shows(lobby: Lobby, fits: Callable[[Lobby], bool]) -> None:
    """Wait until it is like that."""
    async for _ in lobby:
        if fits(lobby):
            return


async def test_seeks_and_games_come_and_go(server: ServerProcess) -> None:
    """A seek is shown until it is taken, a game as long as it is on, with its board."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        async with connect(server.url) as eve, eve.lobby() as lobby:
            seek = await ada.seek(Terms("replica"))
            await shows(lobby, lambda lobby: seek.seek in lobby.seeks)
            assert lobby.seeks[seek.seek].player.name == ada.you.name
            table = await ben.accept(seek.seek)
            await shows(lobby, lambda lobby: table.room in lobby.live and not lobby.seeks)
            assert lobby.live[table.room].board == table.board
            assert lobby.online >= 3
            await table.abort()
            await shows(lobby, lambda lobby: table.room not in lobby.live)
            whole = await anext(aiter(lobby))
            assert isinstance(whole, messages.Lobby)
            assert whole.seeks == ()
            with pytest.raises(RuntimeError):
                eve.lobby()
        # It was left, and can be followed again.
        async with connect(server.url) as eve:
            for _ in range(2):
                async with eve.lobby() as lobby:
                    assert lobby.seeks == {}


async def test_a_lobby_is_whole_again_after_a_cut(server: ServerProcess) -> None:
    """What has changed while the connection was away is there when it is back."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(WITHIN))
        proxy = await stack.enter_async_context(Proxy(server.port))
        ada, ben = [await stack.enter_async_context(connect(server.url)) for _ in range(2)]
        eve = await stack.enter_async_context(connect(proxy.url))
        async with eve.lobby() as lobby:
            seek = await ada.seek(Terms("replica"))
            await shows(lobby, lambda lobby: seek.seek in lobby.seeks)
            proxy.closed = True
            assert proxy.newest is not None
            proxy.newest.lose()
            await seek.cancel()
            table, _ = await sit_down(ada, ben, Terms("mapello"))  # not shown: it is private
            other = await ben.seek(Terms("isaac"))
            proxy.closed = False
            await shows(lobby, lambda lobby: set(lobby.seeks) == {other.seek})
            assert table.room not in lobby.live


async def test_a_gap_is_mended() -> None:
    """A change whose number skips one is not applied; the whole lobby is asked for instead."""
    connection = Connection([])
    lobby = Lobby(connection)
    seeks = [OpenSeek(name, Player("Ada"), Terms("replica")) for name in "abcd"]
    lobby.handle(LobbyChanged(n=1, seeks=(seeks[3],)))  # before anything is known
    lobby.handle(messages.Lobby(n=5, seeks=(seeks[0],), live=(LiveGame("r", "replica", ()),)))
    lobby.handle(LobbyChanged(n=5, seeks=(seeks[3],)))  # known already
    lobby.handle(LobbyChanged(n=6, seeks=(seeks[1],), seeks_removed=("a",), online=3))
    assert (list(lobby.seeks), lobby.online) == (["b"], 3)
    lobby.handle(LobbyChanged(n=8, seeks=(seeks[2],), live_removed=("r",)))
    assert (list(lobby.seeks), list(lobby.live)) == (["b"], ["r"])
    assert [type(command) for command in connection.session.unanswered] == [WatchLobby]
    lobby.handle(LobbyChanged(n=9, seeks=(seeks[3],)))  # useless until the whole is there
    lobby.handle(messages.Lobby(n=9, seeks=(seeks[2], seeks[3]), live=(), featured="x"))
    assert (list(lobby.seeks), list(lobby.live), lobby.featured) == (["c", "d"], [], "x")
