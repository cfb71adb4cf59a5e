"""Acknowledged commands survive a kill of the server. The user's command kills and restarts it."""

from __future__ import annotations

from typing import NamedTuple

from parlour.conform.probe import NotApplicable, NotReached, expect, needs
from parlour.conform.server_checks import check
from parlour.conform.server_checks.offers import both_moved
from parlour.conform.table import Table
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.messages import Join, Ok, Play, Resign, Room


class Restarted(NamedTuple):
    """The state that was acknowledged before the server was killed, with connections that are open again."""

    running: Table
    turn: Play  # the last turn that was acknowledged
    ok: Ok
    finished: Table


async def _restarted(testbed: ServerTestbed) -> Restarted:
    """Play, kill the server right after an acknowledgement, and come back."""
    if testbed.restart is None:
        raise NotApplicable("give --restart COMMAND to check this")
    await testbed.leave()
    finished, running = await testbed.meet(), await testbed.meet()
    for table in (finished, running):
        await both_moved(table)
    choices = await needs(running.turn())
    picks = await needs(running.walk(running.me, choices))
    turn = Play(id=next(running.me.ids), room=running.room, ply=choices.ply, picks=picks)
    await needs(finished.me.ask(Resign(id=0, room=finished.room)))
    ok = await needs(running.me.repeat(turn))
    if not isinstance(ok, Ok):
        raise NotReached(f"a turn from the choices was answered by {ok}")
    testbed.transcript.add(0, "kit", "the server is killed and restarted")
    await testbed.restart()
    for table in (finished, running):
        table.me = await testbed.returned(table.me)
    return Restarted(running, turn, ok, finished)


async def _joined(table: Table) -> Room:
    room = await table.me.ask(Join(id=0, room=table.room))
    expect(isinstance(room, Room), f"after a restart join was answered by {room}")
    assert isinstance(room, Room)
    return room


@check("restart-player", once=True)
async def restart_player(testbed: ServerTestbed) -> None:
    after = await _restarted(testbed)
    room = await _joined(after.running)
    expect(room.seat == after.running.seat, f"after a restart seat {after.running.seat} has become {room.seat}")


@check("restart-turn", once=True)
async def restart_turn(testbed: ServerTestbed) -> None:
    after = await _restarted(testbed)
    room = await _joined(after.running)
    made = len(room.moves)
    expect(made > after.turn.ply, f"turn {after.turn.ply} was acknowledged, and after a restart there are {made} moves")


@check("restart-repeat", once=True)
async def restart_repeat(testbed: ServerTestbed) -> None:
    after = await _restarted(testbed)
    answer = await after.running.me.repeat(after.turn)
    expect(isinstance(answer, Ok), f"a turn sent again after a restart was answered by {answer}")
    room = await _joined(after.running)
    made = len(room.moves) - after.turn.ply
    expect(made == 1, f"one turn, sent again after a restart, made {made} moves")


@check("restart-result", once=True)
async def restart_result(testbed: ServerTestbed) -> None:
    after = await _restarted(testbed)
    room = await _joined(after.finished)
    result = room.result
    expect(result is not None and result.reason == "resigned", f"after a restart the result is {result}")
