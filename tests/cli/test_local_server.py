"""The server behind `parlour play --local`: it runs as long as the client does."""

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
from tests.waiting import until


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


async def test_two_at_the_same_time_use_different_folders() -> None:
    """The second server is not refused, and gets its own folder."""
    async with local_server() as (first, known_first), local_server() as (second, known_second):
        assert first != second
        assert (known_first, known_second) == ("local", "local-2")


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
    code = (
        "import asyncio\n"
        "from parlour.cli.local_server import local_server\n"
        "async def main():\n"
        "    async with local_server() as (address, _):\n"
        "        print(address, flush=True)\n"
        "        await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().strip()
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    await until(lambda: is_stopped(address))
