"""The private server behind `parlour play`: all terminals of a user share it, and it runs as long as one of them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from parlour.cli.local_server import local_server
from parlour.client.client import connect
from parlour.protocol.errors import Refusal
from parlour.protocol.types import Terms
from tests.waiting import WITHIN, until

TERMINAL = (
    "import asyncio\n"
    "from parlour.cli.local_server import local_server\n"
    "async def main():\n"
    "    async with local_server() as (address, _):\n"
    "        print(address, flush=True)\n"
    "        await asyncio.Event().wait()\n"
    "asyncio.run(main())\n"
)


@pytest.fixture(autouse=True)
def data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A data folder for this test only."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "parlour"


async def is_stopped(address: str) -> bool:
    """Return whether nothing listens at the address."""
    host, port = address.removeprefix("ws://").partition("/")[0].split(":")
    try:
        _, writer = await asyncio.open_connection(host, int(port))
    except OSError:
        return True
    writer.close()
    return False


async def test_it_starts_and_stops(data_folder: Path) -> None:
    """Inside the context there is a server with all games; afterwards there is none."""
    async with local_server() as (address, known_as):
        assert known_as == "local"
        async with connect(address) as client:
            assert len(client.games) >= 4
    await until(lambda: is_stopped(address))
    assert (data_folder / "local").is_dir()


async def test_terminals_share_it() -> None:
    """Two terminals that start at the same time use one server, which stays until the last of them is gone."""
    async with asyncio.timeout(WITHIN):
        first, second = await started(), await started()
        addresses = [await address_of(each) for each in (first, second)]
        assert addresses[0] == addresses[1]
        await killed(first)
        async with local_server() as (third, _):
            assert third == addresses[0]
        async with connect(third, name="Ann") as ann, connect(third, name="Ben") as ben:
            code = (await ann.challenge(Terms("replica"))).seek
            assert (await ben.accept(code)).opponent == ann.you
        await killed(second)
    await until(lambda: is_stopped(third))


async def test_a_killed_server_is_replaced() -> None:
    """After kill -9 of the server the next terminal starts another one."""
    async with local_server() as (address, _):
        async with asyncio.timeout(WITHIN):
            pid = await pid_of(address)
            os.kill(pid, signal.SIGKILL)
            await until(lambda: is_stopped(address))
            async with local_server() as (again, _), connect(again) as client:
                assert client.games


async def test_ctrl_c_does_not_stop_it() -> None:
    """The server does not belong to the terminal's process group, so Ctrl-C reaches the client only."""
    async with local_server() as (address, _):
        assert os.getpgid(await pid_of(address)) != os.getpgid(0)


async def test_a_server_that_cannot_start(data_folder: Path) -> None:
    """The message of the server is passed on."""
    data_folder.mkdir(parents=True)
    (data_folder / "local").mkdir()
    (data_folder / "local" / "store.json").write_text("{}")
    (data_folder / "local" / "lock").mkdir()

    with pytest.raises(Refusal, match="does not start"):
        async with local_server():
            pass


async def test_it_stops_when_the_client_is_killed() -> None:
    """Even kill -9 leaves no server behind."""
    process = await started()
    address = await address_of(process)
    await killed(process)
    await until(lambda: is_stopped(address))


async def started() -> asyncio.subprocess.Process:
    """Start a process that uses the server like a terminal does."""
    return await asyncio.create_subprocess_exec(sys.executable, "-c", TERMINAL, stdout=asyncio.subprocess.PIPE)


async def address_of(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().strip()


async def killed(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()


async def pid_of(address: str) -> int:
    """Return the process that listens at an address of this machine."""
    port = int(address.rpartition(":")[2].partition("/")[0])
    inodes = {
        fields[9]
        for fields in (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
        if fields[3] == "0A" and int(fields[1].partition(":")[2], 16) == port
    }
    for process in Path("/proc").glob("[0-9]*"):
        try:
            links = {str(link.readlink()) for link in (process / "fd").iterdir()}
        except OSError:
            continue
        if links & {f"socket:[{inode}]" for inode in inodes}:
            return int(process.name)
    raise AssertionError(f"no process listens at {address}")
