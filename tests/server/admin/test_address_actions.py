"""Operators ban addresses, and lift bans."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import Hello, Refused
from parlour.server.admin.address_actions import MAX_BANS, AddressActions, AddressBan, parse_network
from parlour.server.admin.audit_writer import AuditWriter
from parlour.server.restrictions import Restriction
from tests.server.admin.conftest import ORDER, Nodes

EVE, ADA = ("127.0.1.9", 0), ("127.0.0.2", 0)  # addresses


@pytest.fixture
def actions(nodes: Nodes) -> AddressActions:
    north = nodes[0]
    return AddressActions(north.store, north.node.control, AuditWriter(north.store))


async def test_a_banned_network_is_refused_on_every_node(nodes: Nodes, actions: AddressActions) -> None:
    """Connections there are closed and hello is refused with a sentence; others go on; a lifted ban is no ban."""
    _, south = nodes
    eve, ada = await south.call(local_addr=EVE), await south.call(local_addr=ADA)
    await actions.ban(ORDER, "127.0.1.77/24", 0)
    assert await eve.closed() == CloseCode.SUSPENDED
    again = await south.call(greet=False, local_addr=EVE)
    await again.send(Hello("test", eve.token))
    refused = await again.hears(Refused)
    assert refused.code == ErrorCode.BANNED
    assert refused.text.startswith("This server cannot be used from your network. Reason: Insults")
    await south.call(ada.token, local_addr=ADA)

    assert await actions.bans() == [AddressBan("127.0.1.0/24", 0, ORDER.reason)]
    await actions.lift(ORDER, "127.0.1.0/24")
    assert await actions.bans() == []
    await south.until(lambda: south.node.address_bans.refusal(EVE[0]) is None)
    await again.hello(eve.token)
    assert [entry.action for entry in await south.store.audit.newest(5)] == ["unban-address", "ban-address"]


async def test_a_node_that_starts_knows_the_bans(nodes: Nodes, actions: AddressActions) -> None:
    """It reads them when it connects to the store, and again after it was cut off."""
    north, south = nodes
    await south.store.address_bans.set("127.0.1.0/24", Restriction(0, "before"))
    north.store.pubsub.reconnect()
    await north.until(lambda: north.node.address_bans.refusal(EVE[0]) is not None)


async def test_bans_that_are_over_make_room(nodes: Nodes, actions: AddressActions) -> None:
    """The number of bans is limited, and only those in force count."""
    store = nodes[0].store.address_bans
    for number in range(MAX_BANS):
        await store.set(f"10.0.{number // 250}.{number % 250}/32", Restriction(0, "full"))
    with pytest.raises(Refusal, match="At most 1,000"):
        await actions.ban(ORDER, "192.0.2.1", 0)
    await store.set("10.0.0.0/32", Restriction(1, "over"))
    await actions.ban(ORDER, "192.0.2.1", 0)
    assert "10.0.0.0/32" not in await store.all()


@pytest.mark.parametrize(
    ("prefix", "words"),
    [("example.org", "is not an address"), ("0.0.0.0/0", "too wide"), ("::/0", "too wide"), ("192.0.2.300", "not an")],
)
def test_what_is_no_network_is_refused(prefix: str, words: str) -> None:
    """So is one that is as good as everyone's."""
    with pytest.raises(Refusal, match=words):
        parse_network(prefix)
    assert parse_network(" 192.0.2.7 ") == "192.0.2.7/32"


async def test_only_what_is_banned_can_be_lifted(actions: AddressActions) -> None:
    """The sentence says where to look."""
    with pytest.raises(Refusal, match="is not banned"):
        await actions.lift(ORDER, "192.0.2.0/24")
