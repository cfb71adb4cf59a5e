"""The line client, with another player at the other end."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from parlour.client.client import connect
from parlour.protocol.types import Terms
from parlour.terminal.drawing import Style
from parlour.terminal.plain.console import PipeConsole
from parlour.terminal.plain.line_client import LineClient
from parlour.terminal.ui.replay import Replay
from parlour.terminal.ui.settings import SettingsFile
from parlour.terminal.ui.table_view import LocalSeat, TableView
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Proxy
from tests.terminal.full_screen.screens import signed_in
from tests.waiting import WITHIN


class Paper(io.StringIO):
    """Signals each line that is printed on it."""

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
        self.console = PipeConsole(self._source, self.paper)

    def type(self, *lines: str) -> None:
        os.write(self._writing, "".join(f"{line}\n" for line in lines).encode())

    def end(self) -> None:
        os.close(self._writing)

    def close(self) -> None:
        self._source.close()

    async def reads(self, *words: str) -> str:
        """Wait until all of these words were printed, and return everything that was."""
        return await self.reads_after(0, *words)

    async def reads_after(self, position: int, *words: str) -> str:
        """Do the same for what was printed from a position on."""
        try:
            async with asyncio.timeout(WITHIN):
                while not all(word in self.paper.getvalue()[position:] for word in words):
                    self.paper.printed.clear()
                    await self.paper.printed.wait()
        except TimeoutError:
            raise AssertionError(f"{words} not in:\n{self.paper.getvalue()}") from None
        return self.paper.getvalue()


@asynccontextmanager
async def typing(
    address: str, folder: Path, name: str = "", record: str = "", *, json: bool = False
) -> AsyncIterator[Typist]:
    """A user at a keyboard, replaying a record if there is one. The input, and the client, ends with the test."""
    typist = Typist()
    async with signed_in(address, folder, name) as session:
        file = SettingsFile(folder / "terminal.json")
        client = LineClient(session, typist.console, style=Style(unicode=False), settings=file, json=json)
        replay = Replay(await session.client.records.read(record)) if record else None
        running = asyncio.create_task(client.run(replay=replay))
        yield typist
        typist.end()
        async with asyncio.timeout(WITHIN):
            await running
        typist.close()
        assert json or typist.paper.getvalue().endswith("Goodbye.\n")


async def test_a_challenge_a_game_offers_and_chat(address: str, tmp_path: Path) -> None:
    """A whole game with typed commands, with each event in a sentence."""
    async with typing(address, tmp_path, "Typing Tapir") as typist, connect(address, name="Other Ocelot") as other:
        await other.challenge(Terms("mapello"), to="Typing Tapir", seat="second")
        text = await typist.reads("Other Ocelot challenges you: Mapello")
        code = text.partition("Type join ")[2].partition(",")[0]
        theirs_found = asyncio.create_task(anext(aiter(other.notifications())))
        typist.type(f"join {code}", "chat hello there", "f7")
        await typist.reads("You played f7.")
        await theirs_found
        room = next(iter(other.ongoing_games))
        theirs = await other.join(room)
        await theirs.until(lambda table: table.ply == 1)
        await theirs.say("well played")
        await theirs.play("e7")
        await typist.reads("Other Ocelot: well played", "White played e7.", "Other Ocelot plays e7")
        await theirs.offer("draw")
        await typist.reads("Other Ocelot offers a draw.")
        typist.type("decline")
        await typist.reads("You declined the draw.")
        typist.type("resign", "yes", "rematch")
        await typist.reads("You lost: you resigned.", "You offered a rematch.")
        await theirs.answer("rematch", True)
        await typist.reads("Type next to go to the rematch.")
        typist.type("next", "abort", "yes")
        await typist.reads("The game was aborted.")


@pytest.mark.parametrize("late", [0, 1], ids=["the first", "the second"])
async def test_hotseat_players_are_prompted(server: ServerProcess, tmp_path: Path, late: int) -> None:
    """The prompt comes once after each move, whichever of the two connections is slower."""
    typist = Typist()
    async with (
        Proxy(server.port) as proxy,
        signed_in(server.url, tmp_path) as session,
        connect(proxy.url) as slow,
        connect(server.url) as swift,
    ):
        link = proxy.newest
        assert link is not None
        first, second = (swift, slow) if late else (slow, swift)
        pending = await second.challenge(Terms("mapello"), seat="second")
        view = TableView(LocalSeat(first, await first.accept(pending.seek)), LocalSeat(second, await pending.table()))
        file = SettingsFile(tmp_path / "terminal.json")
        client = LineClient(session, typist.console, style=Style(unicode=False), settings=file)
        running = asyncio.create_task(client.run(view))
        await typist.reads("(Black): ")
        for ply, (mover, move, following) in enumerate((("Black", "f7", "White"), ("White", "e7", "Black")), 1):
            link.hold()
            before = len(typist.paper.getvalue())
            typist.type(move)
            await view.seats[1 - late].table.until(lambda table, ply=ply: table.ply == ply)  # type: ignore[misc]
            link.let_go()
            await typist.reads_after(before, f"{mover} played {move}.", f"({following}): ")
            told = typist.paper.getvalue()[before:]
            assert told.index(f"{mover} played {move}.") < told.index(f"({following}): ")
            assert told.count(f"({following}): ") == 1
        typist.type("quit")
        async with asyncio.timeout(WITHIN):
            await running
        typist.end()
        typist.close()


async def test_an_open_table_and_the_queue(address: str, tmp_path: Path) -> None:
    """Another player joins the open table; wait goes to the game."""
    async with typing(address, tmp_path) as typist, connect(address) as other:
        typist.type("seek isaac 15+10 first", "wait 30")
        text = await typist.reads("is open: Isaac, 15 min + 10 s")
        seek = text.partition("Your table ")[2].partition(" ")[0]
        await other.accept(seek)
        await typist.reads("Choose a bar to place.")
        typist.type("resign", "yes", "leave", "tables", "quick isaac", "wait 0.2", "cancel")
        await typist.reads("You lost", "No open tables.", "No opponent yet.", "You are no longer waiting.")


async def test_an_account(address: str, tmp_path: Path) -> None:
    """Without a terminal the password is the next line."""
    async with typing(address, tmp_path) as typist:
        typist.type(
            "register Plain Panda", "a password that is long", "signout", "signin Plain Panda", "wrong one here"
        )
        await typist.reads("You are now Plain Panda, with an account.", ", a guest.", "no account with this name")
        typist.type("signin Plain Panda", "a password that is long", "player Plain Panda")
        await typist.reads("You are now Plain Panda.\n", "Plain Panda, online.")


async def test_the_server_dies_and_comes_back(make_server: MakeServer, tmp_path: Path) -> None:
    """Both events are printed, and the game continues."""
    server = make_server("--bot-pace", "0")
    await server.start()
    async with typing(server.url, tmp_path) as typist:
        typist.type("computer mapello random", "f7", "wait")
        await typist.reads("White played ")
        await server.kill()
        await typist.reads("Connection lost. Reconnecting.")
        await server.start()
        await typist.reads("Connected again.")
        typist.type("picks", "moves", "resign", "yes")
        await typist.reads("  1. f7 ", "You lost: you resigned.")


async def test_the_store_of_the_server_is_away(make_server: MakeServer, tmp_path: Path) -> None:
    """After a lost connection the server's sentence is printed once, and then that it is over."""
    server = make_server()
    await server.start()
    async with Proxy(server.port) as proxy, typing(proxy.url, tmp_path) as typist:
        await typist.reads("Welcome")
        with server.without_store():
            assert proxy.newest is not None
            proxy.newest.lose()
            await typist.reads("The server cannot reach its store at the moment. It keeps trying.")
        await typist.reads("Connected again.")


async def test_nothing_hangs_when_the_server_stays_down(make_server: MakeServer, tmp_path: Path) -> None:
    """The end of the input ends the client, whatever the state of the connection."""
    server = make_server()
    await server.start()
    async with typing(server.url, tmp_path) as typist:
        await typist.reads("Welcome")
        await server.kill()
        await typist.reads("Connection lost.")


async def test_a_game_that_was_left_waits_for_the_player(address: str, tmp_path: Path) -> None:
    """The player is told of the turn, and can go on."""
    async with typing(address, tmp_path, "Leaving Lynx") as typist, connect(address, name="Staying Stork") as other:
        pending = await other.challenge(Terms("mapello"), to="Leaving Lynx", seat="first")
        await typist.reads("Staying Stork challenges you")
        typist.type(f"join {pending.seek}", "leave")
        theirs = await pending.table()
        await theirs.until(lambda table: not table.players[1].online)
        await theirs.play("f7")
        await typist.reads(f"It is your turn against Staying Stork. Type open {theirs.room}.")
        before = len(typist.paper.getvalue())
        typist.type("open", "last", "leave")
        await typist.reads_after(before, "Staying Stork plays f7", "You are back in the lobby.")
