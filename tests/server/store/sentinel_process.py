"""A master with a replica, watched by three Sentinels, as processes on this machine."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from redis import Redis

from bench.load.processes import free_ports
from parlour.server.store.binary import candidates
from tests.server.store.cluster_process import HOST, wait_until
from tests.server.store.private_valkey import PrivateValkey

SERVICE = "games"
# Milliseconds of silence after which a Sentinel considers the master down. A second is not enough on a busy machine:
# the Sentinels would replace a master that works, behind the back of the test.
DOWN_AFTER = 3000


class Sentinel:
    """One Sentinel process."""

    def __init__(self, port: int, folder: Path, master_port: int, *settings: str) -> None:
        self.port = port
        self._file = folder / f"sentinel-{port}.conf"
        lines = [
            f"port {port}",
            f"bind {HOST}",
            f"dir {folder}",
            f"logfile sentinel-{port}.log",
            f"sentinel monitor {SERVICE} {HOST} {master_port} 2",
            f"sentinel down-after-milliseconds {SERVICE} {DOWN_AFTER}",
            f"sentinel failover-timeout {SERVICE} 5000",
            *settings,
        ]
        self._file.write_text("\n".join(lines) + "\n")
        self._process = subprocess.Popen([next(candidates()), str(self._file), "--sentinel"])

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


class SentinelGroup:
    """A service with two servers, either of which may be the master, and three Sentinels."""

    def __init__(self, *settings: str, sentinel_settings: tuple[str, ...] = (), sentinel_password: str = "") -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="ps-", dir="/tmp"))
        self._password = sentinel_password
        first, second, *self.sentinel_ports = free_ports(5)
        options = ("--bind", HOST, "--repl-diskless-sync-delay", "0", *settings)
        self.master = PrivateValkey("--port", str(first), *options)
        self.replica = PrivateValkey("--port", str(second), "--replicaof", f"{HOST} {first}", *options)
        self.ports = {self.master: first, self.replica: second}
        self._sentinel_settings = sentinel_settings
        self.sentinels: list[Sentinel] = []

    @property
    def url(self) -> str:
        hosts = ",".join(f"{HOST}:{port}" for port in self.sentinel_ports)
        login = f"?sentinel_password={self._password}" if self._password else ""
        return f"redis+sentinel://{hosts}/{SERVICE}{login}"

    def start(self) -> None:
        """Start everything, and wait until the Sentinels know each other and the replica."""
        self.master.start()
        self.replica.start()
        self.sentinels = [
            Sentinel(port, self._folder, self.ports[self.master], *self._sentinel_settings)
            for port in self.sentinel_ports
        ]
        wait_until(lambda: all(self._is_complete(port) for port in self.sentinel_ports))

    def close(self) -> None:
        for sentinel in self.sentinels:
            sentinel.stop()
        self.master.close()
        self.replica.close()
        shutil.rmtree(self._folder)

    def promote(self) -> None:
        """Have the Sentinels promote the replica although the master works."""
        self.wait_until_in_sync()
        self._ask(self.sentinel_ports[-1], "SENTINEL", "FAILOVER", SERVICE)
        self._await_change()

    def lose(self) -> None:
        """Kill the master, wait until the replica has taken over, and start it again as a replica."""
        killed = self.master
        killed.kill()
        self._await_change()
        killed.start()
        self.wait_until_in_sync()

    def _await_change(self) -> None:
        with Redis(host=HOST, port=self.ports[self.replica]) as client:
            wait_until(lambda: client.info("replication")["role"] == "master")
        self.master, self.replica = self.replica, self.master
        # Until then, a killed master that comes back without its data would still be taken for the master.
        wait_until(lambda: all(self._names_master(each.port) for each in self.sentinels if each.is_running))

    def _names_master(self, port: int) -> bool:
        found = self._ask(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return int(found[1]) == self.ports[self.master]

    def wait_until_in_sync(self) -> None:
        """Wait until the replica follows the master, and the Sentinels may promote it."""
        with Redis(host=HOST, port=self.ports[self.replica]) as client:
            wait_until(lambda: client.info("replication").get("master_link_status") == "up")
        wait_until(lambda: all(self._is_complete(each.port) for each in self.sentinels if each.is_running))

    def _ask(self, port: int, *args: str) -> Any:
        with Redis(host=HOST, port=port, password=self._password or None, protocol=2, legacy_responses=False) as client:
            connection = client.connection_pool.get_connection()
            connection.send_command(*args)
            return connection.read_response()

    def _is_complete(self, port: int) -> bool:
        reply = self._ask(port, "SENTINEL", "MASTER", SERVICE)
        found = dict(zip(reply[::2], reply[1::2], strict=True))
        facts = (found[b"num-slaves"], found[b"num-other-sentinels"], found[b"flags"])
        return facts == (b"1", b"2", b"master")
