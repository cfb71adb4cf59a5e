"""The embedded store fails and cannot be restarted at once: the node says why, and recovers by itself."""

from __future__ import annotations

import asyncio
import resource
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from parlour.client.client import connect
from parlour.client.connection import Connection
from tests.e2e.conftest import MakeServer
from tests.e2e.people import people, sit_down
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import Tournament
from tests.e2e.web import ask
from tests.waiting import WITHIN, until

GAMES = 10
ROOM = 10_000  # bytes: less than the games need


def limit_files(pid: int, size: int) -> None:
    """Let a process write no file beyond a size, as if the disk was full."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def is_ready(server: ServerProcess) -> bool:
    return (await ask(server, "/readyz")).status == 200


async def test_a_store_that_cannot_be_restarted(server: ServerProcess) -> None:
    """The probe, the log and new players are told why; when it can be, the game continues, and nothing was lost."""
    async with people(server.url, "Ada", "Bob") as (ada, bob):
        await sit_down(ada, bob)
        moves = [await ada.plays(), await bob.plays()]
        with server.without_store():
            await until(lambda: "Valkey does not find all its files" in server.log)
            unready = await ask(server, "/readyz")
            assert unready.status == 503
            assert unready.json["reason"] == "embedded_store"
            assert "Valkey does not find all its files" in unready.json["detail"]
            assert (await ask(server, "/healthz")).status == 200
            with pytest.raises(ConnectionError, match=r"^The server cannot reach its store at the moment\."):
                async with connect(server.url, timeout=2):
                    pass
        moves += [await ada.plays(), await bob.plays()]
        assert bob.table.moves == moves
        assert ada.connection.connects == 1
        await until(lambda: is_ready(server))
    assert "the embedded store is running again" in server.log
    assert server.log.count("the embedded store cannot be restarted") == 1


@pytest.mark.parametrize("fsync", ["everysec", "always"])
async def test_the_disk_is_full_during_play(make_server: MakeServer, fsync: str) -> None:
    """When there is room again, all games are finished with every acknowledged move."""
    server = make_server("--fsync", fsync)
    await server.start()
    assert server.process is not None
    async with Tournament(seed=12) as tournament:
        await tournament.begin(GAMES, lambda: Connection([server.url]))
        (file,) = (server.data / "appendonlydir").glob("*.incr.aof")
        limit = file.stat().st_size + ROOM
        for pid in (server.process.pid, server.store):
            limit_files(pid, limit)
        await until(lambda: "the AOF file" in (server.data / "valkey.log").read_text())
        if fsync == "always":  # Valkey has exited
            await until(lambda: f"The data folder {server.data} cannot be used: File too large." in server.log)
            assert (await ask(server, "/readyz")).json["reason"] == "embedded_store"
        limit_files(server.process.pid, resource.RLIM_INFINITY)
        if fsync == "everysec":
            limit_files(server.store, resource.RLIM_INFINITY)
        await tournament.finish()
        await tournament.check(server)
        assert all(entrant.connection.connects == 1 for entrant in tournament.entrants)


async def serve(data: Path) -> tuple[int | None, str]:
    """Start a server that fails; return its exit code and what it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "serve", "--port", "0", "--data", str(data), stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(WITHIN):
        out, errors = await process.communicate()
    assert out == b""
    return process.returncode, errors.decode()


async def test_a_first_start_with_damaged_data(server: ServerProcess) -> None:
    """It prints the file, the place and the command that helps, and exits with 1."""
    await server.stop()
    (file,) = (server.data / "appendonlydir").glob("*.incr.aof")
    file.write_bytes(b"nonsense" * 10_000)
    code, errors = await serve(server.data)
    assert code == 1
    assert f"parlour: The file {file} is damaged at byte 0 of 80000" in errors
    assert f"truncate --size=0 '{file}'" in errors
    assert "Traceback" not in errors


async def test_a_first_start_in_a_folder_that_cannot_be_written() -> None:
    """It prints the folder and the reason, and exits with 1."""
    code, errors = await serve(Path("/sys/parlour"))
    assert code == 1
    assert "parlour: The data folder /sys/parlour cannot be used:" in errors
    assert "Traceback" not in errors
