"""The full-screen client in tmux: a newcomer, two players and a spectator, and a slow connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Proxy
from tests.e2e.tmux import Screen, Tmux
from tests.waiting import until


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(tmp_path) as running:
        yield running


async def answer_yes(screen: Screen, question: str) -> None:
    """Confirm a question, once it can be."""
    await screen.shows(question, "y yes")
    screen.press("y")


async def test_a_newcomer_plays_the_computer(server: ServerProcess, tmux: Tmux) -> None:
    """From the start screen to the computer's reply, with the keys that the screens name."""
    screen = tmux.play("Ned", "--server", server.url, "--name", "Ned")
    await screen.shows("Play the computer", "b")
    screen.press("b")
    await screen.shows("< the computer >", "Left/Right change", "Ctrl+S start")
    screen.press("Right")
    await screen.shows("< Mapello >")
    screen.press("C-s")
    await screen.shows("Ned (you)", "Choose a cell.", "Enter choose")
    screen.press("f", "7", "Enter")
    await until(lambda: re.search(r" 1  f7 +[a-j][0-9]", screen.text) is not None)
    await screen.shows("Choose a cell.")


async def quick_match(tmux: Tmux, server: ServerProcess) -> tuple[Screen, Screen]:
    """Pair two terminals, and return them once Black, the first of them, has played f7."""
    both = [tmux.play(name, "--server", server.url, "--name", name) for name in ("Ann", "Bea")]
    for screen in both:
        await screen.shows("Quick match", "Mapello")
        screen.press("Down", "Enter")
    for screen in both:
        await screen.shows("(you)")
    await until(lambda: any("Choose a cell." in screen.text for screen in both))
    black, white = both if "Choose a cell." in both[0].text else reversed(both)
    black.press("f", "7", "Enter")
    await white.shows(" 1  f7", "Choose a cell.")
    return black, white


async def test_two_terminals_meet_by_quick_match(server: ServerProcess, tmux: Tmux) -> None:
    """Every offer and its answer reach the other terminal: each is declined, then accepted. A third one watches."""
    black, white = await quick_match(tmux, server)
    spectator = tmux.play("Cat", "--server", server.url, "--name", "Cat")
    await spectator.shows("3 online, 1 game")
    spectator.press("w")
    await spectator.shows("Enter watch", "Mapello, move 1")
    spectator.press("Enter")
    assert "(you)" not in await spectator.shows("Ann", "Bea", " 1  f7", "q leave")

    black.press("T")
    await white.shows("N decline takeback")
    white.press("N")
    await black.shows("T take back", "declined")
    black.press("D")
    await answer_yes(black, "a draw?")
    await white.shows("N decline draw")
    white.press("N")
    await white.shows("Choose a cell.")
    white.press("e", "7", "Enter")
    await black.shows("e7", "Choose a cell.")

    white.press("T")
    await black.shows("Y accept takeback")
    black.press("Y")
    await white.shows("taken back", "Choose a cell.")
    white.press("e", "7", "Enter")
    await black.shows("e7", "Choose a cell.")
    white.press("D")
    await answer_yes(white, "a draw?")
    await black.shows("Y accept draw")
    black.press("Y")
    await answer_yes(black, "Agree to it?")
    for screen in (black, white, spectator):
        await screen.shows("Draw: ")

    black.press("R")
    await white.shows("N decline rematch")
    white.press("N")
    await black.shows("declined the rematch")
    white.press("R")
    await black.shows("Y accept rematch")
    black.press("Y")
    for screen in (black, white):
        await screen.shows("The rematch starts. You have switched sides.")
    white.press("Q")
    await answer_yes(white, "Resign?")
    await black.shows("resigned", "R rematch")


async def test_the_server_is_killed_while_two_terminals_play(server: ServerProcess, tmux: Tmux) -> None:
    """Both reconnect by themselves, and the game goes on where it was."""
    black, white = await quick_match(tmux, server)
    await server.kill()
    for screen in (black, white):
        await until(lambda screen=screen: "● connected" not in screen.text)  # type: ignore[misc]
    await server.start()
    for screen in (black, white):
        await screen.shows("● connected", " 1  f7")
    await white.shows("Choose a cell.")
    white.press("e", "7", "Enter")
    await black.shows(" 1  f7", "e7", "Choose a cell.")


async def test_an_invitation_by_name(server: ServerProcess, tmux: Tmux) -> None:
    """A player invites another by name, who accepts; their game is not listed for others."""
    ann, bea, cat = (tmux.play(name, "--server", server.url, "--name", name) for name in ("Ann", "Bea", "Cat"))
    for screen in (ann, bea, cat):
        await screen.shows("Quick match", "3 online")
    ann.press("v")
    await ann.shows("Invite:")
    ann.type("Bea")
    ann.press("Enter")
    await ann.shows("< a friend, by name or code >", "Bea", "Ctrl+S start")
    ann.press("C-s")
    await ann.shows("You invited Bea")
    await bea.shows("Invitations", "1 player invited you")
    bea.press("Tab", "Enter")
    for screen in (ann, bea):
        await screen.shows("(you)", "Ann", "Bea")
    cat.press("w")
    await cat.shows("No games are being played.")


async def test_impatience_creates_one_game(make_server: MakeServer, tmux: Tmux) -> None:
    """While the server's answer is under way, keys that start a game do nothing more."""
    server = make_server()
    await server.start()
    async with Proxy(server.port) as proxy:
        screen = tmux.play("Ida", "--server", proxy.url, "--name", "Ida")
        await screen.shows("Quick match")
        screen.press("b")
        await screen.shows("< the computer >", "Ctrl+S start")
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


async def test_a_game_on_a_slow_connection(server: ServerProcess, tmux: Tmux) -> None:
    """With 1.2 seconds of round trip, a newcomer gets from the start to the computer's reply."""
    async with Proxy(server.port, delay=0.6) as proxy:
        screen = tmux.play("Lea", "--server", proxy.url, "--name", "Lea")
        await screen.shows("Play the computer")
        screen.press("b")
        await screen.shows("< the computer >", "Ctrl+S start")
        screen.press("Right", "C-s")
        await screen.shows("Lea (you)", "Choose a cell.")
        screen.press("f", "7", "Enter")
        await until(lambda: re.search(r" 1  f7 +[a-j][0-9]", screen.text) is not None)
        await screen.shows("Choose a cell.")
