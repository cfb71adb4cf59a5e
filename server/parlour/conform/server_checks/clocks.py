"""Clocks, the flag, and claims."""

from __future__ import annotations

import asyncio

from parlour.conform.probe import expect, expect_refused, needs
from parlour.conform.server_checks import check
from parlour.conform.server_checks.offers import both_moved, other_of
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Claim, Moved, Ok, Presence, Queue, RoomEvent
from parlour.protocol.types import Clock, Terms, TimeLeft

PATIENCE = 5.0  # seconds to wait for a claim; of a slower server only the refusal is checked


@check("clock", once=True)
async def clock(testbed: ServerTestbed) -> None:
    main, step = 60_000, 5_000
    table = await testbed.meet(Terms(testbed.terms.game, clock=Clock("fischer", main, step)))
    shown = list(table.replica.clocks)
    expect(shown == [TimeLeft(main), TimeLeft(main)], f"at the beginning the clocks show {shown}")
    expect(table.replica.room.terms.clock == Clock("fischer", main, step), "the terms of the room have another clock")
    await both_moved(table)
    for update in table.me.since(0, Moved, table.room):
        expect(update.clock is not None, "a move in a game with clocks has no clock")
        left = update.clock.main if isinstance(update.clock, TimeLeft) else update.clock or 0
        expect(main - step < left <= main + step, f"after the first move a clock of {main} ms shows {left} ms")
    await table.close()


@check("clock-invalid", once=True)
async def clock_invalid(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    for wrong in (Clock("sundial", 60_000), Clock("move", 0), Clock("byoyomi", 60_000, 10_000, 0)):
        answer = await probe.ask(Queue(id=0, terms=Terms(testbed.terms.game, clock=wrong)))
        expect_refused(answer, ErrorCode.CLOCK_INVALID, f"queue with the clock {wrong}")


@check("flag", once=True)
async def flag(testbed: ServerTestbed) -> None:
    table = await testbed.meet(Terms(testbed.terms.game, clock=Clock("move", 1000)))
    await both_moved(table)
    loser = table.replica.scene.to_move
    async with asyncio.timeout(testbed.timeout + 10):
        for probe in (table.me, other_of(table)):
            ended = await probe.wait(RoomEvent, 0, "the end by time", lambda event: event.result is not None)
            result = ended.result
            assert result is not None
            expect(result.reason == "flag", f"the time ran out, and the reason is {result.reason}")
            expect(loser is not None and result.winner == 1 - loser, f"seat {loser} ran out, seat {result.winner} wins")
    await table.close()


@check("claim-refused", once=True)
async def claim_refused(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    answer = await table.me.ask(Claim(id=0, room=table.room))
    expect_refused(answer, ErrorCode.CANNOT_CLAIM, "a claim against a connected opponent")
    await table.close()


@check("claim", once=True)
async def claim(testbed: ServerTestbed) -> str | None:
    table = await testbed.meet()
    await other_of(table).cut()
    gone = await table.me.wait(Presence, 0, "presence with claim_in", lambda shown: shown.claim_in is not None)
    wait = (gone.claim_in or 0) / 1000
    if wait > PATIENCE:
        expect_refused(await table.me.ask(Claim(id=0, room=table.room)), ErrorCode.CANNOT_CLAIM, "a claim too early")
        return f"a claim is possible after {wait:.0f} s, which the kit has not waited for"
    await asyncio.sleep(wait + 0.1)
    answer = await table.me.ask(Claim(id=0, room=table.room))
    expect(isinstance(answer, Ok), f"a claim after claim_in was answered by {answer}")
    ended = await needs(table.me.wait(RoomEvent, 0, "the result", lambda event: event.result is not None))
    result = ended.result
    assert result is not None
    expect((result.winner, result.reason) == (table.seat, "abandoned"), f"after a claim the result is {result}")
    return None
