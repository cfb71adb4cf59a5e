"""Frames that no honest client sends, from a seeded generator: broken, oversized, mistyped, or valid but senseless."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parlour.protocol.codec import MAX_MESSAGE_SIZE, Codec
from parlour.protocol.messages import (
    Abort,
    Accept,
    AnswerOffer,
    Cancel,
    Challenge,
    ChooseFirst,
    Claim,
    ClientMessage,
    Create,
    Cursor,
    Explore,
    GetLeaderboard,
    GetRecord,
    Hello,
    Join,
    Leave,
    ListPlayers,
    Offer,
    Ping,
    Play,
    Queue,
    Resign,
    Say,
    Seek,
    Sync,
    WatchLobby,
)  # fmt: skip
from parlour.protocol.types import Clock, OptionValue, Terms

Frame = bytes | str

LARGEST_FRAME = 64 * 1024  # what is larger ends the connection

ODD_TEXTS = (
    "", " ", "\0", "\n\r\t", "a" * 5000, "١٢٣", "½", "Ⅷ", "𝟘", "é" * 300, "\u202eabc\u202c", "\ufeff", "\U0010ffff",
    "e\u0301" * 100, "<script>", "'; DROP TABLE", "{a}{b}", "*", "%s%n", "../../etc/passwd", "NaN", "-0", "0x10", "1e9",
    "a1-a1", "O-O", "{room}", "👩‍👩‍👧‍👦", "\x7f\x80\x9f", "__proto__", "t", "true",
)  # fmt: skip
ODD_NUMBERS = (
    -1, 0, 1, 2**31, 2**32 - 1, 2**53 - 1, 2**53, 2**63 - 1, 2**64 - 1, -(2**63), 0.5, -0.0, 1e308, float("inf"),
    float("nan"),
)  # fmt: skip


class Nonsense:
    """Generates frames for one codec. `rooms` are ids that exist; others are made up."""

    def __init__(self, rng: Random, codec: Codec, rooms: Sequence[str]) -> None:
        self.rng = rng
        self._codec = codec
        self._rooms = rooms
        self._id = 0
        self._kinds: list[Callable[[], Frame]] = [
            self.noise, self.broken, self.broken, self.mistyped, self.mistyped, self.mistyped, self.nested,
            self.shapeless, self.unknown, self.senseless, self.senseless,
        ]  # fmt: skip

    def any(self) -> Frame:
        """Return a frame of any kind that fits into a message."""
        return self.rng.choice(self._kinds)()

    # -- no messages

    def noise(self) -> Frame:
        """Return meaningless bytes."""
        return self._frame(self.rng.randbytes(self.rng.randrange(200)))

    def broken(self) -> Frame:
        """Return a message of which some bytes were changed, lost, or repeated."""
        data = bytearray(self._codec.encode(self.message()))
        for _ in range(self.rng.randint(1, 4)):
            at = self.rng.randrange(len(data) + 1)
            match self.rng.randrange(5):
                case 0:
                    data[at : at + 1] = self.rng.randbytes(1)
                case 1:
                    data[at:at] = self.rng.randbytes(self.rng.randint(1, 8))
                case 2:
                    del data[at : at + self.rng.randint(1, 4)]
                case 3:
                    data[at:at] = data[at : at + 16]
                case _:
                    del data[at:]
        return self._frame(bytes(data))

    def mistyped(self) -> Frame:
        """Return a message in which some value has the wrong type."""
        fields = self._fields()
        for _ in range(self.rng.randint(1, 2)):
            fields[self.rng.choice([*fields, "id", "extra"])] = self.odd_value()
        return self._encoded(fields)

    def nested(self) -> Frame:
        """Return a deeply nested value."""
        depth = self.rng.choice((5, 50, 500, 2_000, 8_000))
        if self._codec.text:
            opening, closing = self.rng.choice((("[", "]"), ('{"t":', "}"), ('{"t":"ping","n":[', "]}")))
            depth = min(depth, MAX_MESSAGE_SIZE // len(opening + closing) - 1)
            return opening * depth + (closing * depth if self.rng.random() < 0.5 else "")
        return self.rng.choice((b"\x91", b"\x81\xa1t", b"\xdd\x00\x00\x00\x01"))[:3] * min(depth, 5_000) + b"\xc0"

    def shapeless(self) -> Frame:
        """Return a value that is not a map with a tag."""
        value: Any = self.rng.choice(
            [None, True, 0, -1, 1.5, "hello", [], {}, [0, "room", 1, 2], {"t": 1}, {"t": None}, [[]]]
        )
        return self._encoded(value)

    def unknown(self) -> Frame:
        """Return a message that does not exist, or that only servers send."""
        names = ("welcome", "ok", "moved", "room", "Ping", "PLAY", "play ", "seek_gone", "", "x" * 300, "\0", "t")
        return self._encoded({"t": self.rng.choice(names), "id": self.id()})

    def oversized(self) -> Frame:
        """Return more bytes than a message may have, but fewer than a frame may."""
        size = self.rng.randint(MAX_MESSAGE_SIZE + 1, LARGEST_FRAME - 100)
        match self.rng.randrange(3):
            case 0:
                return self._frame(b"\x7f" * size)
            case 1:
                return self._encoded({"t": "say", "id": self.id(), "room": "x", "text": "a" * size})
            case _:
                return self._encoded({"t": "ping", "n": [self.id(), "a" * size]})

    # -- messages

    def senseless(self) -> Frame:
        """Return a readable message with arbitrary content."""
        return self._frame(self._codec.encode(self.message()))

    def message(self) -> ClientMessage:
        """Return any message of a client, of the right form."""
        rng, id, room = self.rng, self.id(), self.room()
        ply, picks = rng.choice((0, 1, 2, 50, 2**40)), tuple(rng.choices(range(130), k=rng.randrange(6)))
        text = rng.choice(ODD_TEXTS)[:100]
        options: list[dict[str, OptionValue]] = [
            {}, {}, {"size": 10**6}, {"layout": text}, {text: text}, {"seed": 2**60}, {"seed": True},
        ]  # fmt: skip
        terms = Terms(
            rng.choice(("replica", "isaac", "mapello", "mitsudomoe", "chess", "replica\0")),
            rng.choice(options),
            Clock(rng.choice(("none", "fischer", "byoyomi", "eternal")), rng.choice((0, 1, 60_000, 2**50)), 0, ply),
        )
        what = rng.choice(("draw", "takeback", "rematch"))
        messages: list[Callable[[], ClientMessage]] = [
            lambda: Hello("x", text or None, (Cursor(room, 1, ply),)),
            lambda: Ping(ply),
            lambda: WatchLobby(id=id),
            lambda: Seek(id=id, terms=terms),
            lambda: Cancel(id=id, seek=text[:30] or "x"),
            lambda: Accept(id=id, seek=text[:30] or "x"),
            lambda: Challenge(id=id, terms=terms, to=text[:30] or None, position=rng.choice((None, text, "8/8 w"))),
            lambda: Create(id=id, terms=terms, levels=(None, text)),
            lambda: Leave(id=id, room=room),
            lambda: Sync(id=id, room=room, epoch=rng.randrange(3), seq=ply),
            lambda: Play(id=id, room=room, ply=ply, move=text),
            lambda: Play(id=id, room=room, ply=ply, picks=picks),
            lambda: Play(id=id, room=room, ply=ply),
            lambda: Explore(id=id, room=room, ply=ply, picks=picks),
            lambda: ChooseFirst(id=id, room=room, go_first=True),
            lambda: Offer(id=id, room=room, kind=what),  # type: ignore[arg-type]  # one of the three
            lambda: AnswerOffer(id=id, room=room, kind=what, accept=True),  # type: ignore[arg-type]  # likewise
            lambda: Resign(id=id, room=room),
            lambda: Abort(id=id, room=room),
            lambda: Claim(id=id, room=room),
            lambda: GetRecord(id=id, room=room),
            lambda: GetLeaderboard(id=id, game=text[:30] or "x"),
            lambda: ListPlayers(id=id, after=text[:30]),
            lambda: Say(id=id, room=room, text=text or "x"),
            lambda: Join(id=id, room="no" + room),
            lambda: Queue(id=id, terms=msgspec.structs.replace(terms, game="chess")),
        ]
        return rng.choice(messages)()

    def id(self) -> int:
        """Return a command id: mostly a new one, sometimes one that was used before."""
        self._id += self.rng.random() < 0.9
        return self._id

    def room(self) -> str:
        return (
            self.rng.choice((*self._rooms, *self._rooms, "", "x" * 24, "x" * 25, "{a}", "\0", "a:b", "é"))[:24] or "x"
        )

    def odd_value(self) -> Any:
        rng = self.rng
        match rng.randrange(6):
            case 0:
                return rng.choice(ODD_TEXTS)
            case 1 | 2:
                # Only JSON has numbers of any size.
                return rng.choice((*ODD_NUMBERS, *(10**digits for digits in (20, 400, 4_000) if self._codec.text)))
            case 3:
                return rng.choice((None, True, False, [], {}, [[]], [None] * 50, {"a": {"b": {}}}))
            case 4:
                return [rng.choice(ODD_TEXTS), rng.choice((0, -1, 2**60)), None]
            case _:
                return {rng.choice(ODD_TEXTS): rng.choice(ODD_TEXTS)}

    # -- the wire

    def with_fields(self, fields: dict[str, Any]) -> Frame:
        """Return a message with some of its fields replaced."""
        return self._encoded({**self._fields(), **fields})

    def _encoded(self, value: Any) -> Frame:
        kind = msgspec.json if self._codec.text else msgspec.msgpack
        return self._frame(kind.encode(value))

    def _fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = msgspec.to_builtins(self.message())
        return fields

    def _frame(self, data: bytes) -> Frame:
        """Text must be text, or the connection ends."""
        return data.decode(errors="replace") if self._codec.text else data


def strange_fields(count: int) -> list[dict[str, Any]]:
    """Return fields for messages that Hypothesis generates; the same ones every time."""
    texts, numbers = st.text(max_size=40), st.integers(-(2**63), 2**64 - 1)
    leaves = st.none() | st.booleans() | numbers | st.floats() | texts
    values = leaves | st.lists(leaves, max_size=4) | st.dictionaries(texts, leaves, max_size=3)
    names = sorted({name for kind in ClientMessage.__args__ for name in kind.__struct_fields__})
    found: list[dict[str, Any]] = []

    @settings(
        max_examples=count, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.dictionaries(st.sampled_from(names), values, max_size=3))
    def collect(fields: dict[str, Any]) -> None:
        found.append(fields)

    collect()
    return found
