"""Recovering missed updates: sync and reconnects."""

from __future__ import annotations

from parlour.conform.probe import NotReached, Probe, expect, needs
from parlour.conform.server_checks import check
from parlour.conform.table import Table
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.messages import Cursor, Moved, Ok, Play, Room, RoomEvent, Sync

WHOLE = "the whole room came instead of the updates"


@check("sync-missed")
async def sync_missed(testbed: ServerTestbed) -> str | None:
    table = await testbed.table()
    await _play_turns(table, 2)
    newest = table.replica.seq
    for missed in (1, 2):
        mark = table.me.mark()
        answer = await table.me.ask(Sync(id=0, room=table.room, epoch=table.replica.epoch, seq=newest - missed))
        if isinstance(answer, Room):
            expect(answer.seq >= newest, f"the room has seq {answer.seq}, and the newest is {newest}")
            return WHOLE
        expect(isinstance(answer, Ok), f"sync was answered by {answer}")
        came = _seqs(table.me, mark, table.room)
        expect(
            came == _following(newest - missed, newest, came),
            f"{newest - missed} was known, {newest} the newest, and {came} came",
        )
    return None


async def _play_turns(table: Table, turns: int) -> None:
    for _ in range(turns):
        await needs(table.play(table.me, await needs(table.turn())))
    await needs(table.turn())


def _seqs(probe: Probe, mark: int, room: str) -> list[int]:
    return [update.seq for update in probe.log[mark:] if isinstance(update, Moved | RoomEvent) and update.room == room]


def _following(known: int, newest: int, came: list[int]) -> list[int]:
    """Return the numbers that must follow a known one: up to the newest, and those of later events.

    An event is always possible, such as a player of the previous check who disconnects or returns.
    """
    return list(range(known + 1, max([newest, *came]) + 1))


@check("sync-current")
async def sync_current(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await _play_turns(table, 1)
    mark, newest = table.me.mark(), table.replica.seq
    answer = await table.me.ask(Sync(id=0, room=table.room, epoch=table.replica.epoch, seq=newest))
    expect(isinstance(answer, Ok), f"sync was answered by {answer}")
    came = _seqs(table.me, mark, table.room)
    expect(came == _following(newest, newest, came), f"{newest} was known and the newest, and {came} came")


@check("sync-whole")
async def sync_whole(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await needs(table.turn())
    before = table.replica
    answer = await table.me.ask(Sync(id=0, room=table.room, epoch=0, seq=0))
    expect(isinstance(answer, Room), f"sync with epoch 0 was answered by {answer}")
    expect(answer.seq >= before.seq, f"the room has seq {answer.seq}, and the newest is {before.seq}")
    expect(answer.scene == before.scene, "the scene is not the one that the updates have led to")
    expect(list(answer.moves) == before.moves, "the moves are not those that the updates have told")


@check("pong-cursors")
async def pong_standings(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await needs(table.turn())
    epoch, seq = table.replica.epoch, table.replica.seq
    pong = await needs(table.me.settle())
    told = [cursor for cursor in pong.rooms if cursor.room == table.room]
    expect(len(told) == 1, f"{table.room} is {len(told)} times among {list(pong.rooms)}")
    expect(told[0].epoch == epoch and told[0].seq >= seq, f"{epoch}:{seq} was known, and pong has {told[0]}")


@check("resume-missed")
async def resume_missed(testbed: ServerTestbed) -> str | None:
    table = await testbed.table()
    choices = await needs(table.turn())
    cursor = table.replica.cursor
    await needs(table.play(table.me, choices))
    if table.other is not None and table.replica.scene.to_move == 1 - table.seat:
        # The other player moves while this one is disconnected.
        await table.me.cut()
        await needs(table.play(table.other, await needs(table.choices(table.other))))
    return await _resume(testbed, table, cursor)


async def _resume(testbed: ServerTestbed, table: Table, cursor: Cursor) -> str | None:
    """Reconnect and check that exactly the updates after the cursor arrive."""
    table.me = await testbed.again(table.me, cursor)
    pong = await needs(table.me.settle())
    newest = max((known.seq for known in pong.rooms if known.room == table.room), default=None)
    if newest is None:
        raise NotReached("pong does not tell how far the room is")
    await table.me.until(lambda: table.replica.seq >= newest, f"all updates up to {newest}")
    rooms = table.me.since(0, Room, table.room)
    expect(len(rooms) <= 1, f"the whole room came {len(rooms)} times")
    known = rooms[0].seq if rooms else cursor.seq
    came = _seqs(table.me, 0, table.room)
    expect(came == _following(known, newest, came), f"{known} was known, {newest} the newest, and {came} came")
    return WHOLE if rooms else None


@check("resume-current")
async def resume_current(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await needs(table.turn())
    whole = await _resume(testbed, table, table.replica.cursor)
    expect(whole is None, "the whole room was sent though no update had been missed")
    moved = table.me.since(0, Moved, table.room)
    expect(not moved, f"{[update.seq for update in moved]} was sent though no update had been missed")


@check("resume-unanswered")
async def resume_unanswered(testbed: ServerTestbed) -> None:
    for answered in (False, True):
        table = await testbed.table()
        choices = await needs(table.turn())
        cursor = table.replica.cursor
        picks = await needs(table.walk(table.me, choices))
        turn = Play(id=next(table.me.ids), room=table.room, ply=choices.ply, picks=picks)
        if answered:
            await needs(table.me.repeat(turn))  # from here on, as if the answer had been lost
        else:
            await table.me.send(turn)
        table.me = await testbed.again(table.me, cursor)
        ok = await table.me.repeat(turn)
        expect(isinstance(ok, Ok), f"the turn was sent again and answered by {ok}")
        await table.beyond(turn.ply)
        await table.me.settle()
        came = [update.seq for update in table.me.since(0, Moved, table.room)]
        expect(came.count(ok.seq) <= 1, f"seq {ok.seq} came {came.count(ok.seq)} times")
        made = len(table.replica.moves) - turn.ply
        expect(table.other is None or made == 1, f"one turn made {made} moves")
