"""Takebacks, agreed draws, rematches, who moves first, and two connections of one player."""

from __future__ import annotations

from typing import Any

from parlour.conform.probe import NotApplicable, NotReached, Probe, RuleBroken, TooShort, expect, expect_refused, needs
from parlour.conform.server_checks import check
from parlour.conform.table import Table
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    AnswerOffer,
    Choices,
    ChooseFirst,
    Join,
    Moved,
    Offer,
    Ok,
    Play,
    Presence,
    Resign,
    Room,
    RoomEvent,
)
from parlour.protocol.types import Terms


def other_of(table: Table) -> Probe:
    """Return the second player of a table that has one."""
    if table.other is None:
        raise NotReached("the kit does not have both seats")
    return table.other


async def told(table: Table, kind: str) -> RoomEvent:
    """Return the next event of a kind, which both players must get."""
    events = [
        await probe.wait(RoomEvent, 0, kind, lambda event: event.room == table.room and event.kind == kind)
        for probe in (table.me, other_of(table))
    ]
    expect(events[0] == events[1], f"the players were told {events[0]} and {events[1]}")
    return events[0]


async def moved(table: Table, probe: Probe) -> Choices:
    """Let the player who has the move play it. Return the choices that there were."""
    choices = await needs(table.choices(probe))
    await needs(table.play(probe, choices))
    return choices


async def both_moved(table: Table) -> None:
    """Play until both players have moved."""
    movers: set[int | None] = set()
    while not {0, 1} <= movers:
        to_move = table.replica.scene.to_move
        if to_move is None:
            raise TooShort("the game ended too early")
        movers.add(to_move)
        ply = len(table.replica.moves)
        await moved(table, table.me if to_move == table.seat else other_of(table))
        await table.beyond(ply)


@check("takeback", once=True)
async def takeback(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    await both_moved(table)
    await needs(table.turn())
    before, plies = table.replica.scene, len(table.replica.moves)
    await moved(table, table.me)
    if table.replica.scene.to_move is None:
        raise TooShort("the game ended too early")
    answer = await table.me.ask(Offer(id=0, room=table.room, kind="takeback"))
    expect(isinstance(answer, Ok), f"the offer of a takeback was answered by {answer}")
    await needs(other_of(table).wait(RoomEvent, 0, "the offer", lambda event: event.kind == "offered"))
    answer = await other_of(table).ask(AnswerOffer(id=0, room=table.room, kind="takeback", accept=True))
    expect(isinstance(answer, Ok), f"the answer to a takeback was answered by {answer}")
    event = await told(table, "taken_back")
    expect(event.plies == plies, f"{plies} moves should remain, and the event says {event.plies}")
    after = table.replica.scene
    expect(after.pieces == before.pieces and after.to_move == before.to_move, "the scene is not the earlier one")
    mark = table.me.log.index(event)
    again = await table.me.wait(Choices, mark, "choices after the takeback", lambda choices: choices.ply == plies)
    await table.play(table.me, again)
    await table.close()


@check("offer-refused", once=True)
async def offer_refused(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    for kind in ("takeback", "rematch"):
        answer = await table.me.ask(Offer(id=0, room=table.room, kind=kind))
        expect_refused(answer, ErrorCode.OFFER_REFUSED, f"the offer of a {kind} before the first move")
    await table.close()


@check("withdrawn", once=True)
async def withdrawn(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    await needs(table.me.ask(Offer(id=0, room=table.room, kind="draw")))
    answer = await table.me.ask(AnswerOffer(id=0, room=table.room, kind="draw", accept=False))
    expect(isinstance(answer, Ok), f"withdrawing an offer was answered by {answer}")
    await told(table, "withdrawn")
    await table.close()


@check("draw", once=True)
async def draw(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    await needs(table.me.ask(Offer(id=0, room=table.room, kind="draw")))
    answer = await other_of(table).ask(AnswerOffer(id=0, room=table.room, kind="draw", accept=True))
    expect(isinstance(answer, Ok), f"the answer to a draw was answered by {answer}")
    ended = await told(table, "ended")
    result = ended.result
    expect(result is not None and (result.winner, result.reason) == (None, "agreed"), f"the result is {result}")
    await table.close()


@check("rematch", once=True)
async def rematch(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    await needs(table.me.ask(Resign(id=0, room=table.room)))
    await needs(table.me.ask(Offer(id=0, room=table.room, kind="rematch")))
    answer = await other_of(table).ask(AnswerOffer(id=0, room=table.room, kind="rematch", accept=True))
    expect(isinstance(answer, Ok), f"the answer to a rematch was answered by {answer}")
    following = (await told(table, "rematch")).next
    expect(following is not None and following != table.room, f"the next room is {following}")
    room = await table.me.ask(Join(id=0, room=following or table.room))
    expect(isinstance(room, Room), f"join of the rematch was answered by {room}")
    expect(room.seat == 1 - table.seat, f"seat {table.seat} has become {room.seat} in the rematch")
    expect(room.status != "over", "the rematch is over")
    await table.me.ask(Resign(id=0, room=following or table.room))
    await table.close()


def _own_layout(testbed: ServerTestbed, probe: Probe) -> Terms:
    """Return terms with a board of the player's own, in games in which the other player then chooses who begins."""
    assert probe.welcome is not None
    for card in probe.welcome.games:
        for option in card.options if card.key == testbed.terms.game else ():
            if (
                option.kind == "layout"
                and option.layout is not None
                and not any(piece.low for piece in option.layout.pieces)
            ):
                return Terms(testbed.terms.game, {option.key: option.layout.blank})
    raise NotApplicable(f"players of {testbed.terms.game} cannot design the board")


async def _choosing(testbed: ServerTestbed) -> Table:
    table = await testbed.meet(_own_layout(testbed, await testbed.guest()))
    if table.replica.status != "choosing":
        raise RuleBroken(f"a player has designed the board, and the status of the room is {table.replica.status}")
    return table


@check("choose-first", once=True)
async def choose_first(testbed: ServerTestbed) -> None:
    for go_first in (True, False):
        table = await _choosing(testbed)
        chooser = table.replica.chooser
        expect(chooser == 1 - table.seat, f"seat {table.seat} designed the board, and seat {chooser} is to choose")
        answer = await table.me.ask(ChooseFirst(id=0, room=table.room, go_first=True))
        expect_refused(answer, ErrorCode.OFFER_REFUSED, "choose_first by the player who designed the board")
        answer = await other_of(table).ask(ChooseFirst(id=0, room=table.room, go_first=go_first))
        expect(isinstance(answer, Ok), f"choose_first was answered by {answer}")
        await told(table, "started")
        seat = other_of(table).replicas[table.room].seat
        expect(seat == (0 if go_first else 1), f"go_first was {go_first}, and the player has seat {seat}")
        table.seat = table.replica.seat if table.replica.seat is not None else table.seat
        await table.close()


@check("not-started", once=True)
async def not_started(testbed: ServerTestbed) -> None:
    table = await _choosing(testbed)
    for probe in (table.me, other_of(table)):
        answer = await probe.ask(Play(id=0, room=table.room, ply=0, picks=(0,)))
        expect_refused(answer, ErrorCode.GAME_NOT_STARTED, "a turn before it was chosen who moves first")
    await table.close()


@check("two-connections", once=True)
async def two_connections(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    twin = await testbed.twin(table.me)
    room = await twin.ask(Join(id=0, room=table.room))
    expect(isinstance(room, Room), f"join on a second connection was answered by {room}")
    expect(room.seat == table.seat, f"on a second connection seat {table.seat} has become {room.seat}")
    await needs(table.turn())
    played = await needs(table.play(twin, await table.choices(twin)))
    for probe in (table.me, twin, other_of(table)):
        await probe.wait(Moved, 0, "the turn of the other connection", lambda update: update == played)
    await table.me.stays("a second connection of the player")
    await twin.close()
    await table.close()


@check("presence", once=True)
async def presence(testbed: ServerTestbed) -> None:
    table = await testbed.meet()
    twin = await testbed.twin(table.me)
    await needs(twin.settle())
    await twin.cut()
    await needs(table.me.settle())
    other = other_of(table)
    await needs(other.settle())

    def gone(probe: Probe, kind: str) -> list[Any]:
        return [event for event in probe.since(0, RoomEvent, table.room) if event.kind == kind]

    expect(not gone(other, "disconnected"), "a player with another connection was called disconnected")
    cursor = table.replica.cursor
    await table.me.cut()
    event = await other.wait(RoomEvent, 0, "disconnected", lambda event: event.kind == "disconnected")
    expect(event.seat == table.seat, f"seat {table.seat} was cut, and seat {event.seat} called disconnected")
    await other.wait(Presence, 0, "presence without the player", lambda shown: not shown.online[table.seat])
    table.me = await testbed.again(table.me, cursor)
    event = await other.wait(RoomEvent, 0, "reconnected", lambda event: event.kind == "reconnected")
    expect(event.seat == table.seat, f"seat {table.seat} is back, and seat {event.seat} called reconnected")
    await table.close()
