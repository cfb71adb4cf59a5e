"""Close codes."""

from __future__ import annotations

import contextlib

from parlour.conform.probe import NotApplicable, RuleBroken, expect
from parlour.conform.server_checks import check
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Ping, Pong, Refused

LONGEST_HELLO = 60.0  # seconds
MUCH_LARGER = 64  # times the largest message
FLOOD = 3000  # messages


@check("no-hello", once=True)
async def no_hello(testbed: ServerTestbed) -> None:
    probe = await testbed.open()
    code = await probe.closed_by_server(LONGEST_HELLO, "it was opened, without hello")
    expect(code == CloseCode.NO_HELLO, f"a connection without hello was closed with {code}")


@check("much-too-large", once=True)
async def much_too_large(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    assert probe.welcome is not None
    padding = "x" * (probe.welcome.max_message_size * MUCH_LARGER)
    with contextlib.suppress(RuleBroken):  # it may be closed while the frame is on its way
        await probe.send_frame(testbed.codec.encode({"t": "ping", "n": 5, "padding": padding}))
    code = await probe.closed_by_server(testbed.timeout, f"a message of {len(padding)} bytes")
    expect(code in (CloseCode.TOO_LARGE, 1006), f"after a message of {len(padding)} bytes the code was {code}")


@check("flood", once=True)
async def flood(testbed: ServerTestbed) -> str | None:
    probe = await testbed.guest()
    try:
        for n in range(FLOOD):
            await probe.send(Ping(n))
        await probe.until(lambda: len(probe.since(0, Pong)) + len(probe.since(0, Refused)) >= FLOOD, "the answers")
    except RuleBroken:
        code = await probe.closed_by_server(testbed.timeout, f"{FLOOD} messages at once")
        expect(code == CloseCode.FLOOD, f"after {FLOOD} messages at once the connection was closed with {code}")
        return None
    refused = probe.since(0, Refused)
    if not refused:
        raise NotApplicable(f"the server has no limit of messages that {FLOOD} reach")
    codes = {each.code for each in refused}
    expect(codes == {ErrorCode.TOO_FAST}, f"messages over the limit were refused with {', '.join(sorted(codes))}")
    return None
