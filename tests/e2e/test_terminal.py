"""The full-screen client in tmux, over a slow connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import MakeServer
from tests.e2e.proxy import Proxy
from tests.e2e.tmux import Screen, Tmux


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(tmp_path) as running:
        yield running


async def answer_yes(screen: Screen, question: str) -> None:
    """Confirm a question, once it can be."""
    await screen.shows(question, "y yes")
    screen.press("y")


async def test_impatience_creates_one_game(make_server: MakeServer, tmux: Tmux) -> None:
    """While the server's answer is under way, keys that start a game do nothing more."""
    server = make_server()
    await server.start()
    async with Proxy(server.port) as proxy:
        screen = tmux.play("Ida", "--server", proxy.url, "--name", "Ida")
        await screen.shows("Quick match")
        screen.press("b")
        await screen.shows("New table", "the computer")
        assert proxy.newest is not None
        proxy.newest.hold()
        for _ in range(3):
            screen.press("C-s")
        await screen.shows("Starting the game.")
        proxy.newest.let_go()
        await screen.shows("(you)")
        screen.press("q")
        await answer_yes(screen, "Leave?")
        shown = await screen.shows("Your games", "against Computer")
        assert shown.count("against Computer") == 1
