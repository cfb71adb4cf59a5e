"""Messages as WebSocket frames."""

from __future__ import annotations

import pytest

from parlour.protocol.codec import CODECS, JSON, MSGPACK, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Join, Ping, Pong, Refused
from parlour.server.connections.frames import Broadcast, RelayedBroadcast, command_id, encode_frame, translated


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
def test_a_broadcast_is_encoded_once_per_codec(codec: Codec) -> None:
    """The second connection is sent the same bytes."""
    broadcast = Broadcast(Pong(1))
    assert broadcast[codec] is broadcast[codec]
    assert broadcast[codec] == encode_frame(codec, Pong(1))
    assert broadcast[MSGPACK] != broadcast[JSON]


@pytest.mark.parametrize("codec", [MSGPACK, JSON])
def test_a_relayed_broadcast_is_the_same_in_both_codecs(codec: Codec) -> None:
    """Connections with another codec than the other node's receive the same message."""
    relayed = RelayedBroadcast(encode_frame(MSGPACK, Pong(1)))
    assert relayed[codec] == encode_frame(codec, Pong(1))


def test_frames_are_final_and_have_the_type_of_their_codec() -> None:
    """Binary for msgpack, text for JSON, never masked."""
    assert encode_frame(MSGPACK, Pong(1)) == b"\x82" + bytes((len(MSGPACK.encode(Pong(1))),)) + MSGPACK.encode(Pong(1))
    assert encode_frame(JSON, Pong(1)) == b"\x81" + bytes((len(JSON.encode(Pong(1))),)) + JSON.encode(Pong(1))


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
@pytest.mark.parametrize("length", [0, 200, 70_000])
def test_a_frame_can_be_translated_to_another_codec(codec: Codec, length: int) -> None:
    """Whatever its length, the result equals a frame encoded with that codec."""
    refused = Refused(code=ErrorCode.TRY_AGAIN, text="x" * length)
    assert translated(encode_frame(MSGPACK, refused), codec) == encode_frame(codec, refused)


@pytest.mark.parametrize(
    ("length", "head"),
    [
        (125, b"\x82\x7d"),
        (126, b"\x82\x7e\x00\x7e"),
        (65535, b"\x82\x7e\xff\xff"),
        (65536, b"\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00"),
    ],
)
def test_the_length_has_the_shortest_form(length: int, head: bytes) -> None:
    """As the WebSocket protocol demands."""
    text = next(
        "x" * n for n in range(length) if len(MSGPACK.encode(Refused(code=ErrorCode.TRY_AGAIN, text="x" * n))) == length
    )
    frame = encode_frame(MSGPACK, Refused(code=ErrorCode.TRY_AGAIN, text=text))
    assert frame[: len(head)] == head
    assert len(frame) == len(head) + length


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
def test_the_command_id_is_found_without_decoding_the_rest(codec: Codec) -> None:
    """Whatever else the message contains; a message without an id has none."""
    assert command_id(codec, codec.encode(Join(id=2**53 - 1, room="abc"))) == 2**53 - 1
    assert command_id(codec, codec.encode({"t": "unheard of", "id": 5, "x": [1, {"id": 7}]})) == 5
    assert command_id(codec, codec.encode(Ping(1))) is None
    for nonsense in ({"id": -1}, {"id": 2**53}, {"id": "5"}, {"id": None}, [5], 5):
        assert command_id(codec, codec.encode(nonsense)) is None
    for junk in (
        b"",
        b"\xc1",
        b"\xff\xff",
        b"\x91" * 10_000,
        b"[" * 10_000,
        codec.encode({"id": 5, "x": "x" * 20_000}),
    ):
        assert command_id(codec, junk) is None


def test_the_command_id_is_found_in_text() -> None:
    """Text frames are already decoded to strings, with either codec."""
    assert command_id(JSON, '{"t": "join", "id": 5}') == 5
    assert command_id(MSGPACK, "text") is None
