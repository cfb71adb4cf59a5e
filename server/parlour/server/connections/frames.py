"""WebSocket frames: outgoing messages encoded once for any number of connections, and headers of incoming frames."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from parlour.protocol.codec import MAX_MESSAGE_SIZE, MSGPACK, Codec
from parlour.protocol.messages import CommandId, Message, Moved, ServerMessage

TEXT, BINARY = 0x81, 0x82  # the first byte of an unfragmented frame
MASKED = 0x80  # in the second byte of every frame from a client


# -- outgoing


def _header(first: int, length: int) -> bytes:
    """Return the header of an unmasked frame with a payload of this length."""
    if length < 126:
        return bytes((first, length))
    if length < 0x10000:
        return b"%c\x7e%b" % (first, length.to_bytes(2, "big"))
    return b"%c\x7f%b" % (first, length.to_bytes(8, "big"))


# The headers of nearly all frames, by length.
_TEXT, _BINARY = (tuple(_header(first, length) for length in range(1024)) for first in (TEXT, BINARY))


def encode_frame(codec: Codec, message: Message | Moved) -> bytes:
    """Return the complete frame that carries a message."""
    payload: bytes = codec.encode(message)
    length = len(payload)
    if length < 1024:
        return (_TEXT if codec.text else _BINARY)[length] + payload
    return _header(TEXT if codec.text else BINARY, length) + payload


def translated(frame: bytes, codec: Codec) -> bytes:
    """Return a frame that was encoded with `MSGPACK`, encoded with another codec."""
    return frame if codec is MSGPACK else encode_frame(codec, decode_frame(frame))


def decode_frame(frame: bytes) -> ServerMessage:
    """Return the message in a frame that was encoded with `MSGPACK`."""
    length = frame[1]
    return MSGPACK.decode_server(frame[2 if length < 126 else 4 if length == 126 else 10 :])


class Broadcast(dict[Codec, bytes]):
    """One message for many connections: its frame by codec, encoded on first use."""

    __slots__ = ("message",)

    def __init__(self, message: Message | Moved) -> None:
        self.message = message

    def __missing__(self, codec: Codec) -> bytes:
        frame = self[codec] = encode_frame(codec, self.message)
        return frame


class RelayedBroadcast(Broadcast):
    """A message that another node has encoded, with `MSGPACK`."""

    __slots__ = ()

    def __init__(self, frame: bytes) -> None:
        self[MSGPACK] = frame

    def __missing__(self, codec: Codec) -> bytes:
        frame = self[codec] = translated(self[MSGPACK], codec)
        return frame


# -- incoming


class FrameHeader(NamedTuple):
    """The header of a complete frame from a client."""

    first: int  # its first byte: FIN and opcode
    payload: int  # where the payload starts; the four bytes before it are the mask
    end: int  # where the frame ends


class BadFrame(Exception):
    """The frame is not masked, or too large."""


def parse_header(data: bytes, start: int, largest: int) -> FrameHeader | None:
    """Return the header of the frame that starts there; None if the frame is incomplete. Raise BadFrame."""
    available = len(data) - start
    if available < 2:
        return None
    length = data[start + 1] - MASKED
    payload = start + 6
    if length == 126:
        payload = start + 8
        if payload > len(data):
            return None
        length = data[start + 2] << 8 | data[start + 3]
    elif length == 127:
        payload = start + 14
        if payload > len(data):
            return None
        length = int.from_bytes(data[start + 2 : start + 10], "big")
    if length < 0 or length > largest:
        raise BadFrame
    return FrameHeader(data[start], payload, payload + length) if payload + length <= len(data) else None


class _Numbered(msgspec.Struct):
    id: CommandId | None = None


_numbered_text = msgspec.json.Decoder(_Numbered)
_numbered_binary = msgspec.msgpack.Decoder(_Numbered)


def command_id(codec: Codec, payload: bytes | str) -> int | None:
    """Return the command id in a message that is refused without being decoded, if it has one. Cheap."""
    if len(payload) > MAX_MESSAGE_SIZE:
        return None
    try:
        if codec.text:
            return _numbered_text.decode(payload).id
        return _numbered_binary.decode(payload.encode() if isinstance(payload, str) else payload).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
