"""Messages as frames."""

from __future__ import annotations

import pytest

from parlour.protocol.codec import CODECS, JSON, MSGPACK, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Join, Ping, Pong, Refused
from parlour.server.transport.frames import Broadcast, command_id, framed, translated


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
def test_a_broadcast_is_encoded_once_in_each_form(codec: Codec) -> None:
    """The second peer gets the very same bytes."""
    broadcast = Broadcast(Pong(1))
    assert broadcast.frame(codec) is broadcast.frame(codec)
    assert broadcast.frame(codec) == framed(codec, Pong(1))
    assert broadcast.frame(MSGPACK) != broadcast.frame(JSON)


def test_frames_are_final_and_of_the_kind_of_their_form() -> None:
    """Binary for msgpack, text for JSON, never masked."""
    assert framed(MSGPACK, Pong(1)) == b"\x82" + bytes((len(MSGPACK.encode(Pong(1))),)) + MSGPACK.encode(Pong(1))
    assert framed(JSON, Pong(1)) == b"\x81" + bytes((len(JSON.encode(Pong(1))),)) + JSON.encode(Pong(1))


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
@pytest.mark.parametrize("length", [0, 200, 70_000])
def test_a_frame_can_be_said_in_another_form(codec: Codec, length: int) -> None:
    """Whatever its length, it is the frame that would have been made for that form."""
    refused = Refused(code=ErrorCode.TRY_AGAIN, text="x" * length)
    assert translated(framed(MSGPACK, refused), codec) == framed(codec, refused)


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
    """As WebSockets demand."""
    text = next(
        "x" * n for n in range(length) if len(MSGPACK.encode(Refused(code=ErrorCode.TRY_AGAIN, text="x" * n))) == length
    )
    frame = framed(MSGPACK, Refused(code=ErrorCode.TRY_AGAIN, text=text))
    assert frame[: len(head)] == head
    assert len(frame) == len(head) + length


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
def test_the_id_of_a_command_is_found_without_reading_the_rest(codec: Codec) -> None:
    """Whatever else is in it; a message without one has none."""
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


def test_the_id_is_found_in_text_as_it_comes() -> None:
    """Text frames are texts by then, under either form."""
    assert command_id(JSON, '{"t": "join", "id": 5}') == 5
    assert command_id(MSGPACK, "text") is None
