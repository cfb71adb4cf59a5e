"""The folder of an embedded store: locks, versions and the log."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from parlour.server.store.binary import Binary, Version
from parlour.server.store.data_folder import MAX_LOG_SIZE, DataFolder
from parlour.server.store.errors import StoreUnavailable

VALKEY = Binary("/usr/bin/valkey-server", Version("valkey", "8.1.3"))


def test_a_folder_is_used_by_one_node(tmp_path: Path) -> None:
    """A locked folder cannot be locked again until it is released."""
    one, two = DataFolder(tmp_path / "data"), DataFolder(tmp_path / "data")
    one.lock()
    with pytest.raises(StoreUnavailable, match=rf"process {os.getpid()}\) uses the folder .*/data\. Stop it"):
        two.lock()
    one.unlock()
    one.unlock()
    two.lock()
    two.unlock()


def test_the_folder_is_private(tmp_path: Path) -> None:
    """A new folder is accessible to its user only."""
    folder = DataFolder(tmp_path / "new" / "data")
    folder.lock()
    assert (tmp_path / "new" / "data").stat().st_mode & 0o777 == 0o700
    folder.unlock()


def test_data_of_another_version(tmp_path: Path) -> None:
    """Data is accepted if the program can read it; otherwise the error says which version is needed."""
    folder = DataFolder(tmp_path)
    folder.check(VALKEY)
    folder.mark(VALKEY)
    folder.check(VALKEY)
    folder.check(Binary("newer", Version("valkey", "9.0.0")))
    with pytest.raises(StoreUnavailable, match=r"written by Valkey 8\.1\.3, and old is Valkey 7\.2\.0.*--data"):
        folder.check(Binary("old", Version("valkey", "7.2.0")))


async def test_a_folder_in_which_no_store_runs(tmp_path: Path) -> None:
    """There is an address only while the socket is open, even if the last store did not end properly."""
    folder = DataFolder(tmp_path)
    assert not folder.has_data
    assert await folder.running_url() is None
    folder.mark(VALKEY)
    folder.started(1, str(tmp_path / "s"))
    assert folder.has_data
    assert await folder.running_url() is None
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        listening.listen()
        assert await folder.running_url() == f"unix://{tmp_path / 's'}"


def test_an_unreadable_marker(tmp_path: Path) -> None:
    """A damaged marker is reported instead of being ignored."""
    (tmp_path / "store.json").write_text("what?")
    with pytest.raises(StoreUnavailable, match=r"store\.json cannot be read"):
        DataFolder(tmp_path).check(VALKEY)


async def test_the_lock_of_valkey(tmp_path: Path) -> None:
    """While one process holds the lock of Valkey, another waits for it and gives up with an error."""
    one, two = DataFolder(tmp_path), DataFolder(tmp_path)
    async with one.valkey_lock(1):
        with pytest.raises(StoreUnavailable, match=r"A Valkey of an earlier run still uses the folder .* Stop it"):
            async with two.valkey_lock(0.05):
                pass
    async with two.valkey_lock(1):
        pass


def test_an_existing_folder_becomes_private(tmp_path: Path) -> None:
    """A folder that other users could read is closed to them; one that all users share, like /tmp, is not."""
    for before, after in ((0o755, 0o700), (0o1777, 0o1777)):
        tmp_path.chmod(before)
        folder = DataFolder(tmp_path)
        folder.lock()
        assert stat.S_IMODE(tmp_path.stat().st_mode) == after
        folder.unlock()
    tmp_path.chmod(0o700)


def test_a_full_disk_is_noticed(tmp_path: Path) -> None:
    """Before Valkey is started, a megabyte is written and removed again."""
    folder = DataFolder(tmp_path)
    folder.check_room()
    (tmp_path / "room-check").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device"):
        folder.check_room()
    folder.check_room()
    assert list(tmp_path.iterdir()) == []


def test_a_large_log_is_rotated(tmp_path: Path) -> None:
    """A log above the maximum size is renamed, one old log is kept, and other users cannot read it."""
    folder = DataFolder(tmp_path)
    for content in ("first", "second", "small"):
        os.close(folder.open_log())
        folder.log.write_text(content if content == "small" else content.ljust(MAX_LOG_SIZE + 1))
    os.close(folder.open_log())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["valkey.log", "valkey.log.1"]
    assert (tmp_path / "valkey.log.1").read_text().startswith("second")
    assert folder.log.read_text() == "small"
    assert stat.S_IMODE(folder.log.stat().st_mode) == 0o600


def test_what_was_logged_since(tmp_path: Path) -> None:
    """The part of the log after a position is returned, or nothing if there is no log."""
    folder = DataFolder(tmp_path)
    assert folder.log_since(0) == ""
    folder.log.write_bytes(b"one\ntwo \xff\n")
    assert folder.log_since(4) == "two \ufffd\n"


def test_the_socket_of_a_killed_node_is_removed(tmp_path: Path) -> None:
    """Starting a new Valkey removes the socket that the previous one left behind."""
    old = tmp_path / "sockets" / "s"
    old.parent.mkdir()
    old.touch()
    folder = DataFolder(tmp_path)
    folder.started(1, str(old))
    folder.started(2, str(tmp_path / "new"))
    assert not old.parent.exists()
    folder.ended()
    folder.ended()
