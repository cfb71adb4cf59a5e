"""The private Valkey: durability, exclusive use of the folder, and errors for the operator."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from parlour.server.store.binary import candidates
from parlour.server.store.data_folder import MAX_LOG_SIZE, DataFolder
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.errors import StoreRefused, StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.room_log import Appended, RoomLog
from tests.waiting import WITHIN, until

# A node that appends to one room and prints the number of each acknowledged entry.
NODE = """
import asyncio, sys
from pathlib import Path
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.room_log import Appended, RoomLog
from parlour.server.store.pipeline import Pipeline

async def main():
    store = EmbeddedStore(Path(sys.argv[1]))
    pipeline = Pipeline(await store.start())
    await pipeline.open()
    print("pid", store.pid, flush=True)
    log = RoomLog(pipeline, "node")
    entries = await log.tail("r", 0)
    top = len(entries)
    while True:
        done = asyncio.get_running_loop().create_future()
        log.append("r", top + 1, [b"%d" % (top + 1)], done.set_result)
        assert await done is Appended.OK
        top += 1
        print(top, flush=True)

asyncio.run(main())
"""


class Node:
    """A process that runs the program above."""

    def __init__(self, data: Path) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", NODE, str(data)], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._output = self._process.stdout
        word, number = self._output.readline().split()
        assert word == "pid"
        self.valkey = int(number)
        self.socket = json.loads((data / "valkey.json").read_bytes())["socket"]

    def acknowledged(self, count: int) -> int:
        """Wait for this many acknowledgements and return the last one."""
        return int([self._output.readline() for _ in range(count)][-1])

    def kill(self) -> int:
        """Kill the process and return the last entry that was acknowledged, if any since the last call."""
        self._process.kill()
        rest = self._output.read().split("\n")
        self._process.wait()
        self._output.close()
        whole = [line for line in rest[:-1] if line]
        return int(whole[-1]) if whole else 0

    def clean_up(self) -> None:
        """Leave nothing behind, however the test ended."""
        if self._process.poll() is None:
            self.kill()
        with suppress(FileNotFoundError, ProcessLookupError):
            if (
                self.socket in Path(f"/proc/{self.valkey}/cmdline").read_text()
            ):  # and not another process with the same id
                os.kill(self.valkey, signal.SIGKILL)


@pytest.fixture
def start_node() -> Iterator[Callable[[Path], Node]]:
    """Start such nodes."""
    nodes = []

    def start(data: Path) -> Node:
        nodes.append(Node(data))
        return nodes[-1]

    yield start
    for node in nodes:
        node.clean_up()


@asynccontextmanager
async def connected(store: EmbeddedStore) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(store.url)
    await pipeline.open()
    yield pipeline
    await pipeline.close()


async def kill(store: EmbeddedStore) -> None:
    """Kill Valkey, and wait until the store knows it."""
    assert store.pid is not None
    os.kill(store.pid, signal.SIGKILL)
    assert await asyncio.wait_for(store.ended(), WITHIN) == "was killed by SIGKILL"


def has_ended(pid: int) -> bool:
    """Return whether a process has ended; a zombie has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def test_data_is_kept(tmp_path: Path) -> None:
    """Data is there again after a stop and a start, and a stop leaves nothing behind but the data."""
    for value in (None, b"1", b"2"):
        async with EmbeddedStore(tmp_path / "new" / "data") as store, connected(store) as pipeline:
            assert await pipeline.call("GET", "k") == value
            await pipeline.call("INCR", "k")
            pid, sockets = store.pid, Path(store.url.removeprefix("unix://")).parent
            assert pid is not None
        assert store.pid is None
        assert has_ended(pid)
        assert not sockets.exists()


async def test_access_is_restricted(tmp_path: Path) -> None:
    """The folder and the socket are closed to other users, and Ctrl-C in the terminal does not reach Valkey."""
    async with EmbeddedStore(tmp_path / "data") as store:
        socket = Path(store.url.removeprefix("unix://"))
        for path in (tmp_path / "data", tmp_path / "data" / "appendonlydir", socket.parent, socket):
            assert stat.S_IMODE(path.stat().st_mode) == 0o700
        for path in (tmp_path / "data" / "appendonlydir").iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert store.pid is not None
        assert os.getsid(store.pid) != os.getsid(0)


async def test_one_node_in_a_folder(tmp_path: Path) -> None:
    """A second node on the same folder is refused with one sentence, and the first one is unaffected."""
    async with EmbeddedStore(tmp_path) as store:
        with pytest.raises(StoreUnavailable, match=rf"process {os.getpid()}\) uses the folder .*--data"):
            await EmbeddedStore(tmp_path).start()
        async with connected(store) as pipeline:
            assert await pipeline.call("PING") == b"PONG"
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_killed_node_loses_nothing(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """A node is killed while it appends: the next one starts at once and has every acknowledged entry."""
    for count in (300, 1, 100):
        node = start_node(tmp_path)
        acknowledged = node.acknowledged(count)
        acknowledged = max(acknowledged, node.kill())
        async with EmbeddedStore(tmp_path) as store, connected(store) as pipeline:
            entries = await RoomLog(pipeline, "after").tail("r", 0)
            assert has_ended(node.valkey)
        assert len(entries) >= acknowledged
        assert entries == [(n, b"%d" % n) for n in range(1, len(entries) + 1)]


async def test_valkey_ends_with_its_node(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """When a node is killed, its Valkey ends too."""
    node = start_node(tmp_path)
    node.acknowledged(1)
    node.kill()
    await until(lambda: has_ended(node.valkey))
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_valkey_that_is_slow_to_end(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """The next start waits for the old Valkey, reports it if that takes too long, and succeeds once it has ended."""
    node = start_node(tmp_path)
    acknowledged = node.acknowledged(5)
    os.kill(node.valkey, signal.SIGSTOP)
    node.kill()
    with pytest.raises(StoreUnavailable, match=rf"A Valkey of an earlier run \(process {node.valkey}\) still uses"):
        await EmbeddedStore(tmp_path, start_within=0.2).start()
    os.kill(node.valkey, signal.SIGCONT)
    async with EmbeddedStore(tmp_path) as store, connected(store) as pipeline:
        assert len(await RoomLog(pipeline, "after").tail("r", 0)) >= acknowledged


async def test_a_valkey_that_was_left_over(tmp_path: Path) -> None:
    """If an old Valkey is still running, the next start shuts it down and takes over its data."""
    data = DataFolder(tmp_path)
    with tempfile.TemporaryDirectory(dir="/tmp") as sockets:
        socket = f"{sockets}/s"
        async with data.valkey_lock(1) as lock:
            settings = f"--port 0 --unixsocket {socket} --dir {tmp_path} --appendonly yes --logfile log".split()
            left = subprocess.Popen([next(candidates()), *settings, "--save", ""], pass_fds=(lock,))
        data.started(left.pid, socket)
        pipeline = Pipeline(f"unix://{socket}")
        await pipeline.open()
        await pipeline.call("SET", "k", "v")
        await pipeline.close()
        async with EmbeddedStore(tmp_path) as store, connected(store) as pipeline:
            assert left.wait(WITHIN) == 0
            assert await pipeline.call("GET", "k") == b"v"
        Path(sockets).mkdir(exist_ok=True)  # it was removed


async def test_valkey_crashes(tmp_path: Path) -> None:
    """It is known when and how Valkey ends; after a restart it has the same address and the same data."""
    async with EmbeddedStore(tmp_path) as store, connected(store) as pipeline:
        url = store.url
        for n in range(3):
            assert await pipeline.call("INCR", "k") == n + 1
            await kill(store)
            assert store.pid is None
            await store.restart()
            assert store.url == url
            await asyncio.wait_for(pipeline.ready(), WITHIN)
        assert await pipeline.call("GET", "k") == b"3"


async def test_the_folder_of_the_socket_is_lost(tmp_path: Path) -> None:
    """A restart creates it again: programs that clean up /tmp may remove it."""
    async with EmbeddedStore(tmp_path) as store:
        await kill(store)
        shutil.rmtree(Path(store.url.removeprefix("unix://")).parent)
        await store.restart()
        async with connected(store) as pipeline:
            assert await pipeline.call("PING") == b"PONG"


async def test_stopping_after_valkey_died(tmp_path: Path) -> None:
    """A store whose Valkey has died can be stopped and started."""
    store = EmbeddedStore(tmp_path)
    await store.start()
    await kill(store)
    await store.stop()
    await store.stop()
    async with EmbeddedStore(tmp_path):
        pass


async def test_settings(tmp_path: Path) -> None:
    """Valkey writes an append-only file, syncs it as configured, and does not listen on the network."""
    async with EmbeddedStore(tmp_path, fsync="always") as store, connected(store) as pipeline:
        for name, value in (("appendfsync", "always"), ("appendonly", "yes"), ("port", "0"), ("save", "")):
            assert await pipeline.call("CONFIG", "GET", name) == [name.encode(), value.encode()]


async def test_data_is_forced_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The growing file is forced to disk periodically, also after Valkey has started a new one."""
    synced: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synced.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
    )
    async with EmbeddedStore(tmp_path, sync_every=0.01) as store, connected(store) as pipeline:
        await until(lambda: synced.count("appendonly.aof.1.incr.aof") >= 2)
        await pipeline.call("BGREWRITEAOF")
        await until(lambda: "appendonly.aof.2.incr.aof" in synced)


async def test_a_killed_valkey_loses_nothing(tmp_path: Path) -> None:
    """Valkey is killed while many rooms append: every acknowledged entry is in the log."""
    async with EmbeddedStore(tmp_path) as store, connected(store) as pipeline:
        log = RoomLog(pipeline, "node")
        last_seqs = dict.fromkeys((f"r{n}" for n in range(20)), 0)
        finished = asyncio.Semaphore(0)

        def append(room: str) -> None:
            def on_outcome(outcome: Appended) -> None:
                if outcome is Appended.OK:
                    last_seqs[room] += 1
                    append(room)
                else:
                    finished.release()

            log.append(room, last_seqs[room] + 1, [b"entry"], on_outcome)

        for room in last_seqs:
            append(room)
        await until(lambda: min(last_seqs.values()) > 100)
        await kill(store)
        for _ in last_seqs:
            await finished.acquire()
        await store.restart()
        await asyncio.wait_for(pipeline.ready(), WITHIN)
        for room, acknowledged in last_seqs.items():
            assert len(await log.tail(room, 0)) in (acknowledged, acknowledged + 1)


async def test_data_of_another_program(tmp_path: Path) -> None:
    """Data that this program cannot read is refused with one sentence, and not touched."""
    async with EmbeddedStore(tmp_path):
        pass
    marker = tmp_path / "store.json"
    written = marker.read_text()
    assert '"server":"valkey"' in written
    for server, number in (("valkey", "99.0.0"), ("redis", "8.2.0")):
        marker.write_text(f'{{"server":"{server}","number":"{number}"}}')
        with pytest.raises(StoreUnavailable, match=rf"written by {server.title()} {number}, and .* is Valkey .*--data"):
            await EmbeddedStore(tmp_path).start()
    marker.write_text("what?")
    with pytest.raises(StoreUnavailable, match=r"store\.json cannot be read"):
        await EmbeddedStore(tmp_path).start()
    marker.write_text(written)
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """A file in place of the folder is reported in one clear sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match=r"The data folder .*/file cannot be used: File exists"):
        await EmbeddedStore(tmp_path / "file").start()


async def test_data_that_cannot_be_read(tmp_path: Path) -> None:
    """When Valkey refuses its data, the error says which and why, and the folder is released."""
    async with EmbeddedStore(tmp_path):
        pass
    files = tmp_path / "appendonlydir"
    for name, damaged, sentence in (
        ("appendonly.aof.manifest", b"nonsense\n", r"Valkey does not find all its files in .*manifest.* from a backup"),
        ("appendonly.aof.1.base.rdb", b"nonsense\n", r"The file .*base\.rdb is damaged\. Restore .* from a backup"),
        ("appendonly.aof.1.base.rdb", b"VALKEY080", r"The snapshot in .*/appendonlydir is damaged: .* from a backup"),
    ):
        whole = (files / name).read_bytes()
        (files / name).write_bytes(damaged)
        with pytest.raises(StoreUnavailable, match=sentence):
            await EmbeddedStore(tmp_path).start()
        (files / name).write_bytes(whole)
    (files / "appendonly.aof.1.incr.aof").rename(files / "hidden")
    with pytest.raises(StoreUnavailable, match=r"Valkey does not find all its files in .*incr\.aof.* from a backup"):
        await EmbeddedStore(tmp_path).start()
    (files / "hidden").rename(files / "appendonly.aof.1.incr.aof")
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_full_disk(tmp_path: Path) -> None:
    """A start is refused with one sentence, and succeeds when there is room."""
    tmp_path.joinpath("room-check").symlink_to("/dev/full")
    with pytest.raises(StoreUnavailable, match=rf"The disk that holds {tmp_path} is full\. Free some space"):
        await EmbeddedStore(tmp_path).start()
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_full_disk_while_valkey_runs(tmp_path: Path) -> None:
    """Writes are refused; when there is room they succeed again, and nothing that was acknowledged is lost."""
    async with EmbeddedStore(tmp_path) as store, connected(store) as pipeline:
        assert store.pid is not None
        acknowledged = 0
        resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        with suppress(StoreRefused):
            while acknowledged < 1000:
                acknowledged = await pipeline.call("RPUSH", "k", "x" * 1000)
        assert acknowledged < 1000
        resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

        async def there_is_room() -> bool:
            try:
                await pipeline.call("SET", "new", 1)
            except StoreRefused:
                return False
            return True

        await until(there_is_room)
        await kill(store)
        await store.restart()
        await asyncio.wait_for(pipeline.ready(), WITHIN)
        assert await pipeline.call("LLEN", "k") == acknowledged
        assert await pipeline.call("GET", "new") == b"1"


async def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """The kernel's folders refuse every user: the error names the folder, and --data."""
    with pytest.raises(StoreUnavailable, match=r"The data folder /sys/parlour cannot be used: .*--data"):
        await EmbeddedStore(Path("/sys/parlour")).start()


async def test_long_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the paths of the data and of temporary files are, the path of the socket is short."""
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    async with EmbeddedStore(deep / "data") as store:
        assert len(store.url) < 100
        assert list(deep.iterdir()) == [deep / "data"]


async def test_the_log_is_rotated(tmp_path: Path) -> None:
    """A large log is rotated at the next start, and one old log is kept."""
    for _ in range(3):
        with (tmp_path / "valkey.log").open("a") as log:
            log.write("x" * MAX_LOG_SIZE)
        async with EmbeddedStore(tmp_path):
            pass
    assert sorted(path.name for path in tmp_path.glob("valkey.log*")) == ["valkey.log", "valkey.log.1"]
    assert "Ready to accept connections" in (tmp_path / "valkey.log").read_text()


async def test_old_sockets_are_removed(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """The socket folder that a killed node left behind is removed by the next start."""
    node = start_node(tmp_path)
    node.acknowledged(1)
    node.kill()
    async with EmbeddedStore(tmp_path):
        assert not Path(node.socket).parent.exists()
