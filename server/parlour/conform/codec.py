"""The two subprotocols as the kit reads and writes them: with `msgpack` and `json` instead of the server's own codec.

An error in the server's codec would go unnoticed if the kit made the same one. The message classes only check the
structure of what these libraries have decoded.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec

from parlour.protocol import codec as protocol
from parlour.protocol.codec import CLIENT_TAGS, MAX_MESSAGE_SIZE, SERVER_TAGS, Codec
from parlour.protocol.messages import ClientMessage, Moved, ServerMap, ServerMessage


class IndependentCodec(Codec):
    """The same messages and the same refusals as the codec it replaces, with another library for the bytes."""

    def __init__(self, replaced: Codec, pack: Callable[[Any], bytes], unpack: Callable[[bytes], Any]) -> None:
        self.subprotocol = replaced.subprotocol
        self.text = replaced.text
        self.encode = lambda message: pack(msgspec.to_builtins(message))
        self._unpack = unpack

    def decode_client(self, frame: bytes | str) -> ClientMessage:
        """Return the message that a client sent. Raise `BadFrame` if there is none in the frame."""
        data = _bytes(frame)
        if len(data) > MAX_MESSAGE_SIZE:
            raise protocol.too_large(len(data))
        message: ClientMessage = self._decode(data, ClientMessage, CLIENT_TAGS)
        return message

    def decode_server(self, frame: bytes | str) -> ServerMessage:
        """Return the message that a server sent. Raise `BadFrame` if there is none in the frame."""
        message: ServerMessage = self._decode(_bytes(frame), ServerMap, SERVER_TAGS)
        return message

    def _decode(self, data: bytes, kind: Any, tags: frozenset[str]) -> Any:
        try:
            value = self._unpack(data)
        except (ValueError, RecursionError, msgpack.UnpackException) as fault:
            raise protocol.not_encoded(self.subprotocol, fault) from None
        try:
            return msgspec.convert(value, Moved if isinstance(value, list) and kind is ServerMap else kind)
        except msgspec.ValidationError as fault:
            raise protocol.not_a_message(value, fault, tags) from None


def _bytes(frame: bytes | str) -> bytes:
    return frame.encode(errors="surrogatepass") if isinstance(frame, str) else frame


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


MSGPACK = IndependentCodec(protocol.MSGPACK, msgpack.packb, msgpack.unpackb)
JSON = IndependentCodec(protocol.JSON, _json, json.loads)

CODECS = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
