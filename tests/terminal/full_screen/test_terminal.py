"""The client in a real pseudo-terminal, as a user runs it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.conftest import MakeServer
from tests.e2e.proxy import Proxy
from tests.terminal.full_screen.pseudo_terminal import PseudoTerminal


def plies(terminal: PseudoTerminal) -> int:
    """The number of the last move in the list."""
    numbers = [
        2 * int(found[1]) - (found[3] is None)
        for line in terminal.lines
        if (found := re.search(r"│ +(\d+)  ([a-j]\d+)(?: +([a-j]\d+))?$", line))
    ]
    return max(numbers, default=0)


def pick(terminal: PseudoTerminal) -> str:
    """The mark of a legal choice on the screen: a free cell, or the line under a star; empty if there is none."""
    return next((sign for sign in ("[ ]", "^^^") if sign in terminal.text), "")


def may_pick(terminal: PseudoTerminal, after: int) -> bool:
    """Whether that many moves were made and the player is to move. The marks disappear when a move is sent."""
    return plies(terminal) >= after and bool(pick(terminal))


def is_over(terminal: PseudoTerminal) -> bool:
    return "R rematch" in terminal.text


async def test_a_whole_game_by_keys_and_by_mouse(address: str, tmp_path: Path) -> None:
    """From the first move to the result, every other move with the mouse; then quit with keys."""
    arguments = ("mapello", "--server", address, "--computer", "white", "--level", "random")
    async with PseudoTerminal(arguments, tmp_path) as terminal:
        await terminal.shows("Choose a cell.", "[ ]")
        turns = 0
        while not is_over(terminal):
            before = plies(terminal)
            if turns % 2:
                x, y = terminal.find(pick(terminal))
                terminal.click(x + 1, y)
            else:
                terminal.press("tab", "enter")
            turns += 1
            await terminal.until(lambda before=before: is_over(terminal) or may_pick(terminal, before + 1))  # type: ignore[misc]
        await terminal.until(lambda: re.search(r"You won|You lost|Draw: ", terminal.text) is not None)
        assert turns > 10
        terminal.press("q")
        await terminal.shows("What would you like to play?")
        terminal.press("q")
        await terminal.shows("Leave Parlour?", "y yes")
        terminal.press("y")
        assert await terminal.exit_code() == 0


async def test_the_window_may_change(address: str, tmp_path: Path) -> None:
    """The board returns when a window that was too small is enlarged."""
    arguments = ("mapello", "--server", address, "--computer", "white", "--level", "random")
    async with PseudoTerminal(arguments, tmp_path) as terminal:
        await terminal.shows("Choose a cell.")
        terminal.resize(50, 12)
        await terminal.shows("Enlarge the window")
        terminal.resize(100, 30)
        await terminal.shows("Choose a cell.", "[ ]")


async def test_the_server_dies_in_mid_game_and_comes_back(make_server: MakeServer, tmp_path: Path) -> None:
    """The title says so; when the server is back, the same game continues by itself."""
    server = make_server("--bot-pace", "0")
    await server.start()
    arguments = ("mapello", "--server", server.url, "--computer", "white", "--level", "random")
    async with PseudoTerminal(arguments, tmp_path) as terminal:
        await terminal.shows("Choose a cell.", "connected")
        terminal.press("tab", "enter")
        await terminal.until(lambda: may_pick(terminal, after=2))
        await server.kill()
        await terminal.shows("connection lost, reconnecting")
        terminal.press("tab", "enter")
        await terminal.until(lambda: "Sending your move." in terminal.text and not pick(terminal))
        await terminal.shows(f"Nothing listens at 127.0.0.1:{server.port}.")
        assert "Check the address" not in terminal.text  # half a sentence would be no help
        await server.start()
        await terminal.until(lambda: "● connected" in terminal.text and plies(terminal) >= 4)
        assert plies(terminal) == 4


async def test_the_store_of_the_server_is_away(make_server: MakeServer, tmp_path: Path) -> None:
    """After a lost connection the title shows the server's sentence, until the store is back."""
    server = make_server()
    await server.start()
    async with Proxy(server.port) as proxy:
        arguments = ("mapello", "--server", proxy.url, "--computer", "white", "--level", "random")
        async with PseudoTerminal(arguments, tmp_path) as terminal:
            await terminal.shows("Choose a cell.", "connected")
            with server.without_store():
                assert proxy.newest is not None
                proxy.newest.lose()
                await terminal.shows("The server cannot reach its store at the moment.")
            await terminal.shows("● connected")
