"""The slot map: read at the start, and again when it has changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour.server.store.address import Address, parse
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.slots import SLOTS
from parlour.server.store.topology import Topology
from tests.server.store.cluster_process import Cluster
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import until


def test_a_standalone_server_has_every_slot() -> None:
    """It is a slot map with one master, and so is a Sentinel group."""
    for url in ("redis://h:7000/2", "unix:///run/v.sock", "redis+sentinel://a,b/service"):
        topology = Topology(parse(url))
        assert len(topology.masters) == 1
        assert set(topology.slots) == set(topology.masters)
        assert not topology.is_cluster


async def test_the_map_of_a_cluster(cluster: Cluster) -> None:
    """One server that answers is enough to find all masters."""
    first = cluster.masters[0]
    topology = Topology(parse(f"redis+cluster://127.0.0.1:1,127.0.0.1:{first.port}"))
    await topology.open()
    ports = [each.port for each in topology.masters.values() if isinstance(each, Address)]
    assert sorted(ports) == sorted(each.port for each in cluster.masters)
    for at in (0, SLOTS // 2, SLOTS - 1):
        assert topology.slots[at] == f"redis://127.0.0.1:{cluster.master_of(at).port}/0"
    await topology.close()


async def test_a_change_is_noticed(cluster: Cluster) -> None:
    """After `refresh` the map is read again, and `on_change` is called if it is different."""
    topology = Topology(parse(cluster.url))
    changes: list[str | None] = []
    topology.on_change.append(lambda: changes.append(topology.slots[0]))
    await topology.open()
    source, target = cluster.masters[:2]
    cluster.migrate(0, source, target)
    topology.refresh()
    await until(lambda: len(changes) >= 2)
    assert changes[-1] == f"redis://127.0.0.1:{target.port}/0"
    cluster.migrate(0, target, source)
    await topology.close()


async def test_what_redirections_say() -> None:
    """A redirection changes one slot at once; a server that does not know its own address means the one asked."""
    topology = Topology(parse("redis+cluster://:secret@h:7000"))
    name = topology.moved(5, "other:7001", "")
    assert topology.slots[5] == name
    assert topology.masters[name] == Address("other", 7001, password="secret")
    assert topology.masters[topology.visit(":7002", name)] == Address("other", 7002, password="secret")


async def test_not_a_cluster(start_valkey: Callable[..., PrivateValkey], unused_tcp_port: int) -> None:
    """A server that is not part of a cluster is refused with the address to use, and so is a silent one."""
    with pytest.raises(StoreUnavailable, match=r"The cluster at .* no server is listening there"):
        await Topology(parse(f"redis+cluster://127.0.0.1:{unused_tcp_port}")).open()
    start_valkey("--port", str(unused_tcp_port))
    with pytest.raises(StoreUnavailable, match=rf"Write redis://127.0.0.1:{unused_tcp_port}/0 instead"):
        await Topology(parse(f"redis+cluster://127.0.0.1:{unused_tcp_port}")).open()
