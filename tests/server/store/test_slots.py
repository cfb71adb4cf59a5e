"""Hash slots, as the specification of Redis Cluster defines them."""

from __future__ import annotations

import pytest

from parlour.server.store.slots import Arg, require_one_slot, slot, slot_of_command
from tests.server.store.cluster_process import Cluster


@pytest.mark.parametrize(
    ("key", "of"),
    [
        ("123456789", "123456789"),
        ("{user1000}.following", "user1000"),
        ("foo{}{bar}", "foo{}{bar}"),
        ("foo{{bar}}zap", "{bar"),
        ("foo{bar}{zap}", "bar"),
        ("foo{bar", "foo{bar"),
    ],
)
def test_the_part_in_braces_decides(key: str, of: str) -> None:
    """Only the first part in braces is hashed, unless it is empty or has no end."""
    assert slot(key) == slot(of) == slot(key.encode())


def test_slots_agree_with_the_server(cluster: Cluster) -> None:
    """The server computes the same slots."""
    for key in ("123456789", "parlour:{room}:log", "ü", "x" * 200, "{}", "a{}b"):
        assert slot(key) == cluster.masters[0].command("CLUSTER", "KEYSLOT", key)


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ((b"GET", "k"), "k"),
        (("evalsha", "digest", 2, "k", "l", "argument"), "k"),
        ((b"EVAL", b"return 1", b"1", b"k"), "k"),
        ((b"PUBSUB", b"SHARDNUMSUB", "channel"), "channel"),
        ((b"XREADGROUP", b"GROUP", "g", "c", b"COUNT", 1, b"STREAMS", "stream", b">"), "stream"),
        ((b"XGROUP", b"CREATE", "stream", "g"), "stream"),
    ],
)
def test_the_key_of_a_command(command: tuple[Arg, ...], key: str) -> None:
    """A command belongs to the slot of its first key, wherever that is."""
    assert slot_of_command(command) == slot(key)


@pytest.mark.parametrize(
    "command", [("PING",), ("INFO", "server"), ("EVAL", "return 1", 0), ("SCRIPT", "LOAD", "text")]
)
def test_a_command_without_a_key(command: tuple[Arg, ...]) -> None:
    """It cannot be sent to a cluster, and the error says why."""
    with pytest.raises(ValueError, match="names no key"):
        slot_of_command(command)


def test_keys_of_several_slots() -> None:
    """A command whose keys are in several slots is a mistake, and the error names them."""
    require_one_slot(("EVALSHA", "digest", 2, "{a}1", "{a}2", "b"))
    require_one_slot(("DEL", "{a}1", "{a}2"))
    with pytest.raises(ValueError, match=r"one hash slot.*\{a\}1, \{b\}2"):
        require_one_slot(("EVALSHA", "digest", 2, "{a}1", "{b}2"))
    with pytest.raises(ValueError, match="one hash slot"):
        require_one_slot((b"DEL", b"a", b"b"))
