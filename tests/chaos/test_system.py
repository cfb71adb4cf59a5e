"""The system under test."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from parlour.chaos.processes import NotStarted
from parlour.chaos.system import System
from parlour.client import connect
from parlour.protocol.types import Terms
from tests.waiting import until

NOUGHTS = Path(__file__).parents[1] / "games" / "fifth_game"


async def test_clients_reach_every_node_through_its_proxy(system: System) -> None:
    """Nodes announce the addresses of the proxies, never their own."""
    assert len(set(system.urls)) == 2
    for url in system.urls:
        async with connect(url) as client:
            assert sorted(client.connection.addresses) == sorted(system.urls)
            assert client.connection.address == url


async def test_nodes_reach_the_store_through_their_proxies(system: System) -> None:
    """A node that is cut off from the store is no longer ready."""
    async with connect(system.urls[0]) as client, system.redis() as store:
        before = len(await store.client_list())
        system.nodes[0].link.cut()

        async def has_fewer() -> bool:
            return len(await store.client_list()) < before

        await until(has_fewer)
        system.nodes[0].link.heal()
        await system.nodes[0].process.ready()
        assert (await client.profile(client.you.name)).player.name == client.you.name


async def test_the_store_is_started_again(system: System) -> None:
    """It has the same address and the same data."""
    async with system.redis() as store:
        await store.set("kept", "yes")
    assert system.store.pid is not None
    os.kill(system.store.pid, signal.SIGKILL)
    await until(lambda: system.store.pid is None)
    await system.start_store()
    async with system.redis() as store:
        assert await store.get("kept") == b"yes"


async def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """Neither a process nor a suspended one; the logs stay."""
    async with System(tmp_path, nodes=2, workers=1) as system:
        pids = [node.process.pid for node in system.nodes] + [system.store.pid]
        system.nodes[0].process.send_signal(signal.SIGSTOP)
    for pid in pids:
        assert pid is not None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert {path.name for path in tmp_path.glob("*.log")} == {"node-1.log", "node-2.log", "worker-1.log"}


async def test_workers_play_games_of_other_folders(tmp_path: Path) -> None:
    """All processes know the games that the user has added."""
    async with System(tmp_path, nodes=2, workers=1, games=[NOUGHTS]) as system, connect(system.urls[0]) as client:
        (card,) = [card for card in client.games if card.key == "noughts"]
        table = await client.play_computer(Terms("noughts"), card.levels[0].key, seat=1)
        assert await table.my_turn() is not None


async def test_another_command_starts_the_nodes(tmp_path: Path) -> None:
    """If it does not, the user is told what it printed, and nothing is left behind."""
    command = (sys.executable, "-c", "raise SystemExit('this build is broken')")
    system = System(tmp_path, nodes=2, workers=0, server_command=command)
    with pytest.raises(NotStarted, match="this build is broken"):
        await system.__aenter__()
    assert system.store.pid is None
