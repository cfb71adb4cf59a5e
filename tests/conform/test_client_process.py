"""The client under test as a process."""

from __future__ import annotations

import asyncio
import sys

import pytest

from parlour.conform.client_process import Program, environment_of
from parlour.conform.profiles import Profile
from parlour.conform.scripted_server import ScriptedServer


async def run(source: str, limit: float = 60.0, enough: asyncio.Event | None = None) -> str:
    async with ScriptedServer() as server:
        result = await Program([sys.executable, "-c", source], limit).run(server, enough or asyncio.Event())
        assert not result.fine
        return str(result)


async def test_the_outcome_is_described() -> None:
    """Exit code, progress and the last line of output are reported."""
    assert await run("print('one'); print('two'); exit(3)") == (
        "it exited with 3, before any game; its last line of output: two"
    )


async def test_the_address_and_the_game_are_in_the_environment() -> None:
    """The client finds them in PARLOUR_URL and PARLOUR_GAME."""
    said = await run("import os; print(os.environ['PARLOUR_GAME'], os.environ['PARLOUR_URL'])")
    assert "replica ws://127.0.0.1:" in said


async def test_a_client_is_stopped_when_enough_is_known() -> None:
    """A client that has already broken its rule is stopped before the game ends."""
    enough = asyncio.Event()
    enough.set()
    assert "was running after 60 s" in await run("import time; time.sleep(600)", enough=enough)


async def test_a_missing_program_is_an_error() -> None:
    """A command that does not exist cannot be checked."""
    async with ScriptedServer() as server:
        with pytest.raises(OSError, match="no-such-program"):
            await Program(["no-such-program"], 1.0).run(server, asyncio.Event())


async def test_each_profile_is_told_what_it_needs() -> None:
    """A spectator is told the room, and a bot its token."""
    for profile, extra in ((Profile.SPECTATOR, "PARLOUR_ROOM"), (Profile.BOT, "PARLOUR_TOKEN")):
        async with ScriptedServer(profile=profile) as server:
            told = environment_of(server)
        assert told["PARLOUR_PROFILE"] == profile.value
        assert told[extra]
