"""`parlour cluster`: several nodes on this machine that share a store and stop together."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.client.connection import Connection
from parlour.protocol.messages import Welcome
from tests.e2e.people import Person, sit_down
from tests.e2e.processes import children
from tests.waiting import WITHIN, until

ADDRESS = re.compile(rb"ws://[^\s)]+")


class Cluster:
    """A running cluster and the addresses it has printed."""

    def __init__(self, process: Process, folder: Path) -> None:
        self.process = process
        self.addresses: list[str] = []
        self._folder = folder

    @property
    def store(self) -> int:
        """The process id of its store."""
        pid: int = json.loads((self._folder / "data" / "valkey.json").read_bytes())["pid"]
        return pid

    @property
    def errors(self) -> str:
        """What it and its nodes have written to standard error."""
        return (self._folder / "log").read_text(encoding="utf-8")

    async def nodes(self) -> list[int]:
        """Return the process ids of its nodes."""
        return children(self.process.pid, b"serve")

    async def next_address(self) -> str:
        """Return the next address that it prints."""
        assert self.process.stdout is not None
        async with asyncio.timeout(WITHIN):
            while True:
                line = await self.process.stdout.readline()
                assert line, "the cluster has exited"
                if found := ADDRESS.search(line):
                    return found[0].decode()


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    with (tmp_path / "log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "parlour.cli", "cluster", "--port", "0", "--data", str(tmp_path / "data"),
            stdout=PIPE, stderr=log,
        )  # fmt: skip
    started = Cluster(process, tmp_path)
    started.addresses = sorted([await started.next_address(), await started.next_address()])
    yield started
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        await process.wait()


async def test_a_game_across_the_nodes(cluster: Cluster) -> None:
    """Two players on different nodes play each other, and each node tells its clients about both."""
    one, two = cluster.addresses
    assert one != two
    async with Connection([one]) as first, Connection([two]) as second:
        ada, ben = Person(first), Person(second)
        for person in (ada, ben):
            assert sorted((await person.hears(Welcome)).nodes) == cluster.addresses
        await sit_down(ada, ben)
        for person in (ada, ben, ada, ben):
            await person.plays()


async def test_a_killed_node_is_restarted(cluster: Cluster) -> None:
    """It restarts at the same address; its player has failed over to the other node meanwhile."""
    one, two = cluster.addresses
    async with Connection([one]) as first, Connection([two]) as second:
        ada, ben = Person(first), Person(second)
        for person in (ada, ben):
            await person.hears(Welcome)
        await sit_down(ada, ben)
        await ada.plays()
        os.kill((await cluster.nodes())[0], signal.SIGKILL)
        await ben.plays()
        await ada.plays()
        assert await cluster.next_address() in cluster.addresses
        assert len(await cluster.nodes()) == 2


async def test_a_killed_store_is_restarted(cluster: Cluster) -> None:
    """The cluster prints what happened, its nodes are the same as before, and the game continues."""
    one, two = cluster.addresses
    nodes = await cluster.nodes()
    async with Connection([one]) as first, Connection([two]) as second:
        ada, ben = Person(first), Person(second)
        for person in (ada, ben):
            await person.hears(Welcome)
        await sit_down(ada, ben)
        moves = []
        for person in (ada, ben):
            moves.append(await person.plays())
            os.kill(cluster.store, signal.SIGKILL)
            await until(lambda: cluster.errors.count("the embedded store is running again") == len(moves))
        moves += [await ada.plays(), await ben.plays()]
        assert ben.table.moves == moves
        assert first.connects == second.connects == 1
    assert "parlour: the embedded store was killed by SIGKILL; restarting it\n" in cluster.errors
    assert sorted(await cluster.nodes()) == sorted(nodes)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_stops_as_a_whole(cluster: Cluster, number: signal.Signals) -> None:
    """On a signal it stops the nodes and the store, exits with 0, and leaves no process behind."""
    nodes = await cluster.nodes()
    cluster.process.send_signal(number)
    async with asyncio.timeout(WITHIN):
        assert await cluster.process.wait() == 0
    for pid in nodes:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_a_port_in_use(tmp_path: Path) -> None:
    """It prints the address in use and exits with 1."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "parlour.cli", "cluster", "--nodes", "1", "--port", str(port),
            "--data", str(tmp_path), stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        async with asyncio.timeout(WITHIN):
            out, errors = await process.communicate()
    assert process.returncode == 1
    assert out == b""
    assert f"127.0.0.1:{port}" in errors.decode()


@pytest.mark.parametrize("number", ["0", "17", "two"])
def test_an_invalid_number_of_nodes(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused before anything is started."""
    with pytest.raises(SystemExit, match="2"):
        main(["cluster", "--nodes", number])
    assert "--nodes" in capsys.readouterr().err
