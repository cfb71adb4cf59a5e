"""Frames that are not messages, or not messages that the server knows."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from parlour.conform.codec import CODECS
from parlour.conform.probe import expect, needs
from parlour.conform.server_checks import check
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.codec import Codec
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Join, Ping, Pong, Room, Welcome


@check("message-unknown")
async def message_unknown(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    mark = probe.mark()
    await probe.send({"t": "juggle", "id": 7001, "balls": 3})
    await probe.refused(mark, ErrorCode.MESSAGE_UNKNOWN, 7001, "an unknown message")
    await probe.stays("an unknown message")


@check("fields-unknown")
async def fields_unknown(testbed: ServerTestbed) -> None:
    probe = await testbed.open()
    await probe.send({"t": "hello", "client": "parlour conform", "mood": {"very": ["fine", 1, None]}})
    await probe.wait(Welcome, 0, "welcome after hello with an unknown field")
    await probe.send({"t": "ping", "n": 5, "colour": "green"})
    await probe.wait(Pong, 0, "pong after ping with an unknown field")


@check("frame-malformed")
async def frame_malformed(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    for what, frame in _no_messages(testbed.codec):
        mark = probe.mark()
        await probe.send_frame(frame)
        await probe.refused(mark, ErrorCode.REQUEST_MALFORMED, None, what)
    await probe.stays("frames that are no messages")


def _no_messages(codec: Codec) -> list[tuple[str, bytes]]:
    encode = codec.encode
    return [
        ("an empty frame", b""),
        ("a frame of random bytes", b"{?" if codec.text else b"\xc1"),
        ("half a message", encode(Ping(5))[:-1]),
        ("a message and more", encode(Ping(5)) * 2),
        ("a very deep frame", b"[" * 5000 if codec.text else b"\x91" * 5000),
        ("a number", encode(17)),
        ("an array", encode(["ping", 5])),
        ("a map without a name", encode({"n": 5})),
        ("a name that is a number", encode({"t": 5})),
    ]


@check("field-malformed")
async def field_malformed(testbed: ServerTestbed) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("join without a room", {"t": "join", "id": 7001}),
        ("join with a number as room", {"t": "join", "id": 7002, "room": 5}),
        ("join with a room of no characters", {"t": "join", "id": 7003, "room": ""}),
        ("queue with a text as terms", {"t": "queue", "id": 7004, "terms": "replica"}),
        ("play with a negative ply", {"t": "play", "id": 7005, "room": "any", "ply": -1, "picks": [0]}),
        ("play with texts as picks", {"t": "play", "id": 7006, "room": "any", "ply": 0, "picks": ["a1"]}),
        ("say with a text of 281 characters", {"t": "say", "id": 7007, "room": "any", "text": "x" * 281}),
    ]
    probe = await testbed.guest()
    for what, message in wrong:
        mark = probe.mark()
        await probe.send(message)
        await probe.refused(mark, ErrorCode.REQUEST_MALFORMED, message["id"], what)
    mark = probe.mark()
    await probe.send_frame(testbed.codec.encode({"t": "join", "id": "one", "room": "any"}))
    await probe.refused(mark, ErrorCode.REQUEST_MALFORMED, None, "join with a text as id")
    await probe.stays("messages with wrong fields")


@check("too-large")
async def too_large(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    assert probe.welcome is not None
    largest = probe.welcome.max_message_size

    def ping(padding: int) -> bytes:
        frame: bytes = testbed.codec.encode({"t": "ping", "n": 5, "padding": "x" * padding})
        return frame

    padding = largest - len(ping(0))
    while len(ping(padding)) > largest:
        padding -= 1
    mark = probe.mark()
    await probe.send_frame(ping(padding))
    await probe.wait(Pong, mark, f"pong after a message of {len(ping(padding))} bytes")
    mark = probe.mark()
    await probe.send_frame(ping(padding + 1))
    await probe.refused(mark, ErrorCode.REQUEST_TOO_LARGE, None, f"a message of {len(ping(padding + 1))} bytes")
    await probe.stays("a message that is too large")


@check("both-subprotocols")
async def both_forms(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    choices = await needs(table.turn())
    rooms: list[Room] = []
    spectators = []
    for codec in CODECS.values():
        spectator = await testbed.guest(codec)
        room = await spectator.ask(Join(id=0, room=table.room))
        expect(isinstance(room, Room), f"{codec.subprotocol}: join was answered by {room}")
        rooms.append(replace(room, id=None, spectators=0))
        spectators.append(spectator)
    expect(rooms[0] == rooms[1], f"one room in two codecs: {rooms[0]} and {rooms[1]}")
    played = await needs(table.play(table.me, choices))
    moved = [await spectator.told(table.room, played.seq) for spectator in spectators]
    expect(moved[0] == moved[1], f"one move in two codecs: {moved[0]} and {moved[1]}")
