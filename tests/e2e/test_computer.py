"""Bots play people and themselves, give hints, and survive the death of their workers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from random import Random

import pytest

from parlour.client.connection import Connection, RefusedError
from parlour.protocol.messages import (
    Assess,
    Assessment,
    Create,
    GetRules,
    Join,
    Offer,
    Ok,
    Preview,
    Previewed,
    Resign,
    Rules,
)  # fmt: skip
from parlour.protocol.replica import RoomReplica
from parlour.protocol.types import Clock, Terms
from tests.e2e.conftest import MakeServer
from tests.e2e.players import RandomPlayer
from tests.e2e.processes import ServerProcess

HURRY = ("--bot-pace", "0", "--bot-pace-alone", "0")
SLOWLY = ("--bot-pace", "0", "--bot-pace-alone", "0.1")


async def table(connection: Connection, game: str, *levels: str | None, clock: Clock | None = None) -> RoomReplica:
    """Create a game with a bot and join it."""
    first, second = levels
    terms = Terms(game, clock=clock or Clock())
    made = await connection.call(Create(id=0, terms=terms, levels=(first, second)))
    assert isinstance(made, Ok)
    assert made.room is not None
    await connection.call(Join(id=0, room=made.room))
    return connection.rooms[made.room]


async def over(connection: Connection, replica: RoomReplica) -> RoomReplica:
    while replica.result is None:
        await connection.news.get()
    return replica


async def moves(connection: Connection, replica: RoomReplica, count: int) -> None:
    """Wait until a number of moves was made."""
    while len(replica.moves) < count:
        await connection.news.get()


@pytest.mark.parametrize("game", ["isaac", "mapello", "mitsudomoe", "replica"])
async def test_the_computer_plays_itself_to_the_end(make_server: MakeServer, game: str) -> None:
    """Two levels play a whole game by the rules, in every game, without any person."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as spectator:
        replica = await over(spectator, await table(spectator, game, "2", "1"))

    assert replica.result is not None
    assert replica.result.reason not in ("flag", "abandoned", "aborted")
    assert [participant.player.bot for participant in replica.room.players] == [True, True]
    assert server.errors == []


async def test_a_person_plays_the_computer(make_server: MakeServer) -> None:
    """Person and bot alternate until the game is over; the bot is labelled."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as person:
        player = RandomPlayer(person, Random(4))
        replica = await table(person, "replica", None, "1", clock=Clock("fischer", 600_000, 1_000))
        player.room = replica.room.room
        await player.play_on()

    opponent = replica.room.players[1].player
    assert replica.room.seat == 0
    assert opponent is not None
    assert (opponent.name, opponent.bot) == ("Computer 1", True)
    assert len(player.acknowledged) == (len(replica.moves) + 1) // 2


async def test_a_bot_accepts_takebacks_and_rematches(make_server: MakeServer) -> None:
    """They are accepted at once; a draw is declined with a sentence."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as person:
        replica = await table(person, "replica", None, "1")
        room, player = replica.room.room, RandomPlayer(person, Random(1))
        player.room = room
        playing = asyncio.create_task(player.play_on())
        await player.moved.wait()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        before = len(replica.moves)
        await person.call(Offer(id=0, room=room, kind="takeback"))
        assert len(replica.moves) < before or before == 0
        with pytest.raises(RefusedError, match="does not accept draws"):
            await person.call(Offer(id=0, room=room, kind="draw"))
        await person.call(Resign(id=0, room=room))
        await person.call(Offer(id=0, room=room, kind="rematch"))

        assert replica.next is not None
        await person.call(Join(id=0, room=replica.next))
        again = person.rooms[replica.next]
        assert again.room.seat == 1
        await moves(person, again, 1)  # the computer has the first move now


async def test_hints_and_reviews(make_server: MakeServer) -> None:
    """A bot shows a player its best move and chance, and reviews a finished game at any ply."""
    server = make_server(*HURRY)
    await server.start()
    async with Connection([server.url]) as person, Connection([server.url]) as stranger:
        replica = await table(person, "mapello", None, "random")
        room = replica.room.room
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


async def test_games_that_cannot_be_created_are_refused(server: ServerProcess) -> None:
    """Unknown levels, no bot at all and rated games are refused with a code."""
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
    """A client is sent the rules with their boards, and a preview of a game."""
    async with Connection([server.url]) as person:
        rules = await person.call(GetRules(id=0, game="isaac"))
        seen = await person.call(Preview(id=0, terms=Terms("mapello", {"board": "random", "seed": 7})))

    assert isinstance(rules, Rules)
    assert rules.text.startswith("# Isaac")
    assert len(rules.examples) > 3
    assert isinstance(seen, Previewed)
    assert seen.board.columns == 10


async def bots(server: ServerProcess, folder: Path, *options: str) -> Process:
    """Start a worker beside the node, on the node's own store."""
    path = json.loads((server.data / "valkey.json").read_bytes())["socket"]
    with (folder / "bots.log").open("ab") as log:
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour.cli", "worker", "--redis", f"unix://{path}"),
            *("--data", str(server.data), "--bot-workers", "1", *SLOWLY, *options),
            stdout=PIPE,
            stderr=log,
        )
    assert worker.stdout is not None
    assert await worker.stdout.readline(), (folder / "bots.log").read_text()
    return worker


async def fetch(port: int, path: str) -> str:
    """Return what the monitoring port of a worker serves."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer.partition(b"\r\n\r\n")[2].decode()


async def test_a_worker_that_dies_is_replaced(make_server: MakeServer, tmp_path: Path) -> None:
    """The only worker, whose health can be monitored, is killed in mid-game; another one continues to the end."""
    server = make_server("--bot-workers", "0")
    await server.start()
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    first = await bots(server, tmp_path, "--monitoring", str(port))
    try:
        async with Connection([server.url]) as spectator:
            replica = await table(spectator, "replica", "1", "1")
            await moves(spectator, replica, 3)
            assert await fetch(port, "/readyz") == '{"status": "ready"}'
            assert 'parlour_jobs_total{outcome="done"} 0.0' not in await fetch(port, "/metrics")
            first.send_signal(signal.SIGKILL)
            await first.wait()
            second = await bots(server, tmp_path)
            try:
                await over(spectator, replica)
            finally:
                second.kill()
                await second.wait()
    finally:
        if first.returncode is None:
            first.kill()
    assert server.errors == []


async def test_an_engine_process_that_dies_is_replaced(make_server: MakeServer) -> None:
    """The node's engines are killed again and again, and the game goes on to its end."""
    server = make_server("--bot-workers", "1", *SLOWLY)
    await server.start()
    async with Connection([server.url]) as spectator:
        replica = await table(spectator, "replica", "1", "1")
        for ply in (2, 5, 8):
            await moves(spectator, replica, ply)
            for pid in engines(server):
                os.kill(pid, signal.SIGKILL)
        await over(spectator, replica)


def engines(server: ServerProcess) -> list[int]:
    """Return the engine processes of a node."""
    assert server.process is not None
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(pid) for pid in children if b"think" in Path(f"/proc/{pid}/cmdline").read_bytes()]
