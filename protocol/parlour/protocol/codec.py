"""Messages to bytes and back, in the two forms of the wire.

`parlour.v1+msgpack` sends binary frames with msgpack, `parlour.v1+json` text frames with the same messages as JSON.
Whatever is wrong with a frame, decoding raises one thing: `BadFrame`, a refusal that can be sent back as it is.
"""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import ClientMessage, CommandId, Moved, Refused, ServerMap, ServerMessage, name_of

LARGEST_FROM_CLIENT = 16 * 1024

_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class BadFrame(Refusal):
    """A frame that is no message. `id` is the command id, if one could be found in it."""

    def __init__(self, code: ErrorCode, sentence: str, id: int | None = None) -> None:
        super().__init__(code, sentence)
        self.id = id

    def answer(self) -> Refused:
        return Refused(code=self.code, text=self.sentence, id=self.id)


class Codec:
    """One form of the wire. Use `MSGPACK` or `JSON`, or find one in `CODECS` by its subprotocol."""

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
        """The message a client sent."""
        data = frame if type(frame) is bytes else _data(frame)
        if len(data) > LARGEST_FROM_CLIENT:
            sentence = f"A message may have {LARGEST_FROM_CLIENT:,} bytes; this one has {len(data):,}."
            raise BadFrame(ErrorCode.REQUEST_TOO_LARGE, sentence)
        try:
            message: ClientMessage = self._client.decode(data)
        except _FAULTS as fault:
            raise self._bad(data, fault, CLIENT_TAGS) from None
        return message

    def decode_server(self, frame: bytes | str) -> ServerMessage:
        """The message a server sent."""
        data = _data(frame)
        first = data.lstrip()[:1] if self.text else data[:1]
        decoder = self._moved if first and first in self._first_of_array else self._server
        try:
            message: ServerMessage = decoder.decode(data)
        except _FAULTS as fault:
            raise self._bad(data, fault, SERVER_TAGS) from None
        return message

    def _bad(self, data: bytes, fault: Exception, tags: frozenset[str]) -> BadFrame:
        """What to say about a frame that did not fit any message."""
        try:
            found = self._anything.decode(data)
        except _FAULTS as broken:
            kind = self.subprotocol.rpartition("+")[2]
            return BadFrame(ErrorCode.REQUEST_MALFORMED, f"This is not {kind}: {_short(broken)}.")
        if not isinstance(found, dict) or not isinstance(found.get("t"), str):
            return BadFrame(ErrorCode.REQUEST_MALFORMED, "A message is a map with its name under “t”.")
        try:
            id: int | None = msgspec.convert(found.get("id"), CommandId)
        except msgspec.ValidationError:
            id = None
        if found["t"] not in tags:
            return BadFrame(ErrorCode.MESSAGE_UNKNOWN, f"There is no message “{_short(found['t'])}”.", id)
        return BadFrame(ErrorCode.REQUEST_MALFORMED, f"{found['t']}: {_short(fault)}.", id)


def _data(frame: bytes | str) -> bytes:
    """A text frame as bytes; lone surrogates become what no decoder accepts."""
    return frame.encode(errors="surrogatepass") if isinstance(frame, str) else frame


def _short(text: object) -> str:
    """Foreign text that is good for a sentence."""
    return str(text)[:120]


def _tags(union: Any) -> frozenset[str]:
    return frozenset(name_of(kind) for kind in union.__args__)


CLIENT_TAGS = _tags(ClientMessage)
SERVER_TAGS = _tags(ServerMap)

# In msgpack an array of up to 15 items begins with one of these bytes, a longer one with 0xdc or 0xdd.
MSGPACK = Codec("parlour.v1+msgpack", msgspec.msgpack, bytes([*range(0x90, 0xA0), 0xDC, 0xDD]))
JSON = Codec("parlour.v1+json", msgspec.json, b"[")

CODECS = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
