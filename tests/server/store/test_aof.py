"""Damage in append-only files: a damaged end is cut off, and damage in the middle is refused."""

from __future__ import annotations

import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.server.store.aof import MAX_CUT, find_damage, intact_length, repair
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline

MANIFEST = "file a.base.rdb seq 1 type b\nfile a.1.incr.aof seq 1 type i\nfile a.2.incr.aof seq 2 type i\n"


def command(*arguments: bytes) -> bytes:
    return b"*%d\r\n" % len(arguments) + b"".join(b"$%d\r\n%s\r\n" % (len(one), one) for one in arguments)


SET = command(b"SET", b"k", b"v\r\n*1")
TRANSACTION = command(b"MULTI") + SET + command(b"EXEC")


@given(st.lists(st.lists(st.binary(max_size=20), min_size=1, max_size=4), max_size=4), st.binary(max_size=10))
def test_whole_commands_are_intact(commands: list[list[bytes]], end: bytes) -> None:
    """Whatever bytes the arguments contain, and whatever follows the commands."""
    whole = command(b"SET") + b"".join(command(b"x", *arguments) for arguments in commands)
    assert intact_length(BytesIO(whole)) == len(whole)
    assert intact_length(BytesIO(whole + b"!" + end)) == len(whole)
    for length in range(len(whole)):
        assert intact_length(BytesIO(whole[:length])) <= length


@pytest.mark.parametrize(
    "damaged",
    [
        bytes(100), b"*0\r\n", b"*1\r\n", b"*999999999\r\n", b"*1\n$1\r\nx\r\n", b"*1\r\n$x\r\nx\r\n",
        b"*1\r\n$999999999999\r\nx\r\n", b"*1\r\n$1\r\nx..", b"*1\r\n$-1\r\n", command(b"multi") + SET,
    ],
)  # fmt: skip
def test_what_is_damage(damaged: bytes) -> None:
    """Anything that is not a whole command or a whole transaction."""
    intact = SET + TRANSACTION
    assert intact_length(BytesIO(intact + damaged + SET)) == len(intact)


def folder_with(path: Path, *files: bytes) -> Path:
    """Create the append-only files of a data folder."""
    folder = path / "appendonlydir"
    folder.mkdir()
    (folder / "appendonly.aof.manifest").write_text(MANIFEST)
    for number, content in enumerate(files, start=1):
        (folder / f"a.{number}.incr.aof").write_bytes(content)
    return folder


def test_intact_files(tmp_path: Path) -> None:
    """There is nothing to repair in them."""
    folder = folder_with(tmp_path, SET, TRANSACTION)
    assert find_damage(folder) is None
    assert not repair(tmp_path)


@pytest.mark.parametrize("lost", [1, MAX_CUT, MAX_CUT + 1])
def test_only_a_short_end_is_cut_off(tmp_path: Path, lost: int) -> None:
    """Up to a limit; nothing is touched above it."""
    last = folder_with(tmp_path, SET, SET + bytes(lost)) / "a.2.incr.aof"
    if lost > MAX_CUT:
        with pytest.raises(
            StoreUnavailable, match=rf"damaged at byte {len(SET)} of {len(SET) + lost}, and Parlour cuts"
        ):
            repair(tmp_path)
        assert last.read_bytes() == SET + bytes(lost)
        assert list(tmp_path.glob("damaged-*")) == []
    else:
        assert repair(tmp_path)
        assert last.read_bytes() == SET


def test_an_earlier_file_is_not_cut_off(tmp_path: Path) -> None:
    """It was complete when Valkey began the next one, so its damage has another cause than a crash."""
    folder_with(tmp_path, SET + b"!", SET)
    with pytest.raises(StoreUnavailable, match=rf"a\.1\.incr\.aof is damaged at byte {len(SET)}"):
        repair(tmp_path)


def test_every_damaged_file_is_kept(tmp_path: Path) -> None:
    """A later repair does not overwrite the copy of an earlier one."""
    last = folder_with(tmp_path, SET, SET + b"one") / "a.2.incr.aof"
    repair(tmp_path)
    last.write_bytes(SET + b"two")
    repair(tmp_path)
    copies = sorted(path.read_bytes() for path in tmp_path.glob("damaged-*/a.2.incr.aof"))
    assert copies == [SET + b"one", SET + b"two"]


# -- with Valkey


async def write(data: Path, keys: int) -> Path:
    """Write this many keys, and return the append-only file."""
    async with EmbeddedStore(data) as store:
        pipeline = Pipeline(store.url)
        await pipeline.open()
        for n in range(keys):
            await pipeline.call("SET", f"k{n}", "x" * 1000)
        await pipeline.close()
    return data / "appendonlydir" / "appendonly.aof.1.incr.aof"


async def count_keys(data: Path) -> int:
    async with EmbeddedStore(data) as store:
        pipeline = Pipeline(store.url)
        await pipeline.open()
        number: int = await pipeline.call("DBSIZE")
        await pipeline.close()
    return number


@pytest.mark.parametrize("end", [b"", b"*3\r\n$3\r\nSET\r\n$2\r\nk9", bytes(5000), b"nonsense"])
async def test_a_damaged_end_is_cut_off(tmp_path: Path, end: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """What comes before it is kept, the damaged file is copied, and the log says how many bytes were cut off."""
    file = await write(tmp_path, 10)
    whole = file.read_bytes()
    file.write_bytes(whole + end)
    assert await count_keys(tmp_path) == 10
    copies = [path.read_bytes() for path in tmp_path.glob("damaged-*/appendonly.aof.1.incr.aof")]
    assert copies == ([whole + end] if end else [])
    assert (f"cut off {len(end)} bytes at byte {len(whole)}; the damaged file is kept in" in caplog.text) == bool(end)


async def test_damage_in_the_middle_is_refused(tmp_path: Path) -> None:
    """The error names the file, the place and a command, which works; until then nothing is changed."""
    file = await write(tmp_path, 200)
    damaged = bytearray(file.read_bytes())
    place = damaged.index(b"*3", 50_000)
    damaged[place + 10 : place + 20] = bytes(10)
    file.write_bytes(damaged)
    with pytest.raises(StoreUnavailable, match=rf"{file} is damaged at byte {place} of {len(damaged)}") as refused:
        await EmbeddedStore(tmp_path).start()
    assert file.read_bytes() == damaged
    advice = str(refused.value).partition("run: ")[2]
    subprocess.run(["/bin/sh", "-c", advice], check=True)
    assert 40 < await count_keys(tmp_path) < 60


async def test_a_length_that_is_wrong_does_not_lose_the_rest(tmp_path: Path) -> None:
    """Valkey alone would take such a file for one that was not written to its end, and cut it off there."""
    file = await write(tmp_path, 200)
    damaged = file.read_bytes().replace(b"$1000\r\n", b"$1000000\r\n", 1)
    file.write_bytes(damaged)
    with pytest.raises(StoreUnavailable, match=rf"is damaged at byte \d+ of {len(damaged)}"):
        await EmbeddedStore(tmp_path).start()
    assert file.read_bytes() == damaged
