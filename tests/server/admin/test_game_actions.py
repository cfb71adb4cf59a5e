"""What an operator does with games goes through their logs."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Offer, Ok, RoomEvent, Say
from parlour.protocol.types import Terms
from parlour.server.admin.game_actions import GameActions
from parlour.server.rooms.events import Closed, Ended, decode
from tests.server.admin.conftest import ORDER, Nodes
from tests.server.running_node import Caller

ISAAC = Terms("isaac")


async def result_heard(caller: Caller) -> tuple[int | None, str]:
    """Return the winner and the reason of the game that ends."""
    event = await caller.hears(RoomEvent, lambda event: event.kind == "ended")
    assert event.result is not None
    return event.result.winner, event.result.reason


async def test_a_game_is_adjudicated(nodes: Nodes, games: GameActions) -> None:
    """Players on another node see the result, which is an event of the log; a game that is over keeps its result."""
    _, south = nodes
    first, second = await south.call(), await south.call()
    room = await south.table(ISAAC, first, second)
    await games.adjudicate(ORDER, room, 1)
    assert await result_heard(first) == await result_heard(second) == (1, "adjudicated")
    events = [decode(entry) for _, entry in await south.store.room_log.tail(room, 0)]
    assert any(isinstance(event, Ended) and event.result.winner == 1 for event in events)
    with pytest.raises(Refusal) as refused:
        await games.abort(ORDER, room)
    assert refused.value.code is ErrorCode.GAME_OVER
    assert [entry.action for entry in await south.store.audit.newest(10)] == ["adjudicate"]


async def test_a_game_is_aborted(nodes: Nodes, games: GameActions) -> None:
    """It has no result, and its room stays open for a rematch."""
    _, south = nodes
    first, second = await south.call(), await south.call()
    room = await south.table(ISAAC, first, second)
    await games.abort(ORDER, room)
    assert await result_heard(first) == (None, "cancelled")
    assert isinstance(await first.ask(Offer(id=0, room=room, kind="rematch")), Ok)


async def test_a_room_is_closed(nodes: Nodes, games: GameActions) -> None:
    """Its game is cancelled, and it accepts neither commands nor chat. Closing it again changes nothing."""
    _, south = nodes
    first, second = await south.call(), await south.call()
    room = await south.table(ISAAC, first, second)
    await games.close(ORDER, room)
    await games.close(ORDER, room)
    await first.hears(RoomEvent, lambda event: event.kind == "closed")
    assert await first.code(Offer(id=0, room=room, kind="rematch")) == ErrorCode.GAME_OVER
    assert await first.code(Say(id=0, room=room, text="hello")) == ErrorCode.GAME_OVER
    events = [decode(entry) for _, entry in await south.store.room_log.tail(room, 0)]
    assert sum(isinstance(event, Closed) for event in events) == 1


async def test_an_unknown_room_is_refused(games: GameActions) -> None:
    """There is nothing to act on, and nothing in the audit log."""
    with pytest.raises(Refusal) as refused:
        await games.abort(ORDER, "nowhere")
    assert refused.value.code is ErrorCode.ROOM_UNKNOWN
