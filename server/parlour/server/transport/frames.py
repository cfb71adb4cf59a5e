"""Messages as they go onto the wire: encoded once, with the WebSocket header, for any number of peers."""

from __future__ import annotations

import msgspec

from parlour.protocol.codec import LARGEST_FROM_CLIENT, Codec
from parlour.protocol.messages import CommandId, Message, Moved

# The first two bytes of a final, unmasked frame with up to 125 bytes, by kind and length.
_TEXT = tuple(bytes((0x81, length)) for length in range(126))
_BINARY = tuple(bytes((0x82, length)) for length in range(126))


def framed(codec: Codec, message: Message | Moved) -> bytes:
    """The complete WebSocket frame of a server that carries the message."""
    payload: bytes = codec.encode(message)
    length = len(payload)
    if length < 126:
        return (_TEXT if codec.text else _BINARY)[length] + payload
    first = 0x81 if codec.text else 0x82
    if length < 0x10000:
        return b"%c\x7e%b%b" % (first, length.to_bytes(2, "big"), payload)
    return b"%c\x7f%b%b" % (first, length.to_bytes(8, "big"), payload)


class Broadcast:
    """One message for many peers: encoded at most once in each form of the wire."""

    __slots__ = ("_binary", "_text", "message")

    def __init__(self, message: Message | Moved) -> None:
        self.message = message
        self._binary: bytes | None = None
        self._text: bytes | None = None

    def frame(self, codec: Codec) -> bytes:
        """The complete WebSocket frame for peers that speak this form."""
        if codec.text:
            if self._text is None:
                self._text = framed(codec, self.message)
            return self._text
        if self._binary is None:
            self._binary = framed(codec, self.message)
        return self._binary


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
