"""The computer at the table: it plays people and itself, gives hints, and survives the death of its workers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from random import Random

import pytest

from parlour.client.connection import Connection, RefusedError
from parlour.protocol.messages import (
    AskRules,
    Assess,
    Assessment,
    Create,
    Join,
    Offer,
    Ok,
    Preview,
    Previewed,
    Resign,
    Rules,
)  # fmt: skip
from parlour.protocol.mirror import Mirror
from parlour.protocol.tables import Clock, Terms
from tests.e2e.conftest import MakeServer
from tests.e2e.players import RandomPlayer
from tests.e2e.processes import ServerProcess

HURRY = ("--bot-pace", "0", "--bot-pace-alone", "0")
SLOWLY = ("--bot-pace", "0", "--bot-pace-alone", "0.1")


async def table(connection: Connection, game: str, *levels: str | None, clock: Clock | None = None) -> Mirror:
    """A table with the computer, which we follow."""
    first, second = levels
    terms = Terms(game, clock=clock or Clock())
    made = await connection.call(Create(id=0, terms=terms, levels=(first, second)))
    assert isinstance(made, Ok)
    assert made.room is not None
    await connection.call(Join(id=0, room=made.room))
    return connection.rooms[made.room]


async def over(connection: Connection, mirror: Mirror) -> Mirror:
    while mirror.result is None:
        await connection.news.get()
    return mirror


async def moves(connection: Connection, mirror: Mirror, count: int) -> None:
    """Wait until so many moves were made."""
    while len(mirror.moves) < count:
        await connection.news.get()


@pytest.mark.parametrize("game", ["isaac", "mapello", "mitsudomoe", "replica"])
async def test_the_computer_plays_itself_to_the_end(make_server: MakeServer, game: str) -> None:
    """Two levels play a whole game by the rules, in every game, with nobody to move for them."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as watcher:
        mirror = await over(watcher, await table(watcher, game, "2", "1"))

    assert mirror.result is not None
    assert mirror.result.reason not in ("flag", "abandoned", "aborted")
    assert [chair.player.bot for chair in mirror.room.chairs if chair.player] == [True, True]
    assert server.errors == []


async def test_a_person_plays_the_computer(make_server: MakeServer) -> None:
    """The person's moves and the computer's take turns until the game is over; the computer is labelled."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as person:
        player = RandomPlayer(person, Random(4))
        mirror = await table(person, "replica", None, "1", clock=Clock("fischer", 600_000, 1_000))
        player.room = mirror.room.room
        await player.play_on()

    opponent = mirror.room.chairs[1].player
    assert mirror.room.seat == 0
    assert opponent is not None
    assert (opponent.name, opponent.bot) == ("Computer 1", True)
    assert len(player.acknowledged) == (len(mirror.moves) + 1) // 2


async def test_the_computer_gives_moves_back_and_plays_again(make_server: MakeServer) -> None:
    """A takeback and another game are granted at once; a draw is declined in words."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as person:
        mirror = await table(person, "replica", None, "1")
        room, player = mirror.room.room, RandomPlayer(person, Random(1))
        player.room = room
        playing = asyncio.create_task(player.play_on())
        await player.moved.wait()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        before = len(mirror.moves)
        await person.call(Offer(id=0, room=room, what="takeback"))
        assert len(mirror.moves) < before or before == 0
        with pytest.raises(RefusedError, match="The computer plays on"):
            await person.call(Offer(id=0, room=room, what="draw"))
        await person.call(Resign(id=0, room=room))
        await person.call(Offer(id=0, room=room, what="rematch"))

        assert mirror.next is not None
        await person.call(Join(id=0, room=mirror.next))
        again = person.rooms[mirror.next]
        assert again.room.seat == 1
        await moves(person, again, 1)  # the computer has the first move now


async def test_hints_and_reviews(make_server: MakeServer) -> None:
    """The computer tells a player its best move and a chance, and reviews a finished game at any ply."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as person, Connection([server.url]) as stranger:
        mirror = await table(person, "mapello", None, "random")
        room = mirror.room.room
        hint = await person.call(Assess(id=0, room=room, ply=0))
        assert isinstance(hint, Assessment)
        assert hint.line[0] == hint.move
        assert 0 <= hint.chance <= 1000
        with pytest.raises(RefusedError) as unfair:
            await stranger.call(Assess(id=0, room=room, ply=0))
        assert unfair.value.code == "hint_refused"
        with pytest.raises(RefusedError) as early:
            await person.call(Assess(id=0, room=room, ply=1))
        assert early.value.code == "stale_ply"
        await person.call(Resign(id=0, room=room))
        review = await stranger.call(Assess(id=0, room=room, ply=0))
        assert isinstance(review, Assessment)


async def test_what_cannot_be_played(server: ServerProcess) -> None:
    """Unknown levels, no computer at all and rated games are refused with a code."""
    async with Connection([server.url]) as person:
        for terms, levels, code in (
            (Terms("replica"), (None, "9"), "level_unknown"),
            (Terms("replica"), (None, None), "level_unknown"),
            (Terms("chess"), (None, "1"), "game_unknown"),
            (Terms("replica", rated=True), (None, "1"), "rated_refused"),
        ):
            with pytest.raises(RefusedError) as refused:
                await person.call(Create(id=0, terms=terms, levels=levels))
            assert refused.value.code == code


async def test_rules_and_previews(server: ServerProcess) -> None:
    """A client gets the rules with their boards, and sees what a table would look like."""
    async with Connection([server.url]) as person:
        rules = await person.call(AskRules(id=0, game="isaac"))
        seen = await person.call(Preview(id=0, terms=Terms("mapello", {"board": "random", "seed": 7})))

    assert isinstance(rules, Rules)
    assert rules.text.startswith("# Isaac")
    assert len(rules.examples) > 3
    assert isinstance(seen, Previewed)
    assert seen.board.columns == 10


async def bots(server: ServerProcess, folder: Path) -> Process:
    """A worker beside the node, on the node's own store."""
    socket = json.loads((server.data / "valkey.json").read_bytes())["socket"]
    with (folder / "bots.log").open("ab") as log:
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour.cli", "bots", "--redis", f"unix://{socket}"),
            *("--bot-workers", "1", *SLOWLY),
            stdout=PIPE,
            stderr=log,
        )
    assert worker.stdout is not None
    assert await worker.stdout.readline(), (folder / "bots.log").read_text()
    return worker


async def test_a_worker_that_dies_is_replaced(make_server: MakeServer, tmp_path: Path) -> None:
    """The only worker is killed with -9 in mid-game; when another one comes the game goes on to its end."""
    server = make_server("--bot-workers", "0")
    await server.start()
    first = await bots(server, tmp_path)
    try:
        async with Connection([server.url]) as watcher:
            mirror = await table(watcher, "replica", "1", "1")
            await moves(watcher, mirror, 3)
            first.send_signal(signal.SIGKILL)
            await first.wait()
            second = await bots(server, tmp_path)
            try:
                await over(watcher, mirror)
            finally:
                second.kill()
                await second.wait()
    finally:
        if first.returncode is None:
            first.kill()
    assert server.errors == []


async def test_a_thinking_process_that_dies_is_replaced(make_server: MakeServer) -> None:
    """The node's own processes are killed again and again, and the game goes on to its end."""
    server = make_server("--bot-workers", "1", *SLOWLY)
    await server.start()
    async with Connection([server.url]) as watcher:
        mirror = await table(watcher, "replica", "1", "1")
        for ply in (2, 5, 8):
            await moves(watcher, mirror, ply)
            for pid in thinkers(server):
                os.kill(pid, signal.SIGKILL)
        await over(watcher, mirror)


def thinkers(server: ServerProcess) -> list[int]:
    """The processes that think for a node."""
    assert server.process is not None
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(pid) for pid in children if b"think" in Path(f"/proc/{pid}/cmdline").read_bytes()]
