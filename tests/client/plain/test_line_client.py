"""The client line by line, with somebody else at the other end."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from parlour.client.drawing import Style
from parlour.client.parlour import connect
from parlour.client.plain.console import Console
from parlour.client.plain.line_client import LineClient
from parlour.client.visit.settings import SettingsFile
from parlour.client.visit.sitting import Seat, Sitting
from parlour.protocol.tables import Terms
from tests.client.terminal.screens import visiting
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Proxy
from tests.waiting import WITHIN


class Paper(io.StringIO):
    """Tells of each line that is printed on it."""

    def __init__(self) -> None:
        super().__init__()
        self.printed = asyncio.Event()

    def write(self, text: str) -> int:
        self.printed.set()
        return super().write(text)


class Typist:
    """Types, and reads what is printed."""

    def __init__(self) -> None:
        reading, self._writing = os.pipe()
        self._source = os.fdopen(reading, encoding="utf-8")
        self.paper = Paper()
        self.console = Console(self._source, self.paper)

    def type(self, *lines: str) -> None:
        os.write(self._writing, "".join(f"{line}\n" for line in lines).encode())

    def end(self) -> None:
        os.close(self._writing)

    def close(self) -> None:
        self._source.close()

    async def reads(self, *words: str) -> str:
        """Wait until all of that was printed; gives everything that was."""
        return await self.reads_after(0, *words)

    async def reads_after(self, position: int, *words: str) -> str:
        """The same for what was printed from somewhere on."""
        try:
            async with asyncio.timeout(WITHIN):
                while not all(word in self.paper.getvalue()[position:] for word in words):
                    self.paper.printed.clear()
                    await self.paper.printed.wait()
        except TimeoutError:
            raise AssertionError(f"{words} not in:\n{self.paper.getvalue()}") from None
        return self.paper.getvalue()


@asynccontextmanager
async def typing(address: str, folder: Path, name: str = "") -> AsyncIterator[Typist]:
    """Somebody at a keyboard; the input ends with the test, and then the client does."""
    typist = Typist()
    async with visiting(address, folder, name) as visit:
        file = SettingsFile(folder / "terminal.json")
        client = LineClient(visit, typist.console, style=Style(unicode=False), settings=file)
        running = asyncio.create_task(client.run())
        yield typist
        typist.end()
        async with asyncio.timeout(WITHIN):
            await running
        typist.close()
        assert typist.paper.getvalue().endswith("Good-bye.\n")


async def test_an_invitation_a_game_offers_and_talk(address: str, tmp_path: Path) -> None:
    """Everything at a table with somebody else, in typed words and told in sentences."""
    async with typing(address, tmp_path, "Typing Tapir") as typist, connect(address, name="Other Ocelot") as other:
        await other.challenge(Terms("mapello"), to="Typing Tapir", seat="second")
        text = await typist.reads("Other Ocelot invites you: Mapello")
        code = text.partition("Type join ")[2].partition(",")[0]
        theirs_found = asyncio.create_task(anext(aiter(other.summons())))
        typist.type(f"join {code}", "chat hello there", "f7")
        await typist.reads("You played f7.")
        await theirs_found
        room = next(iter(other.running))
        theirs = await other.join(room)
        await theirs.until(lambda table: table.ply == 1)
        await theirs.say("well played")
        await theirs.play("e7")
        await typist.reads("Other Ocelot: well played", "White played e7.")
        await theirs.offer("draw")
        await typist.reads("Other Ocelot offers a draw.")
        typist.type("decline")
        await typist.reads("You declined the draw.")
        typist.type("resign", "rematch")
        await typist.reads("You lost: you resigned.", "You would like another game.")
        await theirs.answer("rematch", True)
        await typist.reads("Type next to go to that table.")
        typist.type("next", "abort")
        await typist.reads("The game was called off.")


@pytest.mark.parametrize("late", [0, 1], ids=["the first", "the second"])
async def test_two_at_one_screen_are_told_what_to_do(server: ServerProcess, tmp_path: Path, late: int) -> None:
    """After each move, once, and not before the move itself, whichever of their connections is slower."""
    typist = Typist()
    async with (
        Proxy(server.port) as proxy,
        visiting(server.url, tmp_path) as visit,
        connect(proxy.url) as slow,
        connect(server.url) as swift,
    ):
        link = proxy.newest
        assert link is not None
        first, second = (swift, slow) if late else (slow, swift)
        waiting = await second.challenge(Terms("mapello"), seat="second")
        sitting = Sitting(Seat(first, await first.accept(waiting.seek)), Seat(second, await waiting.table()))
        file = SettingsFile(tmp_path / "terminal.json")
        client = LineClient(visit, typist.console, style=Style(unicode=False), settings=file)
        running = asyncio.create_task(client.run(sitting))
        await typist.reads("Black: ")
        for ply, (mover, move, following) in enumerate((("Black", "f7", "White"), ("White", "e7", "Black")), 1):
            link.hold()
            before = len(typist.paper.getvalue())
            typist.type(move)
            await sitting.seats[1 - late].table.until(lambda table, ply=ply: table.ply == ply)  # type: ignore[misc]
            link.let_go()
            await typist.reads_after(before, f"{mover} played {move}.", f"{following}: ")
            told = typist.paper.getvalue()[before:]
            assert told.index(f"{mover} played {move}.") < told.index(f"{following}: ")
            assert told.count(f"{following}: ") == 1
        typist.type("quit")
        async with asyncio.timeout(WITHIN):
            await running
        typist.end()
        typist.close()


async def test_an_open_table_and_the_queue(address: str, tmp_path: Path) -> None:
    """Others find what was put up; wait goes to the table."""
    async with typing(address, tmp_path) as typist, connect(address) as other:
        typist.type("seek isaac 15+10 first", "wait 30")
        text = await typist.reads("is open: Isaac  15 min + 10 s")
        seek = text.partition("Your table ")[2].partition(" ")[0]
        await other.accept(seek)
        await typist.reads("Choose a bar to place.")
        typist.type("resign", "leave", "tables", "quick isaac", "wait 0.2", "cancel")
        await typist.reads("You lost", "No open tables.", "Nobody has come yet.", "You do not wait any longer.")


async def test_an_account(address: str, tmp_path: Path) -> None:
    """The password is the next line where there is no terminal."""
    async with typing(address, tmp_path) as typist:
        typist.type(
            "register Plain Panda", "a password that is long", "signout", "signin Plain Panda", "wrong one here"
        )
        await typist.reads("You are Plain Panda now, with an account.", "now, a guest.", "no account with this name")
        typist.type("signin Plain Panda", "a password that is long", "player Plain Panda")
        await typist.reads("You are Plain Panda now.\n", "Plain Panda, here.")


async def test_the_server_dies_and_comes_back(make_server: MakeServer, tmp_path: Path) -> None:
    """Both are told, and the game goes on."""
    server = make_server("--bot-pace", "0")
    await server.start()
    async with typing(server.url, tmp_path) as typist:
        typist.type("computer mapello random", "f7", "wait")
        await typist.reads("White played ")
        await server.kill()
        await typist.reads("Connection lost. Trying again.")
        await server.start()
        await typist.reads("Back again.")
        typist.type("picks", "moves", "resign")
        await typist.reads("  1. f7 ", "You lost: you resigned.")


async def test_nothing_hangs_when_the_server_is_gone_for_good(make_server: MakeServer, tmp_path: Path) -> None:
    """The end of the input is the end, whatever became of the connection."""
    server = make_server()
    await server.start()
    async with typing(server.url, tmp_path) as typist:
        await typist.reads("Welcome")
        await server.kill()
        await typist.reads("Connection lost.")
