"""The parts of an encoded tree of choices, for games that build theirs in one go.

A tree of hundreds of steps is built in a fraction of the time if recurring parts are encoded once and joined. `steps`,
`completes` and `half_turn` of the game define the tree. It is whole if it fits into `MOST_BYTES`; all branches of a
larger one are cut at the same depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from parlour.protocol.types import Pick, Step

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Step).decode

MOST_BYTES = 8192  # up to this size a tree is whole

NUMBERS = tuple(encode(number) for number in range(512))
NIL, FALSE, EMPTY = encode(None), encode(False), encode(())

_ARRAYS = tuple(encode((0,) * length)[:1] for length in range(16))
_NO_NOTE = encode("")
_STEP, _PICK, _LOOK = _ARRAYS[3], _ARRAYS[6], _ARRAYS[5]

# By place: the beginning of a pick that is followed by a step and `FALSE`; and picks behind which the tree is cut.
BEGINNINGS = tuple(_PICK + NUMBERS[place] + encode("") + encode("") + NIL for place in range(512))
CUTS = tuple(encode(Pick(place, more=True)) for place in range(512))


class EncodedTree(NamedTuple):
    """The choices of a player as a message has them."""

    step: bytes  # the first step, with those that follow, in msgpack
    prompts: tuple[str, ...]  # that the steps refer to


def beginning(length: int) -> bytes:
    """Return the header of an array of that length."""
    return _ARRAYS[length] if length < 16 else b"\xdc" + length.to_bytes(2, "big")


def array(items: Sequence[bytes]) -> bytes:
    """Return an array of encoded items."""
    return beginning(len(items)) + b"".join(items)


def step(prompt: int, picks: bytes, look: bytes = NIL) -> bytes:
    """Return a step with an encoded array of picks."""
    return _STEP + NUMBERS[prompt] + picks + look


def look(pieces: bytes, to_move: int | None, tallies: bytes = EMPTY, marks: bytes = EMPTY) -> bytes:
    """Return the look of the board at a step, with encoded arrays of stacks, tallies and marks."""
    return _LOOK + pieces + tallies + encode(to_move) + marks + _NO_NOTE
