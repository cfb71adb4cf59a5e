"""A probe talks to a server and remembers the messages it received."""

from __future__ import annotations

import pytest

from parlour.conform.codec import MSGPACK
from parlour.conform.probe import NotReached, RuleBroken, expect, expect_refused, needs
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Join, Ok, Pong, Refused


async def test_a_refusal_is_an_answer() -> None:
    """`ask` uses a new id each time and returns the answer to the command, even if it is a refusal."""
    async with ScriptedServer() as server:
        testbed = ServerTestbed(server.url, MSGPACK, "replica", 30.0)
        probe = await testbed.guest()
        answers = [await probe.ask(Join(id=0, room="nowhere")) for _ in range(2)]
        await testbed.close()
    assert [answer.code for answer in answers] == [ErrorCode.ROOM_UNKNOWN] * 2
    assert answers[0].id != answers[1].id


async def test_a_missing_message_breaks_the_rule() -> None:
    """If an expected message does not arrive in time, the rule is broken."""
    async with ScriptedServer() as server:
        testbed = ServerTestbed(server.url, MSGPACK, "replica", 0.2)
        probe = await testbed.open()
        with pytest.raises(RuleBroken, match=r"waited 0\.2 s for a pong"):
            await probe.wait(Pong, 0, "a pong")
        await testbed.close()


async def test_a_failed_preparation_is_no_verdict() -> None:
    """If a rule cannot be reached, it is not reported as broken."""

    async def fails() -> None:
        raise RuleBroken("no table")

    with pytest.raises(NotReached, match="no table"):
        await needs(fails())


def test_expectations() -> None:
    """A failed expectation breaks the rule, and the verdict states the reason."""
    expect(True, "never seen")
    expect_refused(Refused(code="not_in_room", text="", id=1), ErrorCode.NOT_IN_ROOM, "join")
    with pytest.raises(RuleBroken, match="join was answered by ok, not not_in_room"):
        expect_refused(Ok(id=1), ErrorCode.NOT_IN_ROOM, "join")
