"""Chat, offers, and the ways in which a game ends."""

from __future__ import annotations

from parlour.conform.probe import NotReached, expect, expect_refused, needs
from parlour.conform.server_checks import check
from parlour.conform.table import Table
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Join,
    Leave,
    Moved,
    Offer,
    Ok,
    Play,
    Resign,
    Room,
    RoomEvent,
    Said,
    Say,
)  # fmt: skip

LONGEST_GAME = 2000


@check("say")
async def say(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    text = "<b>Good luck</b> & have fun \N{SPARKLES}"
    ok = await table.me.ask(Say(id=0, room=table.room, text=text))
    expect(isinstance(ok, Ok), f"say was answered by {ok}")
    for probe in (table.me, table.other):
        if probe is not None:
            said = await probe.wait(Said, 0, "said", lambda said: said.room == table.room and "luck</b>" in said.text)
            expect(said.text == text, f"“{text}” has become “{said.text}”")


@check("leave")
async def leave(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await needs(table.play(table.me, await needs(table.turn())))
    ok = await table.me.ask(Leave(id=0, room=table.room))
    mark = table.me.mark()
    expect(isinstance(ok, Ok), f"leave was answered by {ok}")
    if table.other is not None and table.replica.scene.to_move == 1 - table.seat:
        await needs(table.play(table.other, await needs(table.choices(table.other))))
    room = await table.me.ask(Join(id=0, room=table.room))
    expect(isinstance(room, Room), f"join after leave was answered by {room}")
    expect(room.seat == table.seat, f"seat {table.seat} has become {room.seat} after leave and join")
    back = table.me.log.index(room)
    came = [update for update in table.me.log[mark:back] if isinstance(update, Moved | RoomEvent)]
    expect(not came, f"{came} came after leave")


@check("offer")
async def offer(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await needs(table.turn())
    mark = table.me.mark()
    ok = await table.me.ask(Offer(id=0, room=table.room, kind="draw"))
    expect(isinstance(ok, Ok), f"the offer of a draw was answered by {ok}")
    offered = await table.me.wait(RoomEvent, mark, "event", lambda update: update.kind == "offered")
    expect(offered.seq == ok.seq, f"the ok has seq {ok.seq}, the offer has {offered.seq}")
    expect((offered.seat, offered.offer) == (table.seat, "draw"), f"the offer was told as {offered}")
    if table.other is not None:
        await table.other.wait(RoomEvent, 0, "the offer", lambda update: update.seq == ok.seq)
        ok = await table.other.ask(AnswerOffer(id=0, room=table.room, kind="draw", accept=False))
        expect(isinstance(ok, Ok), f"the answer to the offer was answered by {ok}")
    # An opponent that the kit does not control may also accept.
    answered = await table.me.wait(
        RoomEvent, mark, "an answer to the offer", lambda update: update.kind in ("declined", "ended")
    )
    expect(table.other is None or answered.kind == "declined", "a declined draw has ended the game")


@check("nothing-offered")
async def nothing_offered(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await needs(table.turn())
    for yes in (True, False):
        answer = await table.me.ask(AnswerOffer(id=0, room=table.room, kind="draw", accept=yes))
        expect_refused(answer, ErrorCode.NOTHING_OFFERED, "the answer to no offer")


@check("abort")
async def abort(testbed: ServerTestbed) -> None:
    table = await testbed.new_table()
    ok = await table.me.ask(Abort(id=0, room=table.room))
    expect(isinstance(ok, Ok), f"abort was answered by {ok}")
    await _expect_ended(table, None, "aborted")
    await table.close()


async def _expect_ended(table: Table, winner: int | None, reason: str) -> None:
    for probe in (table.me, table.other):
        if probe is not None:
            ended = await probe.wait(RoomEvent, 0, "the result", lambda update: update.result is not None)
            result = ended.result
            assert result is not None
            expect(result.reason == reason, f"the reason is {result.reason}, not {reason}")
            expect(result.winner == winner, f"the winner is {result.winner}, not {winner}")


@check("too-late-to-abort")
async def too_late_to_abort(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    while len(table.replica.moves) < 2:
        await needs(table.play(table.me, await needs(table.turn())))
        await needs(table.turn())
    answer = await table.me.ask(Abort(id=0, room=table.room))
    expect_refused(answer, ErrorCode.TOO_LATE_TO_ABORT, f"abort after {len(table.replica.moves)} moves")


@check("resign")
async def resign(testbed: ServerTestbed) -> None:
    table = await testbed.new_table()
    ok = await table.me.ask(Resign(id=0, room=table.room))
    expect(isinstance(ok, Ok), f"resign was answered by {ok}")
    await _expect_ended(table, 1 - table.seat, "resigned")
    await table.close()


@check("whole-game")
async def whole_game(testbed: ServerTestbed) -> str:
    table = await testbed.new_table()
    while table.replica.scene.to_move is not None and len(table.replica.moves) < LONGEST_GAME:
        if table.replica.scene.to_move == table.seat:
            await table.play(table.me, await table.choices(table.me))
        else:
            await table.others_turn()
    moves = len(table.replica.moves)
    expect(moves < LONGEST_GAME, f"the game has not ended after {moves} moves")
    for probe in (table.me, table.other):
        if probe is not None:
            await probe.until(lambda: table.replica.result is not None, f"the result after {moves} moves")
    result = table.replica.result
    assert result is not None
    expect(result.winner in (None, 0, 1), f"the winner is {result.winner}")
    await table.close()
    return f"{moves} moves, {result.reason}"


@check("game-over")
async def game_over(testbed: ServerTestbed) -> None:
    table = await testbed.new_table()
    if not isinstance(await needs(table.me.ask(Resign(id=0, room=table.room))), Ok):
        raise NotReached("resigning does not end a game")
    answer = await table.me.ask(Play(id=0, room=table.room, ply=len(table.replica.moves), picks=(0,)))
    expect_refused(answer, ErrorCode.GAME_OVER, "a turn after the end")
    await table.close()
