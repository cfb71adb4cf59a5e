"""The connection: subprotocol, hello, tokens, ping."""

from __future__ import annotations

from parlour.conform.probe import expect, needs
from parlour.conform.server_checks import check
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Hello, Ping, Pong, Queue


@check("subprotocol")
async def subprotocol(testbed: ServerTestbed) -> None:
    probe = await testbed.open()
    chosen = probe.socket.subprotocol
    expect(chosen == testbed.codec.subprotocol, f"{testbed.codec.subprotocol} was offered and {chosen} chosen")


@check("welcome")
async def welcome(testbed: ServerTestbed) -> None:
    probe = await testbed.open()
    greeting = await probe.hello()
    expect(bool(greeting.you.name), "the player has no name")
    expect(0 < len(greeting.token) <= 128, f"the token has {len(greeting.token)} characters, and hello takes 1 to 128")
    expect(bool(greeting.games), "no games are listed")
    expect(greeting.max_message_size >= 1024, f"the largest message is {greeting.max_message_size} bytes")


@check("token")
async def token(testbed: ServerTestbed) -> None:
    first = await testbed.guest()
    second = await testbed.again(first)
    assert first.welcome is not None
    assert second.welcome is not None
    before, after = first.welcome.you, second.welcome.you
    expect(before == after, f"first it was {before.name}, then {after.name}")


@check("session")
async def session(testbed: ServerTestbed) -> None:
    first = await testbed.guest()
    second = await testbed.again(first)
    expect(first.session_id == second.session_id, f"first it was {first.session_id}, then {second.session_id}")
    third = await testbed.twin(second)
    expect(third.session_id != second.session_id, f"two connections of one player have the session {third.session_id}")


@check("token-unknown")
async def token_unknown(testbed: ServerTestbed) -> None:
    probe = await testbed.open()
    await probe.send(Hello("parlour conform", "unknown token"))
    await probe.refused(0, ErrorCode.TOKEN_UNKNOWN, None, "hello with an unknown token")
    await probe.hello()


@check("hello-first")
async def hello_first(testbed: ServerTestbed) -> None:
    probe = await testbed.open()
    await probe.send(Queue(id=7, terms=testbed.terms))
    await probe.refused(0, ErrorCode.HELLO_FIRST, 7, "queue before hello")


@check("hello-once")
async def hello_once(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    mark = probe.mark()
    await probe.send(Hello("parlour conform"))
    await probe.refused(mark, ErrorCode.HELLO_FIRST, None, "a second hello")
    await probe.stays("a second hello")


@check("ping")
async def ping(testbed: ServerTestbed) -> None:
    probe = await needs(testbed.guest())
    for n in (17, 0, 2**40):
        mark = probe.mark()
        await probe.send(Ping(n))
        pong = await probe.wait(Pong, mark, f"pong after ping {n}")
        expect(pong.n == n, f"ping {n} was answered by pong {pong.n}")
