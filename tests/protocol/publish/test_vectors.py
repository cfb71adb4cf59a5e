"""The vectors are correct: each decodes, encodes and replays as documented."""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

import msgpack
import msgspec
import pytest
from msgspec import Struct

from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.messages import ROOM_EVENTS, Choices, Moved, name_of
from parlour.protocol.scene import BoardSpec, Scene, SceneDiff, patch, scene_hash
from parlour.protocol.types import Result
from publish.__main__ import VECTORS
from publish.model import CLIENT_KINDS, SERVER_KINDS
from publish.vectors import SEEDS


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text("utf-8"))


def wire(part: Struct) -> Any:
    """Return a part as decoded from JSON, with lists instead of tuples."""
    return json.loads(msgspec.json.encode(part))


MESSAGES = load("messages.json")
CHOICES = load("choices.json")
SCENES = load("scenes.json")
KINDS = {name_of(kind): kind for kind in (*CLIENT_KINDS, *SERVER_KINDS)}


# -- messages


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["name"]) for vector in MESSAGES + CHOICES])
def test_a_message(vector: dict[str, Any]) -> None:
    """Both encodings decode to the same message, which msgspec and msgpack encode to the same bytes."""
    packed = bytes.fromhex(vector["msgpack"])
    client = vector["direction"] == "client"
    message = (MSGPACK.decode_client if client else MSGPACK.decode_server)(packed)

    assert type(message) is KINDS[vector["t"]]
    assert (JSON.decode_client if client else JSON.decode_server)(json.dumps(vector["json"])) == message
    assert MSGPACK.encode(message) == packed
    assert msgpack.packb(msgspec.to_builtins(message)) == packed
    assert wire(message) == vector["json"]


def test_names_are_unique() -> None:
    """A vector is identified by its name."""
    named = [vector["name"] for vector in MESSAGES + CHOICES]

    assert len(set(named)) == len(named)


@pytest.mark.parametrize("kind", KINDS.values())
def test_every_message_is_there(kind: type[Struct]) -> None:
    """Every message has an example with all of its fields and one with only the required fields."""
    decoder = JSON.decode_client if kind in CLIENT_KINDS else JSON.decode_server
    examples: list[Struct] = [
        decoder(json.dumps(vector["json"])) for vector in MESSAGES if vector["t"] == name_of(kind)
    ]
    optional = [field for field in msgspec.structs.fields(kind) if not field.required]

    def given(example: Struct) -> int:
        return sum(getattr(example, field.name) != field.default for field in optional)

    assert len(optional) in map(given, examples)
    assert 0 in map(given, examples)


def test_every_kind_of_event_is_there() -> None:
    """Every kind of event has an example."""

    assert {vector["json"]["kind"] for vector in MESSAGES if vector["t"] == "event"} == set(ROOM_EVENTS)


# -- scenes


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["name"]) for vector in SCENES["scenes"]])
def test_a_scene(vector: dict[str, Any]) -> None:
    """A scene has these canonical bytes and this hash, by msgspec, by msgpack, and from the bytes alone."""
    scene = msgspec.convert(vector["scene"], Scene)

    assert msgspec.msgpack.encode(scene).hex() == vector["canonical"]
    assert (msgpack.packb(vector["scene"]) or b"").hex() == vector["canonical"]
    assert scene_hash(scene) == vector["hash"] == crc32(bytes.fromhex(vector["canonical"]))


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["name"]) for vector in SCENES["patches"]])
def test_a_patch(vector: dict[str, Any]) -> None:
    """The diff turns the old scene into the new one."""
    new = patch(msgspec.convert(vector["old"], Scene), msgspec.convert(vector["change"], SceneDiff))

    assert wire(new) == vector["new"]
    assert scene_hash(new) == vector["hash"]


# -- games


@pytest.mark.parametrize("key", SEEDS)
def test_a_game(key: str) -> None:
    """Following the frames from the first scene yields every hash and the last scene."""
    game = load(f"games/{key}.json")
    scene = msgspec.convert(game["first"], Scene)
    assert scene_hash(scene) == game["hash"]

    for number, move in enumerate(game["moves"], start=1):
        moved = MSGPACK.decode_server(bytes.fromhex(move["moved"]))
        assert isinstance(moved, Moved)
        scene = patch(scene, moved.change)
        assert (moved.seq, moved.move, moved.hash) == (number, move["text"], move["hash"])
        assert wire(moved.change) == move["change"]
        assert scene_hash(scene) == move["hash"]
        assert MSGPACK.encode(moved).hex() == move["moved"]

    assert wire(scene) == game["last"]


@pytest.mark.parametrize("key", SEEDS)
def test_a_game_is_whole(key: str) -> None:
    """A game is long enough to be worth following, ends, and stays on its board."""
    game = load(f"games/{key}.json")
    board = msgspec.convert(game["board"], BoardSpec)
    result = msgspec.convert(game["result"], Result)

    assert 20 <= len(game["moves"]) <= 60
    assert game["last"][2] is None
    assert result.winner in (0, 1, None)
    for place, *glyphs in game["first"][0] + game["last"][0]:
        assert place < board.places
        assert all(glyph < len(board.glyphs) for glyph in glyphs)


# -- choices


def walk(step: list[Any]) -> tuple[int, int]:
    """Count complete turns and truncated ones in the bare JSON, without the protocol's types."""
    complete = cut = 0
    for pick in step[1]:
        if isinstance(pick, list) and pick[4] is not None:
            inner = walk(pick[4])
            complete += inner[0]
            cut += inner[1]
        elif isinstance(pick, list) and pick[5]:
            cut += 1
        else:
            complete += 1
    return complete, cut


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["name"]) for vector in CHOICES])
def test_choices(vector: dict[str, Any]) -> None:
    """A walk through the tree finds as many turns as the vector states."""
    choices = msgspec.convert(vector["json"], Choices)

    assert walk(vector["json"]["step"]) == (vector["complete"], vector["cut"])
    assert choices.prompts


def test_some_choices_are_cut_and_some_answer_explore() -> None:
    """The vectors include a truncated tree, a complete tree, and an answer to explore."""
    cuts = [vector["cut"] > 0 for vector in CHOICES]

    assert any(cuts)
    assert not all(cuts)
    assert any(vector["json"].get("picks") for vector in CHOICES)
