"""Messages as they go onto the wire: encoded once, with the WebSocket header, for any number of peers."""

from __future__ import annotations

import msgspec

from parlour.protocol.codec import LARGEST_FROM_CLIENT, MSGPACK, Codec
from parlour.protocol.messages import CommandId, Message, Moved

TEXT, BINARY = 0x81, 0x82  # the first byte of a final frame


def _head(first: int, length: int) -> bytes:
    """What stands before so many bytes of an unmasked frame."""
    if length < 126:
        return bytes((first, length))
    if length < 0x10000:
        return b"%c\x7e%b" % (first, length.to_bytes(2, "big"))
    return b"%c\x7f%b" % (first, length.to_bytes(8, "big"))


# For nearly all frames, by their length.
_TEXT, _BINARY = (tuple(_head(first, length) for length in range(1024)) for first in (TEXT, BINARY))


def framed(codec: Codec, message: Message | Moved) -> bytes:
    """The complete WebSocket frame of a server that carries the message."""
    payload: bytes = codec.encode(message)
    length = len(payload)
    if length < 1024:
        return (_TEXT if codec.text else _BINARY)[length] + payload
    return _head(TEXT if codec.text else BINARY, length) + payload


def translated(frame: bytes, codec: Codec) -> bytes:
    """A frame that was made for `MSGPACK`, for peers that speak this form."""
    if codec is MSGPACK:
        return frame
    length = frame[1]
    payload = frame[2 if length < 126 else 4 if length == 126 else 10 :]
    return framed(codec, MSGPACK.decode_server(payload))


class Broadcast(dict[Codec, bytes]):
    """One message for many peers: the complete WebSocket frame by codec, made when it is first asked for."""

    __slots__ = ("message",)

    def __init__(self, message: Message | Moved) -> None:
        self.message = message

    def __missing__(self, codec: Codec) -> bytes:
        frame = self[codec] = framed(codec, self.message)
        return frame

    def frame(self, codec: Codec) -> bytes:
        """The frame for peers that speak this form."""
        return self[codec]


class _Numbered(msgspec.Struct):
    id: CommandId | None = None


_numbered_text = msgspec.json.Decoder(_Numbered)
_numbered_binary = msgspec.msgpack.Decoder(_Numbered)


def command_id(codec: Codec, frame: bytes | str) -> int | None:
    """The command id in a frame that is refused unread, if there is one. Cheap: nothing but the id is kept."""
    if len(frame) > LARGEST_FROM_CLIENT:
        return None
    try:
        if codec.text:
            return _numbered_text.decode(frame).id
        return _numbered_binary.decode(frame.encode() if isinstance(frame, str) else frame).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
