"""A real cluster of Valkey servers on this machine, whose servers can be killed, promoted and given other slots."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from bench.load.processes import free_ports
from parlour.server.store.slots import SLOTS
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN

NODE_TIMEOUT = 2000  # milliseconds of silence after which a replica takes over, however old its data are
HOST = "127.0.0.1"


class ClusterServer(PrivateValkey):
    """One server of a cluster."""

    def __init__(self, port: int, bus_port: int, *settings: str) -> None:
        cluster = f"--cluster-enabled yes --cluster-port {bus_port}"
        take_over = f"--cluster-node-timeout {NODE_TIMEOUT} --cluster-replica-validity-factor 0"
        replication = f"--repl-diskless-sync-delay 0 --appendonly no --bind {HOST}"
        super().__init__("--port", str(port), *cluster.split(), *take_over.split(), *replication.split(), *settings)
        self.port = port
        self.bus_port = bus_port
        self.id = ""
        self._operator = Redis(host=HOST, port=port)

    def command(self, *args: Any) -> Any:
        """Execute a command of an operator on this server."""
        return self._operator.execute_command(*args)  # type: ignore[no-untyped-call]

    def info(self, section: str) -> dict[str, Any]:
        found: dict[str, Any] = self._operator.info(section)
        return found

    def close(self) -> None:
        self._operator.close()
        super().close()


class Cluster:
    """Masters that share the slots evenly, each with a replica."""

    def __init__(self, masters: int, *settings: str, replicas: bool = True) -> None:
        ports = free_ports(masters * (4 if replicas else 2))
        pairs = list(zip(ports[::2], ports[1::2], strict=True))
        servers = [ClusterServer(port, bus, *settings) for port, bus in pairs]
        self.masters, self.replicas = servers[:masters], servers[masters:]

    @property
    def servers(self) -> list[ClusterServer]:
        return self.masters + self.replicas

    @property
    def url(self) -> str:
        """The address that names two of the servers; a client finds the others."""
        return f"redis+cluster://{HOST}:{self.servers[0].port},{HOST}:{self.servers[-1].port}"

    def start(self) -> None:
        """Start all servers and wait until they agree that they are a cluster."""
        for number, server in enumerate(self.servers):
            server.start()
            server.id = server.command("CLUSTER", "MYID").decode()
            server.command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for number, server in enumerate(self.masters):
            first, after = (SLOTS * n // len(self.masters) for n in (number, number + 1))
            server.command("CLUSTER", "ADDSLOTSRANGE", first, after - 1)
        first_server = self.masters[0]
        for server in self.servers[1:]:
            server.command("CLUSTER", "MEET", HOST, first_server.port, first_server.bus_port)
        wait_until(lambda: all(self._knows_all(each) for each in self.servers))
        for master, replica in zip(self.masters, self.replicas, strict=False):
            replica.command("CLUSTER", "REPLICATE", master.id)
        wait_until(self.is_complete)

    def close(self) -> None:
        for server in self.servers:
            server.close()

    def empty(self) -> None:
        for server in self.masters:
            server.command("FLUSHALL")

    def master_of(self, slot: int) -> ClusterServer:
        """Return the master that has this slot, unless it was migrated."""
        return next(server for n, server in enumerate(self.masters) if slot < SLOTS * (n + 1) // len(self.masters))

    def other_master(self, server: ClusterServer) -> ClusterServer:
        return next(each for each in self.masters if each is not server)

    def replica_of(self, master: ClusterServer) -> ClusterServer:
        return self.replicas[self.masters.index(master)]

    def migrate(self, slot: int, source: ClusterServer, target: ClusterServer) -> None:
        """Move a slot with its keys, as valkey-cli does it."""
        self.begin_migration(slot, source, target)
        self.move_keys(slot, source, target)
        self.end_migration(slot, source, target)

    def begin_migration(self, slot: int, source: ClusterServer, target: ClusterServer) -> None:
        target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source.command("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)

    def move_keys(self, slot: int, source: ClusterServer, target: ClusterServer) -> None:
        while keys := source.command("CLUSTER", "GETKEYSINSLOT", slot, 100):
            source.command("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", *keys)

    def end_migration(self, slot: int, source: ClusterServer, target: ClusterServer) -> None:
        for server in (target, source, *(each for each in self.masters if each not in (source, target))):
            server.command("CLUSTER", "SETSLOT", slot, "NODE", target.id)
        # Two masters that take slots over before they have heard of each other would claim the same epoch.
        wait_until(lambda: len({_state(each)["cluster_current_epoch"] for each in self.masters}) == 1)

    def promote(self, replica: ClusterServer) -> None:
        """Make a replica the master, in agreement with its master."""
        replica.command("CLUSTER", "FAILOVER")
        wait_until(lambda: is_master(replica))
        self._swap(replica)

    def lose(self, master: ClusterServer) -> None:
        """Kill a master, wait until its replica has taken over, and start it again as a replica."""
        replica = self.replica_of(master)
        master.kill()
        wait_until(lambda: is_master(replica))
        self._swap(replica)
        master.start()
        wait_until(self.is_complete)

    def _swap(self, replica: ClusterServer) -> None:
        at = self.replicas.index(replica)
        self.masters[at], self.replicas[at] = replica, self.masters[at]

    def is_complete(self) -> bool:
        """Return whether all servers agree that every slot has a master, and the replicas follow theirs."""
        links = (each.info("replication").get("master_link_status") for each in self.replicas)
        return all(_state(each)["cluster_state"] == "ok" for each in self.servers) and all(
            link == "up" for link in links
        )

    def _knows_all(self, server: ClusterServer) -> bool:
        return int(_state(server)["cluster_known_nodes"]) == len(self.servers)


def is_master(server: ClusterServer) -> bool:
    """Return whether a server is a master now."""
    return bool(server.info("replication")["role"] == "master")


def _state(server: ClusterServer) -> dict[str, str]:
    found = server.command("CLUSTER INFO")
    if isinstance(found, dict):
        return found
    return dict(line.split(":", 1) for line in found.decode().split("\r\n") if line)


def wait_until(fits: Callable[[], bool]) -> None:
    """Poll servers until the condition holds."""
    deadline = time.monotonic() + WITHIN
    while True:
        try:
            if fits():
                return
        except (RedisError, OSError):
            pass
        assert time.monotonic() < deadline, "the cluster did not get ready"
        time.sleep(0.02)
