"""Every message survives both encodings, and any other frame is refused."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import msgpack
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import NODEFAULT, Struct, inspect

from parlour.protocol.codec import CODECS, JSON, MAX_MESSAGE_SIZE, MSGPACK, BadFrame, Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    ClientMessage,
    Hello,
    Message,
    Moved,
    Ok,
    Ping,
    Play,
    Refused,
    Say,
    ServerMessage,
    name_of,
)

CLIENT_KINDS: tuple[type[Struct], ...] = get_args(ClientMessage)
SERVER_KINDS: tuple[type[Struct], ...] = get_args(ServerMessage)
KINDS = [pytest.param(kind, id=kind.__name__) for kind in (*CLIENT_KINDS, *SERVER_KINDS)]
BOTH = [pytest.param(codec, id=name) for name, codec in CODECS.items()]

RUN = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

# Integers that msgpack can represent.
LOWEST, HIGHEST = -(2**63), 2**64 - 1


# -- arbitrary values of every type in a message


def any_of(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.IntType(ge=ge, le=le, lt=lt):
            assert kind.gt is kind.multiple_of is None
            high = HIGHEST if le is None else le
            return st.integers(LOWEST if ge is None else ge, high if lt is None else lt - 1)
        case inspect.StrType(min_length=shortest, max_length=longest):
            return st.text(min_size=shortest or 0, max_size=min(longest or 40, 40))
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType(values=values):
            return st.sampled_from(sorted(values, key=str))
        case inspect.UnionType(types=types):
            return st.one_of(*(any_of(one) for one in types))
        case inspect.VarTupleType(item_type=item, min_length=shortest, max_length=longest):
            return st.lists(any_of(item), min_size=shortest or 0, max_size=min(longest or 3, 3)).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*(any_of(item) for item in items))
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(any_of(key), any_of(value), max_size=3)
        case inspect.StructType(cls=cls):
            return any_struct(cls)
    raise AssertionError(f"no messages are made of {kind}")


@cache
def any_struct(cls: type[Struct]) -> st.SearchStrategy[Any]:
    """Return a deferred strategy, because a step has picks and a pick has a step."""

    def build() -> st.SearchStrategy[Any]:
        shape = inspect.type_info(cls)
        assert isinstance(shape, inspect.StructType)
        required = {field.name: any_of(field.type) for field in shape.fields if field.required}
        optional = {field.name: any_of(field.type) for field in shape.fields if not field.required}
        given = st.fixed_dictionaries(required, optional=optional)
        return given.map(lambda fields: cls(**fields))

    return st.deferred(build)


def decode(codec: Codec, kind: type[Struct], frame: bytes) -> Struct:
    decoder = codec.decode_client if kind in CLIENT_KINDS else codec.decode_server
    message: Struct = decoder(frame)
    return message


# -- messages


@pytest.mark.parametrize("kind", KINDS)
@settings(RUN, max_examples=40)
@given(data=st.data())
def test_round_trip(kind: type[Struct], data: st.DataObject) -> None:
    """Every message survives a round trip in both encodings, and msgpack and msgspec yield the same bytes."""
    message = data.draw(any_struct(kind))

    packed = MSGPACK.encode(message)

    assert packed == msgpack.packb(msgspec.to_builtins(message))
    assert decode(MSGPACK, kind, packed) == message
    assert decode(JSON, kind, JSON.encode(message)) == message
    assert msgspec.json.decode(JSON.encode(message)) == msgpack.unpackb(packed, strict_map_key=False)


@pytest.mark.parametrize("kind", KINDS)
@settings(RUN, max_examples=10)
@given(data=st.data())
def test_unknown_fields_are_ignored(kind: type[Struct], data: st.DataObject) -> None:
    """An unknown field, or an unknown item at the end of an array, changes nothing."""
    message = data.draw(any_struct(kind))
    wire = msgspec.to_builtins(message)
    grown = [*wire, {"later": [1]}] if isinstance(wire, list | tuple) else {**wire, "later": {"more": [1, None]}}

    assert decode(MSGPACK, kind, msgpack.packb(grown) or b"") == message
    assert decode(JSON, kind, msgspec.json.encode(grown)) == message


def test_a_field_with_its_default_is_left_out() -> None:
    """Fields with their default value take no space."""
    assert MSGPACK.encode(Ping()) == bytes.fromhex("81a174a470696e67")
    assert JSON.encode(Hello()) == b'{"t":"hello"}'


def test_only_moved_is_an_array() -> None:
    """Every other message is a map with its name under “t”."""
    arrays = {kind for kind in (*CLIENT_KINDS, *SERVER_KINDS) if kind.__struct_config__.array_like}

    assert arrays == {Moved}
    assert all(issubclass(kind, Message) for kind in (*CLIENT_KINDS, *SERVER_KINDS) if kind is not Moved)


def test_names_of_messages_are_unique() -> None:
    """A name identifies one message, whichever side sends it."""
    tags = [name_of(kind) for kind in (*CLIENT_KINDS, *SERVER_KINDS)]

    assert len(set(tags)) == len(tags)


# -- frames that are not messages


@pytest.mark.parametrize("codec", BOTH)
@settings(RUN, max_examples=300)
@given(frame=st.one_of(st.binary(max_size=80), st.text(max_size=60).map(str.encode)))
def test_any_bytes(codec: Codec, frame: bytes) -> None:
    """Any bytes decode to a message or raise BadFrame, and no other error."""
    for decoder in (codec.decode_client, codec.decode_server):
        try:
            message = decoder(frame)
        except BadFrame as bad:
            assert bad.code in (ErrorCode.REQUEST_MALFORMED, ErrorCode.MESSAGE_UNKNOWN)
            assert bad.sentence.endswith(".")
            assert isinstance(bad.answer(), Refused)
        else:
            assert isinstance(message, (*CLIENT_KINDS, *SERVER_KINDS))


JUNK: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(LOWEST, HIGHEST), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["t", "id", "room", "ply", "x"]), inner, max_size=4),
    ),
    max_leaves=8,
)


@settings(RUN, max_examples=200)
@given(value=JUNK)
def test_any_value(value: Any) -> None:
    """A value that matches no message is malformed or unknown in both encodings."""
    for decoder, frame in (
        (MSGPACK.decode_client, msgpack.packb(value)),
        (MSGPACK.decode_server, msgpack.packb(value)),
        (JSON.decode_client, msgspec.json.encode(value)),
        (JSON.decode_server, msgspec.json.encode(value)),
    ):
        with pytest.raises(BadFrame):
            decoder(frame or b"")


@pytest.mark.parametrize("codec", BOTH)
@pytest.mark.parametrize("kind", KINDS)
@settings(RUN, max_examples=5)
@given(data=st.data())
def test_a_truncated_frame(codec: Codec, kind: type[Struct], data: st.DataObject) -> None:
    """A message that is truncated anywhere is malformed."""
    frame = codec.encode(data.draw(any_struct(kind)))
    cut = data.draw(st.integers(0, len(frame) - 1))
    decoder = codec.decode_client if kind in CLIENT_KINDS else codec.decode_server

    with pytest.raises(BadFrame) as refused:
        decoder(frame[:cut])

    assert refused.value.code == ErrorCode.REQUEST_MALFORMED


FIELDS = [
    pytest.param(kind, field.name, id=f"{kind.__name__}.{field.name}")
    for kind in CLIENT_KINDS
    for field in msgspec.structs.fields(kind)
]


@pytest.mark.parametrize(("kind", "field"), FIELDS)
@settings(RUN, max_examples=4)
@given(data=st.data())
def test_a_field_of_a_wrong_type(kind: type[Struct], field: str, data: st.DataObject) -> None:
    """A field of a wrong type is malformed; the refusal names the message and has the id of the command."""
    wire = msgspec.to_builtins(data.draw(any_struct(kind)))
    wire[field] = 1.5
    for codec, frame in ((MSGPACK, msgpack.packb(wire)), (JSON, msgspec.json.encode(wire))):
        with pytest.raises(BadFrame) as refused:
            codec.decode_client(frame or b"")

        bad = refused.value
        assert bad.code == ErrorCode.REQUEST_MALFORMED
        assert bad.sentence.startswith(f"{wire['t']}: ")
        assert bad.id == (None if field == "id" else wire.get("id"))


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.__name__) for kind in CLIENT_KINDS])
@settings(RUN, max_examples=4)
@given(data=st.data())
def test_a_missing_field(kind: type[Struct], data: st.DataObject) -> None:
    """A message without one of its required fields is malformed."""
    wire = msgspec.to_builtins(data.draw(any_struct(kind)))
    for field in msgspec.structs.fields(kind):
        if field.default is NODEFAULT and field.default_factory is NODEFAULT:
            less = {key: value for key, value in wire.items() if key != field.name}
            with pytest.raises(BadFrame) as refused:
                JSON.decode_client(msgspec.json.encode(less))

            assert refused.value.code == ErrorCode.REQUEST_MALFORMED
            assert f"`{field.name}`" in refused.value.sentence


@pytest.mark.parametrize("codec", BOTH)
@pytest.mark.parametrize("id", [0, 77, 2**53 - 1])
def test_an_unknown_message(codec: Codec, id: int) -> None:
    """A message that this side does not know is refused by name, and the refusal has the id of the command."""
    frame = codec.encode({"t": "teleport", "id": id, "to": "c4"})

    with pytest.raises(BadFrame) as refused:
        codec.decode_client(frame)

    sentence = "There is no message “teleport”."
    assert refused.value.answer() == Refused(code=ErrorCode.MESSAGE_UNKNOWN, text=sentence, id=id)


@pytest.mark.parametrize("codec", BOTH)
@pytest.mark.parametrize("id", [-1, 2**53, "7", 7.0, True, None, [7], {"7": 7}])
def test_an_unknown_message_with_a_bad_id(codec: Codec, id: Any) -> None:
    """An invalid command id is not returned."""
    with pytest.raises(BadFrame) as refused:
        codec.decode_client(codec.encode({"t": "teleport", "id": id}))

    assert refused.value.code == ErrorCode.MESSAGE_UNKNOWN
    assert refused.value.id is None


@pytest.mark.parametrize("codec", BOTH)
def test_deep_nesting(codec: Codec) -> None:
    """A frame with excessive nesting is malformed."""
    opening = b"\x91" if codec is MSGPACK else b"["
    for frame in (opening * MAX_MESSAGE_SIZE, opening * 5_000 + (b"\xc0" if codec is MSGPACK else b"]" * 5_000)):
        for decoder in (codec.decode_client, codec.decode_server):
            with pytest.raises(BadFrame) as refused:
                decoder(frame)

            assert refused.value.code == ErrorCode.REQUEST_MALFORMED


@pytest.mark.parametrize("codec", BOTH)
def test_the_largest_message(codec: Codec) -> None:
    """A client message may have exactly the maximum size and not one byte more, whatever it contains."""
    padding = MAX_MESSAGE_SIZE - len(codec.encode({"t": "ping", "x": "y" * 10_000})) + 10_000
    largest = codec.encode({"t": "ping", "x": "y" * padding})

    assert len(largest) == MAX_MESSAGE_SIZE
    assert codec.decode_client(largest) == Ping()
    with pytest.raises(BadFrame) as refused:
        codec.decode_client(largest + b" ")
    assert refused.value.code == ErrorCode.REQUEST_TOO_LARGE


@pytest.mark.parametrize("codec", BOTH)
def test_servers_may_say_more(codec: Codec) -> None:
    """The size limit applies to clients only."""
    long = Refused(code="x", text="y" * MAX_MESSAGE_SIZE)

    assert codec.decode_server(codec.encode(long)) == long


def test_text_frames() -> None:
    """JSON is decoded from text and from bytes alike, in any language."""
    said = Say(id=1, room="r", text="Viel Glück! 祝你好运 🎲")

    assert JSON.decode_client(JSON.encode(said).decode()) == said
    assert JSON.decode_server('{"t":"ok","id":3,"seq":7}') == Ok(id=3, seq=7)


def test_lengths_count_characters() -> None:
    """The limit of 280 counts characters, however many bytes they take."""
    said = Say(id=1, room="r", text="🎲" * 280)

    assert MSGPACK.decode_client(MSGPACK.encode(said)) == said
    with pytest.raises(BadFrame):
        MSGPACK.decode_client(MSGPACK.encode(Say(id=1, room="r", text="🎲" * 281)))


def test_numbers_are_whole() -> None:
    """1.0 is not accepted for 1 in either encoding."""
    for codec, frame in ((JSON, b'{"t":"ping","n":1.0}'), (MSGPACK, msgpack.packb({"t": "ping", "n": 1.0}))):
        with pytest.raises(BadFrame):
            codec.decode_client(frame or b"")


@pytest.mark.parametrize(
    "message",
    [
        '{"t":"play","id":1,"room":"x","ply":%s,"move":"a"}',
        '{"t":"play","id":1,"room":"x","ply":0,"picks":[%s]}',
        '{"t":"seek","id":1,"terms":{"game":"isaac","options":{"seed":%s}}}',
        '{"t":"seek","id":1,"terms":{"game":"isaac","clock":{"kind":"move","main":%s}}}',
        '{"t":"seek","id":1,"terms":{"game":"isaac"},"ratings":[0,%s]}',
    ],
)
@pytest.mark.parametrize("digits", [30, 4_300])
def test_numbers_are_bounded(message: str, digits: int) -> None:
    """A number that no program needs is refused before any part of the server calculates with it."""
    with pytest.raises(BadFrame) as refused:
        JSON.decode_client(message % ("9" * digits))
    assert (refused.value.code, refused.value.id) == (ErrorCode.REQUEST_MALFORMED, 1)


@pytest.mark.parametrize("codec", BOTH)
def test_the_order_of_fields_means_nothing(codec: Codec) -> None:
    """The name of a message may come last."""
    assert codec.decode_client(codec.encode({"ply": 3, "room": "r", "id": 9, "move": "c4", "t": "play"})) == Play(
        id=9, room="r", ply=3, move="c4"
    )
