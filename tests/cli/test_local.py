"""The server behind a game at home: it is there while it is needed, and gone afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from parlour.cli.local import local_server
from parlour.client.parlour import connect
from parlour.protocol.errors import Refusal
from tests.waiting import until


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A place for data that is nobody's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "parlour"


async def nobody_listens(address: str) -> bool:
    """Whether the port is free."""
    host, port = address.removeprefix("ws://").partition("/")[0].split(":")
    try:
        _, writer = await asyncio.open_connection(host, int(port))
    except OSError:
        return True
    writer.close()
    return False


async def test_it_serves_and_ends(at_home: Path) -> None:
    """Inside there is a server with all games; outside there is none."""
    async with local_server() as (address, known_as):
        assert known_as == "local"
        async with connect(address) as parlour:
            assert len(parlour.games) >= 4
    await until(lambda: nobody_listens(address))
    assert (at_home / "local").is_dir()


async def test_two_at_the_same_time_have_folders_of_their_own() -> None:
    """The second one is not refused, and does not touch what belongs to the first."""
    async with local_server() as (first, known_first), local_server() as (second, known_second):
        assert first != second
        assert (known_first, known_second) == ("local", "local-2")


async def test_a_server_that_cannot_start_says_why(at_home: Path) -> None:
    """The sentence of the server is passed on."""
    at_home.mkdir(parents=True)
    (at_home / "local").mkdir()
    (at_home / "local" / "store.json").write_text("{}")
    (at_home / "local" / "lock").mkdir()

    with pytest.raises(Refusal, match="does not start"):
        async with local_server():
            pass


async def test_it_ends_when_its_player_is_killed() -> None:
    """Nothing is left behind even by kill -9."""
    code = (
        "import asyncio\n"
        "from parlour.cli.local import local_server\n"
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
    await until(lambda: nobody_listens(address))
