"""The kit's own codec: the same messages as the server's, implemented with other libraries."""

from __future__ import annotations

import msgpack
import pytest

from parlour.conform import codec as kit
from parlour.protocol import codec as protocol
from parlour.protocol.codec import BadFrame
from parlour.protocol.messages import Moved
from publish.model import CLIENT_KINDS
from publish.samples import samples

PAIRS = [pytest.param(kit.MSGPACK, protocol.MSGPACK, id="msgpack"), pytest.param(kit.JSON, protocol.JSON, id="json")]


@pytest.mark.parametrize(("independent", "own"), PAIRS)
def test_both_codecs_agree_on_every_message(independent: kit.IndependentCodec, own: protocol.Codec) -> None:
    """Each codec reads what the other writes, and both write the same bytes."""
    for message in samples():
        frame = independent.encode(message)
        decode, decode_own = (
            (independent.decode_client, own.decode_client)
            if type(message) in CLIENT_KINDS
            else (independent.decode_server, own.decode_server)
        )
        assert frame == own.encode(message)
        assert decode(frame) == decode_own(frame) == message


def test_bytes_go_through_msgpack() -> None:
    """The kit writes the same bytes as the msgpack package."""
    (moved,) = [sample for sample in samples() if isinstance(sample, Moved)][:1]
    assert msgpack.unpackb(kit.MSGPACK.encode(moved))[:2] == [0, moved.room]


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x92\x00", b"\x81\xa1t\xa3fly", b"\x81\xa1t\xa4play", bytes(20_000)])
def test_both_codecs_refuse_alike(data: bytes) -> None:
    """Both codecs refuse a frame that is not a message with the same code."""
    codes = []
    for codec in (kit.MSGPACK, protocol.MSGPACK):
        with pytest.raises(BadFrame) as refused:
            codec.decode_client(data)
        codes.append(refused.value.code)
    assert codes[0] == codes[1]
