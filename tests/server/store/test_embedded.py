"""The private Valkey: what survives, who may use the folder, and what is said when it cannot be."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from parlour.server.store import embedded
from parlour.server.store import folder as folders
from parlour.server.store.binary import candidates
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.folder import DataFolder
from parlour.server.store.log import Appended, RoomLog
from parlour.server.store.pipe import Pipe
from parlour.server.store.trouble import StoreTrouble
from tests.waiting import until

# A node that appends to one room, and says of each entry when it is acknowledged.
NODE = """
import asyncio, sys
from pathlib import Path
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.log import Appended, RoomLog
from parlour.server.store.pipe import Pipe

async def main():
    store = EmbeddedStore(Path(sys.argv[1]))
    pipe = Pipe(await store.start())
    await pipe.open()
    print("pid", store.pid, flush=True)
    log = RoomLog(pipe, "node")
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
    """A process that runs the node above."""

    def __init__(self, data: Path) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", NODE, str(data)], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._said = self._process.stdout
        word, number = self._said.readline().split()
        assert word == "pid"
        self.valkey = int(number)
        self.socket = json.loads((data / "valkey.json").read_bytes())["socket"]

    def acknowledged(self, count: int) -> int:
        """Wait for so many acknowledgements; gives the last one."""
        return int([self._said.readline() for _ in range(count)][-1])

    def kill(self) -> int:
        """Kill it with -9; gives the last entry that was acknowledged before, if any came since one asked."""
        self._process.kill()
        rest = self._said.read().split("\n")
        self._process.wait()
        self._said.close()
        whole = [line for line in rest[:-1] if line]
        return int(whole[-1]) if whole else 0

    def clear_away(self) -> None:
        """Leave nothing behind, however the test ended."""
        if self._process.poll() is None:
            self.kill()
        with suppress(FileNotFoundError, ProcessLookupError):
            if self.socket in Path(f"/proc/{self.valkey}/cmdline").read_text():  # and not somebody who got its number
                os.kill(self.valkey, signal.SIGKILL)


@pytest.fixture
def start_node() -> Iterator[Callable[[Path], Node]]:
    """Starts such nodes."""
    nodes = []

    def start(data: Path) -> Node:
        nodes.append(Node(data))
        return nodes[-1]

    yield start
    for node in nodes:
        node.clear_away()


@asynccontextmanager
async def connected(store: EmbeddedStore) -> AsyncIterator[Pipe]:
    pipe = Pipe(store.url)
    await pipe.open()
    yield pipe
    await pipe.close()


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet counts too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def test_data_is_kept(tmp_path: Path) -> None:
    """What was stored is there after a stop and a start, and a stop leaves nothing behind but the data."""
    for value in (None, b"1", b"2"):
        async with EmbeddedStore(tmp_path / "new" / "data") as store, connected(store) as pipe:
            assert await pipe.call("GET", "k") == value
            await pipe.call("INCR", "k")
            pid, sockets = store.pid, Path(store.url.removeprefix("unix://")).parent
            assert pid is not None
        assert store.pid is None
        assert gone(pid)
        assert not sockets.exists()


async def test_only_for_us(tmp_path: Path) -> None:
    """Folder and socket are closed to other users, and Ctrl-C at the terminal does not reach Valkey."""
    async with EmbeddedStore(tmp_path / "data") as store:
        socket = Path(store.url.removeprefix("unix://"))
        for path in (tmp_path / "data", socket.parent, socket):
            assert stat.S_IMODE(path.stat().st_mode) == 0o700
        assert store.pid is not None
        assert os.getsid(store.pid) != os.getsid(0)


async def test_one_node_in_a_folder(tmp_path: Path) -> None:
    """A second node on the same folder is refused in one sentence, and the first one goes on."""
    async with EmbeddedStore(tmp_path) as store:
        with pytest.raises(StoreTrouble, match=rf"process {os.getpid()}\) uses the folder .*--data"):
            await EmbeddedStore(tmp_path).start()
        async with connected(store) as pipe:
            assert await pipe.call("PING") == b"PONG"
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_killed_node_loses_nothing(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """A node is killed with -9 while it appends; the next one starts at once and has every acknowledged entry."""
    for count in (300, 1, 100):
        node = start_node(tmp_path)
        acknowledged = node.acknowledged(count)
        acknowledged = max(acknowledged, node.kill())
        async with EmbeddedStore(tmp_path) as store, connected(store) as pipe:
            entries = await RoomLog(pipe, "after").tail("r", 0)
            assert gone(node.valkey)
        assert len(entries) >= acknowledged
        assert entries == [(n, b"%d" % n) for n in range(1, len(entries) + 1)]


async def test_valkey_ends_with_its_node(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """When a node is killed its Valkey ends by itself."""
    node = start_node(tmp_path)
    node.acknowledged(1)
    node.kill()
    await until(lambda: gone(node.valkey))
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_valkey_that_takes_its_time_to_end(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """The next start waits for the old Valkey, says so if that takes too long, and succeeds when it is gone."""
    node = start_node(tmp_path)
    acknowledged = node.acknowledged(5)
    os.kill(node.valkey, signal.SIGSTOP)
    node.kill()
    with pytest.raises(StoreTrouble, match=rf"A Valkey of an earlier run \(process {node.valkey}\) still uses"):
        await EmbeddedStore(tmp_path, start_within=0.2).start()
    os.kill(node.valkey, signal.SIGCONT)
    async with EmbeddedStore(tmp_path) as store, connected(store) as pipe:
        assert len(await RoomLog(pipe, "after").tail("r", 0)) >= acknowledged


async def test_a_valkey_that_was_left_over(tmp_path: Path) -> None:
    """Where no system ends Valkey with its node, the next start ends it and takes over its data."""
    data = DataFolder(tmp_path)
    with tempfile.TemporaryDirectory(dir="/tmp") as sockets:
        socket = f"{sockets}/s"
        async with data.free(1) as lock:
            settings = f"--port 0 --unixsocket {socket} --dir {tmp_path} --appendonly yes --logfile log".split()
            left = subprocess.Popen([next(candidates()), *settings, "--save", ""], pass_fds=(lock,))
        data.started(left.pid, socket)
        pipe = Pipe(f"unix://{socket}")
        await pipe.open()
        await pipe.call("SET", "k", "v")
        await pipe.close()
        async with EmbeddedStore(tmp_path) as store, connected(store) as pipe:
            assert left.wait(5) == 0
            assert await pipe.call("GET", "k") == b"v"
        Path(sockets).mkdir(exist_ok=True)  # it was cleared away


async def test_valkey_ends_by_itself(tmp_path: Path) -> None:
    """When Valkey dies the node is told; started again it has the same address and the same data."""
    codes: asyncio.Queue[int] = asyncio.Queue()
    async with EmbeddedStore(tmp_path, on_exit=codes.put_nowait) as store, connected(store) as pipe:
        url = store.url
        for n in range(3):
            assert await pipe.call("INCR", "k") == n + 1
            assert store.pid is not None
            os.kill(store.pid, signal.SIGKILL)
            assert await asyncio.wait_for(codes.get(), 5) == -signal.SIGKILL
            assert store.pid is None
            await store.restart()
            assert store.url == url
            await asyncio.wait_for(pipe.ready(), 5)
        assert await pipe.call("GET", "k") == b"3"
    assert codes.empty(), "a stop is no accident"


async def test_stopping_after_valkey_died(tmp_path: Path) -> None:
    """A store whose Valkey is dead can be stopped and started."""
    died = asyncio.Event()
    store = EmbeddedStore(tmp_path, on_exit=lambda _: died.set())
    await store.start()
    assert store.pid is not None
    os.kill(store.pid, signal.SIGKILL)
    await asyncio.wait_for(died.wait(), 5)
    await store.stop()
    await store.stop()
    async with EmbeddedStore(tmp_path):
        pass


async def test_settings(tmp_path: Path) -> None:
    """Valkey writes an append-only file, syncs it as asked for, and listens to nobody on the network."""
    async with EmbeddedStore(tmp_path, fsync="always") as store, connected(store) as pipe:
        for name, value in (("appendfsync", "always"), ("appendonly", "yes"), ("port", "0"), ("save", "")):
            assert await pipe.call("CONFIG", "GET", name) == [name.encode(), value.encode()]


async def test_forced_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that grows is forced to disk again and again, also after Valkey has begun a new one."""
    monkeypatch.setattr(embedded, "SYNC_EVERY", 0.01)
    synced: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synced.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
    )
    async with EmbeddedStore(tmp_path) as store, connected(store) as pipe:
        await until(lambda: synced.count("appendonly.aof.1.incr.aof") >= 2)
        await pipe.call("BGREWRITEAOF")
        await until(lambda: "appendonly.aof.2.incr.aof" in synced)


async def test_a_killed_valkey_loses_nothing(tmp_path: Path) -> None:
    """Valkey is killed with -9 while many append: every acknowledged entry is on record."""
    died = asyncio.Event()
    async with EmbeddedStore(tmp_path, on_exit=lambda _: died.set()) as store, connected(store) as pipe:
        log = RoomLog(pipe, "node")
        tops = dict.fromkeys((f"r{n}" for n in range(20)), 0)
        over = asyncio.Semaphore(0)

        def append(room: str) -> None:
            def done(outcome: Appended) -> None:
                if outcome is Appended.OK:
                    tops[room] += 1
                    append(room)
                else:
                    over.release()

            log.append(room, tops[room] + 1, [b"entry"], done)

        for room in tops:
            append(room)
        await until(lambda: min(tops.values()) > 100)
        assert store.pid is not None
        os.kill(store.pid, signal.SIGKILL)
        for _ in tops:
            await over.acquire()
        await asyncio.wait_for(died.wait(), 5)
        await store.restart()
        await asyncio.wait_for(pipe.ready(), 5)
        for room, acknowledged in tops.items():
            assert len(await log.tail(room, 0)) in (acknowledged, acknowledged + 1)


async def test_data_of_another_program(tmp_path: Path) -> None:
    """Data that this program cannot read is refused in one sentence, and left alone."""
    async with EmbeddedStore(tmp_path):
        pass
    marker = tmp_path / "store.json"
    written = marker.read_text()
    assert '"server":"valkey"' in written
    for server, number in (("valkey", "99.0.0"), ("redis", "8.2.0")):
        marker.write_text(f'{{"server":"{server}","number":"{number}"}}')
        with pytest.raises(StoreTrouble, match=rf"written by {server.title()} {number}, and .* is Valkey .*--data"):
            await EmbeddedStore(tmp_path).start()
    marker.write_text("what?")
    with pytest.raises(StoreTrouble, match=r"store\.json cannot be read"):
        await EmbeddedStore(tmp_path).start()
    marker.write_text(written)
    async with EmbeddedStore(tmp_path):
        pass


async def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """A file in the place of the folder is one clear sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreTrouble, match=r"The data folder .*/file cannot be used: File exists"):
        await EmbeddedStore(tmp_path / "file").start()


async def test_data_that_cannot_be_read(tmp_path: Path) -> None:
    """When Valkey refuses its own data the last line of its log is shown, and the folder is free again."""
    async with EmbeddedStore(tmp_path):
        pass
    manifest = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    whole = manifest.read_bytes()
    manifest.write_text("nonsense\n")
    with pytest.raises(
        StoreTrouble, match=r"Valkey ended as soon as it was started; .*valkey\.log says at the end: .+"
    ):
        await EmbeddedStore(tmp_path).start()
    manifest.write_bytes(whole)
    async with EmbeddedStore(tmp_path):
        pass


async def test_long_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the paths of data and of temporary files are, the socket's is short."""
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    async with EmbeddedStore(deep / "data") as store:
        assert len(store.url) < 100
        assert list(deep.iterdir()) == [deep / "data"]


async def test_the_log_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that has grown is put aside at the next start, and one old one is kept."""
    monkeypatch.setattr(folders, "LARGEST_LOG", 100)
    for _ in range(3):
        async with EmbeddedStore(tmp_path):
            pass
    assert sorted(path.name for path in tmp_path.glob("valkey.log*")) == ["valkey.log", "valkey.log.1"]
    assert "Ready to accept connections" in (tmp_path / "valkey.log").read_text()


async def test_old_sockets_are_cleared_away(tmp_path: Path, start_node: Callable[[Path], Node]) -> None:
    """The folder of a socket that a killed node left behind is removed by the next start."""
    node = start_node(tmp_path)
    node.acknowledged(1)
    node.kill()
    async with EmbeddedStore(tmp_path):
        assert not Path(node.socket).parent.exists()
