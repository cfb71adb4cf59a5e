"""A table as one screen has it: the turn in the making, two people at one screen, old games."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from parlour.protocol.errors import Refusal
from parlour.protocol.scene import Mark
from parlour.protocol.types import Terms
from parlour.terminal.ui.table_view import TableView
from tests.terminal.full_screen.screens import signed_in


async def turn_of(view: TableView, ply: int) -> None:
    """Wait until a player at this screen can move."""
    for seat in view.seats:
        await seat.table.until(lambda table: table.ply >= ply)
        if seat.table.scene.to_move == seat.table.seat:
            await seat.table.my_turn()
    view.refresh()


async def test_picks_and_steps_back(address: str, tmp_path: Path) -> None:
    """Each pick is marked, back undoes one, and an illegal pick is refused."""
    async with signed_in(address, tmp_path) as session:
        view = await session.view(await session.client.play_computer(Terms("isaac"), "random"))
        await turn_of(view, 0)
        with pytest.raises(Refusal, match="You cannot choose a1 now"):
            await view.pick(0)
        assert await view.why_not(0) == "a1 cannot be chosen: choose one of your bars beside the board first."
        assert not view.back()
        assert not await view.play_text("5")
        assert not await view.play_text("c4")
        assert (Mark.CHOSEN, 32) in view.scene.marks
        assert view.find_pick("c8") is not None
        assert view.back()
        assert not await view.play_text("c4")
        assert view.back()
        assert view.back()
        assert view.turn is not None
        assert view.turn.picks == ()


async def test_a_typed_turn_is_whole_or_in_picks(address: str, tmp_path: Path) -> None:
    """Picks that do not go on as typed are forgotten, and the text is tried as a whole turn."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("replica"))
        await turn_of(view, 0)
        with pytest.raises(Refusal):
            await view.play_text("e7 a1")
        assert view.turn is not None
        assert view.turn.picks == ()
        assert await view.play_text("e7 d6")
        await turn_of(view, 1)
        assert await view.play_text("a4-b5")
        assert list(view.seats[1].table.moves) == ["e7-d6", "a4-b5"]


@pytest.mark.parametrize("text", ["e7 d6", "e7-d6"], ids=["picks", "a whole turn"])
async def test_nothing_can_be_picked_while_a_turn_is_sent(address: str, tmp_path: Path, text: str) -> None:
    """`on_change` is called before and after sending; meanwhile no second turn can be sent."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("replica"))
        await turn_of(view, 0)
        told: asyncio.Queue[tuple[bool, bool]] = asyncio.Queue()
        view.on_change = lambda: told.put_nowait((view.sending, bool(view.legal_picks)))
        playing = asyncio.create_task(view.play_text(text))
        sending = legal_picks = False
        while not sending:
            sending, legal_picks = await told.get()
        assert not legal_picks
        with pytest.raises(Refusal, match="still being sent"):
            await view.play_text("h7-g6")

        assert await playing
        assert not told.get_nowait()[0]
        assert told.empty()


async def test_hotseat_offers_are_accepted_at_once(address: str, tmp_path: Path) -> None:
    """Takeback, draw and rematch need one command, since both players are here."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("mapello"))
        await turn_of(view, 0)
        await view.play_text("f7")
        await turn_of(view, 1)
        await view.offer("takeback")
        await view.table.until(lambda table: table.ply == 0)
        await view.offer("draw")
        assert (await view.table.over()).reason == "agreed"
        await view.offer("rematch")
        await view.table.until(lambda table: table.next is not None)
        rematch = await view.join_rematch()
        assert rematch is not None
        assert rematch.is_hotseat
        assert rematch.table.seat == 1
