"""The examples in docs/clients/sdk: two bots that play each other, and a spectator of a game."""

from __future__ import annotations

import asyncio
import os
import shutil
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from parlour.client import Table, Terms, connect
from tests.client.playing import play_out, rated
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN

EXAMPLES = Path(__file__).parents[2] / "docs" / "clients" / "sdk"


async def start(server: ServerProcess, folder: Path, program: Path, example: str, *arguments: str) -> Process:
    """Copy an example into a folder, as its reader does, and start it there."""
    shutil.copy(EXAMPLES / example, folder)
    command: list[str | Path] = [program, example, *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"PARLOUR_SERVER": f"127.0.0.1:{server.port}", "PARLOUR_PASSWORD": "wooden bishop"}
    return await asyncio.create_subprocess_exec(*command, cwd=folder, env=environment, stdout=PIPE, stderr=STDOUT)


async def output(*programs: Process) -> list[str]:
    """Wait until programs exit with 0, and return what each has printed."""
    printed = []
    for program in programs:
        try:
            async with asyncio.timeout(WITHIN):
                printed.append((await program.communicate())[0].decode())
        finally:
            if program.returncode is None:
                program.kill()
                await program.wait()
        assert program.returncode == 0, printed[-1]
    return printed


async def let_bots_play(server: ServerProcess, folder: Path, program: Path, suffix: str) -> None:
    """Let two of the bots play a rated game of Mapello against each other, and wait until they are rated."""
    # Two accounts, because the programs start at the same time.
    pairs = ("Ann", "Robbie"), ("Ben", "Dora")
    bots = [await start(server, folder, program, f"bot{suffix}", *names) for names in pairs]
    await output(*bots)
    async with connect(server.url) as client:
        for _, bot in pairs:
            assert [rating.game for rating in (await rated(client, bot)).ratings] == ["mapello"]


@asynccontextmanager
async def live_game(server: ServerProcess, first: str, second: str) -> AsyncIterator[tuple[Table, Table]]:
    """A game of Replica between two clients, in which nothing has been played yet."""
    async with connect(server.url, name=first) as one, connect(server.url, name=second) as two:
        seek = await one.seek(Terms("replica"), seat="first")  # games from invitations are private
        second_table = await two.accept(seek.seek)
        yield await seek.table(), second_table


async def play_to_the_end(tables: tuple[Table, Table]) -> tuple[str, ...]:
    """Play random turns at both tables until the game is over, and return the moves."""
    async with asyncio.timeout(WITHIN):
        await asyncio.gather(play_out(tables[0], seed=1), play_out(tables[1], seed=2))
        await tables[0].over()
    return tuple(tables[0].moves)


async def until_listed(server: ServerProcess, room: str) -> None:
    """Wait until a game is the only live one: others may have ended just now."""
    async with asyncio.timeout(WITHIN), connect(server.url) as client, client.lobby() as lobby:
        async for _ in lobby:
            if list(lobby.live) == [room]:
                return


async def let_spectator_watch(server: ServerProcess, folder: Path, program: Path, suffix: str) -> None:
    """Let the spectator watch a game, and check that it prints the players, every move and the result."""
    async with live_game(server, "Cleo", "Dan") as tables:
        await until_listed(server, tables[0].room)
        spectator = await start(server, folder, program, f"spectator{suffix}")
        assert spectator.stdout is not None
        async with asyncio.timeout(WITHIN):
            players = (await spectator.stdout.readline()).decode()
        moves = await play_to_the_end(tables)
        (printed,) = await output(spectator)
        assert tables[0].result is not None
        assert players == "Cleo against Dan\n"
        assert printed.splitlines() == [*moves, f"over: {tables[0].result.reason}"], printed
