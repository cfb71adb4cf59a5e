"""No client can harm a server, or the games of others, by what it sends."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from itertools import count
from random import Random

from parlour.client.connection import Connection
from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Cancel,
    Challenge,
    ChooseFirst,
    Claim,
    ClientMessage,
    Explore,
    Hello,
    Join,
    Leave,
    Offer,
    Ok,
    Ping,
    Play,
    Pong,
    Queue,
    Refused,
    Resign,
    Room,
    Said,
    Say,
    Sync,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms
from parlour.server.matchmaking.reservations import MAX_SEEKS
from tests.e2e.attacker import WITHIN, Attacker
from tests.e2e.conftest import MakeServer
from tests.e2e.nonsense import Nonsense, strange_fields
from tests.e2e.paced_table import PacedTable
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers
from tests.server.connections.raw_client import BINARY, TEXT, RawClient, frame

MEBIBYTE = 1024 * 1024
LONGEST_BLOCK = 0.05  # seconds of work for which the event loop may be held up

TERMS = Terms("mapello")

# What a server on a public network has.
ORDINARY = ("--message-rate", "20", "--message-burst", "100")


async def blocks(server: ServerProcess) -> float:
    """Return how often the event loop was busy for longer than allowed, since the server started."""
    samples = await numbers(server)
    name = "parlour_event_loop_busy_seconds"
    return samples[f"{name}_count"] - samples[f'{name}_bucket{{le="{LONGEST_BLOCK}"}}']


def at_the_table(room: str, ply: int = 0) -> list[ClientMessage]:
    """Return every command with which a player could change a game, each with its own id."""
    return [
        Play(id=101, room=room, ply=ply, move="a1"),
        Play(id=102, room=room, ply=ply, picks=(0,)),
        ChooseFirst(id=103, room=room, go_first=True),
        Offer(id=104, room=room, kind="draw"),
        Offer(id=105, room=room, kind="takeback"),
        AnswerOffer(id=106, room=room, kind="draw", accept=True),
        Resign(id=107, room=room),
        Abort(id=108, room=room),
        Claim(id=109, room=room),
    ]


# -- everything at once


async def test_ten_thousand_bad_frames_disturb_no_game(make_server: MakeServer) -> None:
    """Each is answered as it must be on a connection that stays open, and a game beside them goes on.

    The server needs no more memory than before, and its event loop is never blocked.
    """
    server = make_server()
    await server.start()
    strange = strange_fields(250)
    refusals: Counter[str] = Counter()
    async with PacedTable(server) as table, AsyncExitStack() as stack:
        codecs = [JSON if number % 3 == 0 else MSGPACK for number in range(10)]
        sessions = [await stack.enter_async_context(Attacker.connect(server, codec)) for codec in codecs]
        # Some have games of their own, in which they may do what they like.
        tables = [await asyncio.gather(*(one.sit_down(TERMS) for one in sessions[at : at + 2])) for at in (0, 2)]
        known = [table.room, *(rooms[0].room for rooms in tables)]
        attackers = [(one, Nonsense(Random(number), one.codec, known)) for number, one in enumerate(sessions)]
        before = [one.sent for one in sessions]
        blocked, memory = await blocks(server), 0.0
        for part in range(25):
            fields = strange[part * 10 : part * 10 + 10]
            attacks = [
                attacker.attack(
                    [nonsense.any() for _ in range(28)]
                    + [nonsense.with_fields(each) for each in fields]
                    + [nonsense.oversized() for _ in range(2)]
                )
                for attacker, nonsense in attackers
            ]
            await asyncio.gather(*attacks, table.play_to(part + 1))
            # The first few make room for what is kept.
            memory = memory if part > 2 else (await numbers(server))["process_resident_memory_bytes"]
        assert (await numbers(server))["process_resident_memory_bytes"] - memory < 64 * MEBIBYTE
        assert await blocks(server) == blocked
        assert sum(one.sent for one in sessions) - sum(before) == 10_000
        for one in sessions:
            assert await one.is_there()
            refusals += one.refusals

        await table.finish()
        assert all(player.connection.connects == 1 for player in table.players)
    assert refusals.keys() > {
        "request_malformed", "message_unknown", "request_too_large", "room_unknown", "not_in_room", "hello_first",
        "invite_unknown", "record_unknown", "option_unknown",
    }  # fmt: skip
    assert refusals.total() > 9_000
    assert server.errors == []


# -- players


async def test_a_player_cannot_cheat(server: ServerProcess) -> None:
    """Commands out of turn, for another move, or against the rules are refused, and the game is unchanged."""
    async with Attacker.connect(server) as one, Attacker.connect(server, JSON) as two:
        rooms = await asyncio.gather(one.sit_down(TERMS), two.sit_down(TERMS))
        mover, waiter = (one, two) if rooms[0].seat == 0 else (two, one)
        room, ids = rooms[0].room, count(10)

        def plays(ply: int, *moves: str) -> list[Play]:
            return [Play(id=next(ids), room=room, ply=ply, move=move) for move in moves]

        def picks(ply: int, *picks: int) -> Play:
            return Play(id=next(ids), room=room, ply=ply, picks=picks)

        assert await waiter.codes(*plays(0, "a1", "e3", "", "x"), picks(0, 3)) == {"not_your_turn"}
        assert await waiter.codes(Explore(id=next(ids), room=room, ply=0, picks=())) == {"not_your_turn"}
        assert await mover.codes(*plays(1, "a1", "e3"), *plays(2**50, "a1"), picks(7, 3)) == {"stale_ply"}
        assert await mover.codes(Explore(id=next(ids), room=room, ply=1, picks=())) == {"stale_ply"}
        texts = plays(0, "", " ", "a1", "z9", "a0", "١٢", "a1 ", "A1", "a1a1", "x" * 128, "♜", "\0")
        assert await mover.codes(*texts) <= {"move_malformed", "move_illegal"}
        bad_picks = [picks(0), picks(0, 0), picks(0, 9999), picks(0, *range(32))]
        assert await mover.codes(*bad_picks) == {"move_illegal"}
        assert await mover.codes(Play(id=next(ids), room=room, ply=0), picks(0, 2**63)) == {"request_malformed"}
        for player in (mover, waiter):
            assert await player.codes(
                Claim(id=next(ids), room=room),
                AnswerOffer(id=next(ids), room=room, kind="draw", accept=True),
                Offer(id=next(ids), room=room, kind="takeback"),
                Offer(id=next(ids), room=room, kind="rematch"),
                ChooseFirst(id=next(ids), room=room, go_first=True),
            ) == {"cannot_claim", "nothing_offered", "offer_refused"}

        (whole,) = await waiter.send(Sync(id=next(ids), room=room, epoch=0, seq=0))
        assert isinstance(whole, Room)
        assert (whole.moves, whole.scene, whole.status) == ((), rooms[0].scene, "playing")
    assert server.errors == []


async def test_a_stranger_cannot_touch_a_game(server: ServerProcess) -> None:
    """Clients outside the room are refused, spectators cannot play, and the players notice neither."""
    async with PacedTable(server) as table, Attacker.connect(server) as stranger:
        await table.play_to(3)
        before = max(player.replica.seq for player in table.players)  # the mover knows it first
        commands = at_the_table(table.room, ply=3)
        say, sync = Say(id=1, room=table.room, text="Hi"), Sync(id=2, room=table.room, epoch=0, seq=0)
        assert await stranger.codes(*commands, say, sync) == {"not_in_room"}
        assert await stranger.codes(*at_the_table("nowhere")) == {"room_unknown"}

        await stranger.send(Join(id=3, room=table.room))
        assert await stranger.codes(*commands) == {"not_a_player"}
        assert await stranger.codes(Explore(id=4, room=table.room, ply=3, picks=())) == {"not_your_turn"}
        await stranger.send(Leave(id=5, room=table.room))
        assert await stranger.codes(*commands) == {"not_in_room"}

        for player in table.players:
            answer = await player.connection.call(Sync(id=0, room=table.room, epoch=1, seq=before))
            assert isinstance(answer, Ok)
            assert answer.seq == before  # nothing has happened meanwhile
        await table.finish()
    assert server.errors == []


async def test_a_stranger_cannot_withdraw_an_invitation(server: ServerProcess) -> None:
    """An invitation is still open after others have tried to withdraw it."""
    async with Attacker.connect(server) as host, Attacker.connect(server) as stranger:
        (made,) = await host.send(Challenge(id=1, terms=Terms("replica")))
        assert isinstance(made, Ok)
        assert made.seek is not None
        assert await stranger.codes(Cancel(id=1, seek=made.seek)) == {"seek_gone"}
        assert await host.send(Cancel(id=2, seek=made.seek)) == [Ok(id=2)]


# -- identities


async def test_a_forged_token_is_refused(server: ServerProcess) -> None:
    """Only the exact token is accepted: no part of it, nothing similar, and no name."""
    async with Connection([server.url], name="Ada") as ada, Attacker.connect(server, greet=False) as stranger:
        async with asyncio.timeout(WITHIN):
            while ada.welcome is None:
                await ada.news.get()
        token = ada.welcome.token
        forged = [
            "", " ", token[:-1], token[1:], token + " ", token + "A", token.swapcase(), token[::-1], token + "\0",
            "Ada", "ada", "*", "guest", "😀", "x" * 128,
            *(token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :] for at in range(len(token))),
        ]  # fmt: skip
        await stranger.try_tokens(*forged)
        assert stranger.refusals == {"token_unknown": len(forged)}

        welcome = await stranger.greet(Hello("x", name="Ada"))
        assert welcome.you.name != "Ada"  # a name is no identity either
        assert welcome.token != token
    assert server.errors == []


async def test_replayed_messages_of_others_have_no_effect(server: ServerProcess) -> None:
    """A stranger who repeats a player's messages, ids included, is answered separately and changes nothing."""
    async with PacedTable(server) as table:
        await table.play_to(6)
        mover = next(player for player in table.players if 0 in player.acknowledged)
        captured = [
            Play(id=mover.oks[ply].id, room=table.room, ply=ply, picks=picks)
            for ply, picks in mover.acknowledged.items()
        ]
        async with Attacker.connect(server) as stranger:
            assert await stranger.codes(*captured, *captured) == {"not_in_room"}
            await stranger.send(Join(id=captured[0].id, room=table.room))
            assert await stranger.codes(*captured, *captured) == {"not_a_player"}

        # The player is sent the same answers as before, on any connection of the session.
        welcome = mover.connection.welcome
        assert welcome is not None
        async with Attacker.connect(server, greet=False) as player:
            await player.greet(Hello("x", welcome.token, session=welcome.session))
            await player.send(Join(id=1, room=table.room))
            again = await player.send(*captured, *captured)
            assert again == [mover.oks[play.ply] for play in captured] * 2
            (whole,) = await player.send(Sync(id=2, room=table.room, epoch=0, seq=0))
            assert isinstance(whole, Room)
            assert len(whole.moves) == 6
        await table.finish()
    assert server.errors == []


# -- too much


async def test_a_flooding_client_is_closed(make_server: MakeServer) -> None:
    """Over the rate messages are refused, far over it the connection is closed with 4002; others do not notice."""
    server = make_server(*ORDINARY)
    await server.start()
    async with PacedTable(server) as table:
        blocked = await blocks(server)
        client = await RawClient.open(server.port)
        await client.send(frame(BINARY, MSGPACK.encode(Hello())))
        await client.message()
        await client.send(frame(BINARY, MSGPACK.encode(Ping(7))) * 1_000)
        answers: Counter[object] = Counter()
        while (data := await client.frame())[0] == BINARY:
            message = MSGPACK.decode_server(data[1])
            answers[message.code if isinstance(message, Refused) else message] += 1
        client.close()

        assert int.from_bytes(data[1][:2], "big") == CloseCode.FLOOD
        assert set(answers) == {Pong(7), "too_fast"}
        assert answers[Pong(7)] >= 99  # one of the hundred was hello
        assert answers["too_fast"] == 200
        samples = await numbers(server)
        assert samples['parlour_incidents_total{kind="flood"}'] == 1
        assert samples['parlour_refusals_total{code="too_fast"}'] == 200
        assert await blocks(server) == blocked
        await table.play_to(4)
        assert all(player.connection.connects == 1 for player in table.players)
    assert server.errors == []


async def test_protocol_violations_end_the_connection(server: ServerProcess) -> None:
    """They are answered with the prescribed close code, and affect no other connection."""
    bad = {
        "too large": (frame(BINARY, b"x" * (64 * 1024 + 1)), CloseCode.TOO_LARGE),
        "no text": (frame(TEXT, b"\xff\xfe"), 1007),
        "no opcode": (frame(0x3, b"x"), 1002),
        "no mask": (frame(BINARY, b"x", masked=False), 1002),
        "compressed": (frame(BINARY, b"x", reserved=0x40), 1002),
    }
    async with Attacker.connect(server) as other:
        for name, (data, code) in bad.items():
            client = await RawClient.open(server.port)
            await client.send(data)
            assert await client.closing() == code, name
            client.close()
            assert await other.is_there()
    assert server.errors == []


async def test_a_client_without_hello_is_closed(make_server: MakeServer) -> None:
    """It is closed with 4000; one that sends nonsense instead is refused until then."""
    server = make_server("--hello-timeout", "0.3")
    await server.start()
    async with Attacker.connect(server, greet=False) as silent, Attacker.connect(server, greet=False) as rude:
        assert await rude.codes(*at_the_table("nowhere")) == {"hello_first"}
        assert await silent.closed() == await rude.closed() == CloseCode.NO_HELLO


async def test_a_talkative_client_is_refused(make_server: MakeServer) -> None:
    """Twenty lines a minute are shown, the rest is refused; repeating a line does not show it again."""
    server = make_server(unlimited=False)
    await server.start()
    async with PacedTable(server) as table, Attacker.connect(server) as talker, Attacker.connect(server) as listener:
        for session in (talker, listener):
            await session.send(Join(id=1, room=table.room))
        lines = [Say(id=10 + number, room=table.room, text=f"Line {number}") for number in range(30)]
        answers = await talker.send(*lines)
        assert answers[:20] == [Ok(id=line.id) for line in lines[:20]]
        assert {answer.code for answer in answers[20:] if isinstance(answer, Refused)} == {"too_much_chat"}
        assert await talker.send(*lines[:20]) == answers[:20]

        assert await listener.send(Say(id=2, room=table.room, text="Quiet, please.")) == [Ok(id=2)]
        heard = [message.text for message in listener.news if isinstance(message, Said)]
        assert heard == [*(line.text for line in lines[:20]), "Quiet, please."]


async def test_open_seeks_are_limited(server: ServerProcess) -> None:
    """One connection cannot have any number of places in queues and of open invitations."""
    async with Attacker.connect(server) as greedy:
        clocks = [Clock("fischer", 60_000 + 1_000 * number, 1_000) for number in range(300)]
        queued = await greedy.send(*(Queue(id=1 + n, terms=Terms("replica", clock=c)) for n, c in enumerate(clocks)))
        invited = await greedy.send(*(Challenge(id=1_000 + n, terms=TERMS) for n in range(300)))
        for answers in (queued, invited):
            refused = [answer.code for answer in answers if isinstance(answer, Refused)]
            assert refused == ["limit_reached"] * (300 - MAX_SEEKS)


# -- too much work


async def test_costly_questions_do_not_block_the_server(server: ServerProcess) -> None:
    """Many expensive requests at once do not keep other clients waiting."""
    async with Attacker.connect(server) as one, Attacker.connect(server) as two:
        rooms = await asyncio.gather(one.sit_down(Terms("isaac")), two.sit_down(Terms("isaac")))
        mover, room = one if rooms[0].seat == 0 else two, rooms[0].room
        blocked = await blocks(server)
        await mover.send(*(Explore(id=100 + number, room=room, ply=0, picks=()) for number in range(40)))
        await mover.send(*(Sync(id=200 + number, room=room, epoch=0, seq=0) for number in range(40)))
        await mover.send(*(Join(id=300 + number, room=room) for number in range(40)))
        assert await blocks(server) == blocked


async def test_many_floods_at_once_are_cut_short(make_server: MakeServer) -> None:
    """Of ten connections that send 12,000 messages each, all at once, each is closed after the first few hundred."""
    server = make_server(*ORDINARY)
    await server.start()
    clients = [await RawClient.open(server.port) for _ in range(10)]
    for client in clients:
        await client.send(frame(BINARY, MSGPACK.encode(Hello())))
        await client.message()
    flood = frame(BINARY, MSGPACK.encode(Ping(7))) * 12_000
    await asyncio.gather(*(client.send(flood) for client in clients), return_exceptions=True)
    for client in clients:
        assert await client.closing() in (CloseCode.FLOOD, 1006)
        client.close()
    samples = await numbers(server)
    assert samples['parlour_incidents_total{kind="flood"}'] == len(clients)
    assert samples['parlour_refusals_total{code="too_fast"}'] < 1_000 * len(clients)
    assert server.errors == []
