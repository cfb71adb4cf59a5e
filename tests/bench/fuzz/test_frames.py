"""The fuzzer's frames cover the whole protocol."""

from __future__ import annotations

from random import Random

import pytest

from bench.fuzz.frames import FuzzedFrames, Known
from parlour.protocol.codec import JSON, MAX_MESSAGE_SIZE, MSGPACK, BadFrame, Codec
from parlour.protocol.messages import Choices, ClientMessage, Ok, Play
from parlour.protocol.types import Pick, Step


def test_valid_messages_of_every_type_are_generated() -> None:
    """Each of them can be decoded, whatever its content, unless it is too large."""
    frames = FuzzedFrames(Random(1), MSGPACK, Known())
    messages = [frames.message() for _ in range(6_000)]
    sizes = [len(MSGPACK.encode(each)) for each in messages]
    messages = [each for each, size in zip(messages, sizes, strict=True) if size <= MAX_MESSAGE_SIZE]
    assert [MSGPACK.decode_client(MSGPACK.encode(each)) for each in messages] == messages
    assert {type(each) for each in messages} == set(ClientMessage.__args__)


@pytest.mark.parametrize("codec", [JSON, MSGPACK])
def test_some_frames_are_valid_and_some_are_not(codec: Codec) -> None:
    """Both kinds are common."""
    frames = FuzzedFrames(Random(1), codec, Known())
    valid = 0
    for _ in range(500):
        try:
            codec.decode_client(frames.any())
            valid += 1
        except BadFrame:
            pass
    assert 100 < valid < 400


def test_clients_use_what_the_server_has_told_them() -> None:
    """Commands concern rooms that exist, and turns that may be played are played."""
    frames = FuzzedFrames(Random(1), MSGPACK, Known())
    frames.heard(Ok(id=1, room="aB3dEf"))
    frames.heard(Choices(room="aB3dEf", ply=4, step=Step(0, (Pick(7, then=Step(0, (9,))),)), prompts=("Pick",)))
    played = [each for _ in range(3_000) if isinstance(each := frames.message(), Play)]
    assert (4, (7, 9)) in [(each.ply, each.picks) for each in played]
    assert sum(each.room == "aB3dEf" for each in played) > len(played) / 2
