"""Encodes and decodes messages for the two subprotocols.

`parlour.v1+msgpack` uses binary frames with MessagePack, `parlour.v1+json` text frames with the same messages as JSON.
Decoding raises only `BadFrame`, whatever is wrong with a frame. It is a refusal that can be sent back as it is.
"""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import ClientMessage, CommandId, Moved, Refused, ServerMap, ServerMessage, name_of

MAX_MESSAGE_SIZE = 16 * 1024

_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class BadFrame(Refusal):
    """A frame that is not a message. `id` is the command id, if the frame has a readable one."""

    def __init__(self, code: ErrorCode, sentence: str, id: int | None = None) -> None:
        super().__init__(code, sentence)
        self.id = id

    def answer(self) -> Refused:
        """Return the refusal to send back."""
        return Refused(code=self.code, text=self.sentence, id=self.id)


class Codec:
    """The encoding of one subprotocol. Use `MSGPACK` or `JSON`, or look one up in `CODECS` by its subprotocol."""

    def __init__(self, subprotocol: str, kind: Any, first_of_array: bytes) -> None:
        self.subprotocol = subprotocol
        self.text = kind is msgspec.json  # whether frames are text
        self.encode = kind.Encoder().encode
        self._client = kind.Decoder(ClientMessage)
        self._server = kind.Decoder(ServerMap)
        self._moved = kind.Decoder(Moved)
        self._anything = kind.Decoder()
        self._first_of_array = first_of_array

    def decode_client(self, frame: bytes | str) -> ClientMessage:
        """Return the message that a client sent. Raise `BadFrame` if there is none in the frame."""
        data = frame if type(frame) is bytes else _data(frame)
        if len(data) > MAX_MESSAGE_SIZE:
            raise too_large(len(data))
        try:
            message: ClientMessage = self._client.decode(data)
        except _FAULTS as fault:
            raise self._bad(data, fault, CLIENT_TAGS) from None
        return message

    def decode_server(self, frame: bytes | str) -> ServerMessage:
        """Return the message that a server sent. Raise `BadFrame` if there is none in the frame."""
        data = _data(frame)
        first = data.lstrip()[:1] if self.text else data[:1]
        decoder = self._moved if first and first in self._first_of_array else self._server
        try:
            message: ServerMessage = decoder.decode(data)
        except _FAULTS as fault:
            raise self._bad(data, fault, SERVER_TAGS) from None
        return message

    def _bad(self, data: bytes, fault: Exception, tags: frozenset[str]) -> BadFrame:
        try:
            value = self._anything.decode(data)
        except _FAULTS as unreadable:
            return not_encoded(self.subprotocol, unreadable)
        return not_a_message(value, fault, tags)


# -- what is wrong with a frame


def too_large(size: int) -> BadFrame:
    sentence = f"A message may have at most {MAX_MESSAGE_SIZE:,} bytes; this one has {size:,}."
    return BadFrame(ErrorCode.REQUEST_TOO_LARGE, sentence)


def not_encoded(subprotocol: str, fault: Exception) -> BadFrame:
    """The frame is not MessagePack, or not JSON."""
    return BadFrame(ErrorCode.REQUEST_MALFORMED, f"This is not {subprotocol.rpartition('+')[2]}: {_short(fault)}.")


def not_a_message(value: object, fault: Exception, tags: frozenset[str]) -> BadFrame:
    """The frame can be decoded, but its value is not one of the messages with these tags."""
    if not isinstance(value, dict) or not isinstance(value.get("t"), str):
        return BadFrame(ErrorCode.REQUEST_MALFORMED, "A message is a map with its name under “t”.")
    try:
        id: int | None = msgspec.convert(value.get("id"), CommandId)
    except msgspec.ValidationError:
        id = None
    if value["t"] not in tags:
        return BadFrame(ErrorCode.MESSAGE_UNKNOWN, f"There is no message “{_short(value['t'])}”.", id)
    return BadFrame(ErrorCode.REQUEST_MALFORMED, f"{value['t']}: {_short(fault)}.", id)


def _data(frame: bytes | str) -> bytes:
    """Return a frame as bytes. Lone surrogates become bytes that no decoder accepts."""
    return frame.encode(errors="surrogatepass") if isinstance(frame, str) else frame


def _short(text: object) -> str:
    """Return text from outside, short enough for a sentence."""
    return str(text)[:120]


def _tags(union: Any) -> frozenset[str]:
    return frozenset(name_of(kind) for kind in union.__args__)


CLIENT_TAGS = _tags(ClientMessage)
SERVER_TAGS = _tags(ServerMap)

# In msgpack an array of up to 15 items begins with one of these bytes, a longer one with 0xdc or 0xdd.
MSGPACK = Codec("parlour.v1+msgpack", msgspec.msgpack, bytes([*range(0x90, 0xA0), 0xDC, 0xDD]))
JSON = Codec("parlour.v1+json", msgspec.json, b"[")

CODECS = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
