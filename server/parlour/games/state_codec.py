"""States as bytes, for snapshots and for other processes.

A state is plain msgpack, except that a set of cells may need more bits than an integer of msgpack has; such a number is
encoded as an extension type.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.msgpack import Ext

S = TypeVar("S", bound=Struct)

_encode = msgspec.msgpack.Encoder().encode

_WIDE_INT = 1
_WIDEST = (1 << 64) - 1


def encode_state(state: Struct) -> bytes:
    """Return the state as bytes; equal states have equal bytes."""
    try:
        return _encode(state)
    except OverflowError:
        return _encode(_narrowed(msgspec.to_builtins(state)))


def decode_state(kind: type[S], data: bytes) -> S:
    """Return the state of that type from its bytes."""
    return msgspec.convert(msgspec.msgpack.decode(data, ext_hook=_widen), kind)


def _narrowed(value: object) -> object:
    """Return the value with every number that is too wide for msgpack replaced by an extension."""
    if isinstance(value, dict):
        return {key: _narrowed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_narrowed(item) for item in value]
    if isinstance(value, int) and value > _WIDEST:
        return Ext(_WIDE_INT, value.to_bytes((value.bit_length() + 7) // 8, "big"))
    return value


def _widen(code: int, data: memoryview) -> int:
    if code != _WIDE_INT:
        raise msgspec.ValidationError(f"extension type {code} is not used in states")
    return int.from_bytes(data, "big")
