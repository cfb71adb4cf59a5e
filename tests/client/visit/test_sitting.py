"""A table as one screen has it: the turn in the making, two people at one screen, old games."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from parlour.client.parlour import connect
from parlour.client.visit.replay import Replay
from parlour.client.visit.sitting import Sitting
from parlour.protocol.errors import Refusal
from parlour.protocol.scene import Mark
from parlour.protocol.tables import Terms
from tests.client.terminal.screens import visiting


async def turn_of(sitting: Sitting, ply: int) -> None:
    """Wait until somebody here may move."""
    for seat in sitting.seats:
        await seat.table.until(lambda table: table.ply >= ply)
        if seat.table.scene.to_move == seat.table.seat:
            await seat.table.my_turn()
    sitting.settle()


async def test_picks_and_steps_back(address: str, tmp_path: Path) -> None:
    """Each pick is marked; back takes one, restart all; what is not offered is refused."""
    async with visiting(address, tmp_path) as visit:
        sitting = await visit.sit(await visit.parlour.play_computer(Terms("isaac"), "random"))
        await turn_of(sitting, 0)
        with pytest.raises(Refusal, match="a1 cannot be chosen now"):
            await sitting.pick(0)
        assert not sitting.back()
        assert not await sitting.typed("5")
        assert not await sitting.typed("c4")
        assert (Mark.CHOSEN, 32) in sitting.scene.marks
        assert sitting.named("c8") is not None
        assert sitting.back()
        assert not await sitting.typed("c4")
        assert sitting.restart()
        assert sitting.turn is not None
        assert sitting.turn.picks == ()


async def test_a_typed_turn_is_whole_or_in_picks(address: str, tmp_path: Path) -> None:
    """Picks that do not go on as typed are forgotten, and the text is tried as a whole turn."""
    async with visiting(address, tmp_path) as visit:
        sitting = await visit.share(Terms("replica"))
        await turn_of(sitting, 0)
        with pytest.raises(Refusal):
            await sitting.typed("e7 a1")
        assert sitting.turn is not None
        assert sitting.turn.picks == ()
        assert await sitting.typed("e7 d6")
        await turn_of(sitting, 1)
        assert await sitting.typed("a4-b5")
        assert list(sitting.seats[1].table.moves) == ["e7-d6", "a4-b5"]


@pytest.mark.parametrize("text", ["e7 d6", "e7-d6"], ids=["picks", "a whole turn"])
async def test_nothing_is_offered_while_a_turn_is_on_its_way(address: str, tmp_path: Path, text: str) -> None:
    """Who draws the sitting is told when it leaves and when it has arrived; meanwhile no second one can be sent."""
    async with visiting(address, tmp_path) as visit:
        sitting = await visit.share(Terms("replica"))
        await turn_of(sitting, 0)
        told: asyncio.Queue[tuple[bool, bool]] = asyncio.Queue()
        sitting.on_change = lambda: told.put_nowait((sitting.sending, bool(sitting.offered)))
        playing = asyncio.create_task(sitting.typed(text))
        sending = offered = False
        while not sending:
            sending, offered = await told.get()
        assert not offered
        with pytest.raises(Refusal, match="still on its way"):
            await sitting.typed("h7-g6")

        assert await playing
        assert not told.get_nowait()[0]
        assert told.empty()


async def test_two_people_agree_at_once(address: str, tmp_path: Path) -> None:
    """Taking back, drawing and another game need one wish, since both are here."""
    async with visiting(address, tmp_path) as visit:
        sitting = await visit.share(Terms("mapello"))
        await turn_of(sitting, 0)
        await sitting.typed("f7")
        await turn_of(sitting, 1)
        await sitting.offer("takeback")
        await sitting.table.until(lambda table: table.ply == 0)
        await sitting.offer("draw")
        assert (await sitting.table.over()).reason == "agreed"
        await sitting.offer("rematch")
        await sitting.table.until(lambda table: table.next is not None)
        following = await sitting.follow()
        assert following is not None
        assert following.is_shared
        assert following.table.seat == 1


async def test_the_second_person_is_known_again(address: str, tmp_path: Path) -> None:
    """After both have left, the same two find their table with both seats."""
    async with visiting(address, tmp_path) as visit:
        sitting = await visit.share(Terms("mapello"))
        room, names = sitting.table.room, [chair.player for chair in sitting.table.chairs]
    async with visiting(address, tmp_path) as visit:
        again = await visit.open(room)
        assert again.is_shared
        assert [chair.player for chair in again.table.chairs] == names


async def test_somebody_else_is_not_the_second_person(address: str, tmp_path: Path) -> None:
    """A guest elsewhere plays from elsewhere."""
    async with visiting(address, tmp_path) as visit, connect(address) as other:
        await visit.companion()
        waiting = await other.challenge(Terms("mapello"))
        sitting = await visit.sit(await visit.parlour.accept(waiting.seek))
        assert not sitting.is_shared


async def test_a_game_is_gone_through(address: str, tmp_path: Path) -> None:
    """The scenes of a replay are those that were seen, and steps stop at both ends."""
    async with visiting(address, tmp_path) as visit:
        sitting = await visit.share(Terms("mapello"))
        seen = []
        for ply, move in enumerate(("f7", "e7")):
            await turn_of(sitting, ply)
            seen.append(sitting.table.scene.pieces)
            await sitting.typed(move)
        await turn_of(sitting, 2)
        seen.append(sitting.table.scene.pieces)
        replay = Replay(await visit.parlour.records.record(sitting.table.room))

        assert [scene.pieces for scene in replay.scenes] == seen
        assert (replay.at, replay.length, replay.move) == (2, 2, "e7")
        replay.step(5)
        assert replay.at == 2
        replay.go(-3)
        assert (replay.at, replay.move, replay.took) == (0, "", 0)
