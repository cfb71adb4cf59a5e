"""The guide for bot authors works, step by step, on a real server."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

import msgspec

from parlour.bots.engine import Request
from parlour.client import connect
from parlour.client.engine_bot import EngineRequest
from tests.client.playing import rated
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN

PAGE = (Path(__file__).parents[2] / "docs" / "writing-a-bot.md").read_text(encoding="utf-8")
PART = re.compile(
    r"<!-- (save: (?P<name>\S+)|step|step: stays) -->\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)

ADDRESS = "http://127.0.0.1:8765"


class Reader:
    """A reader who follows the page in an empty folder."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.printed: list[str] = []
        self.running: list[Process] = []
        self._address = address

    async def follow(self, part: re.Match[str]) -> None:
        """Save a file or run a step."""
        text = part["text"].replace(ADDRESS, self._address)
        if part["name"] is not None:
            (self.folder / part["name"]).write_text(text, encoding="utf-8")
        elif part[1].endswith("stays"):
            self.running.append(await self._start(text))
        else:
            process = await self._start(text)
            try:
                async with asyncio.timeout(WITHIN):
                    output, errors = await process.communicate()
            except TimeoutError:
                self.running.append(process)
                raise
            assert process.returncode == 0, errors.decode()
            assert b"Traceback" not in errors, errors.decode()
            self.printed.append(output.decode())

    async def _start(self, script: str) -> Process:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environ = {**os.environ, "PATH": path, "PARLOUR_PASSWORD": "wooden bishop"}
        return await asyncio.create_subprocess_exec(
            "sh", "-ec", script,
            cwd=self.folder, env=environ, stdin=PIPE, stdout=PIPE, stderr=PIPE,
            process_group=0,  # as a shell does, so that `stop` can interrupt all of it
        )  # fmt: skip

    async def stop(self) -> str:
        """Interrupt what is still running, as Ctrl-C does, and return what it wrote to standard error."""
        errors = ""
        for process in self.running:
            os.killpg(process.pid, signal.SIGINT)
            async with asyncio.timeout(WITHIN):
                errors += (await process.communicate())[1].decode()
        return errors


async def ratings(url: str, name: str, games: int) -> list[str]:
    """Wait until the player has the given number of rated games, and return the games of its ratings."""
    async with connect(url) as client:
        return [line.game for line in (await rated(client, name, games)).ratings]


async def test_from_nothing_to_a_rated_game(tmp_path: Path) -> None:
    """With every file and command of the page in order, the bot plays three rated games and prints its ratings."""
    server = ServerProcess(tmp_path / "data")
    await server.start()
    reader = Reader(tmp_path, server.url.replace("ws://", "http://").removesuffix("/ws"))
    parts = list(PART.finditer(PAGE))
    try:
        for part in parts:
            if "rating.py" in part["text"]:
                await ratings(server.url, "Robbie", 1)
            await reader.follow(part)
        assert sorted(await ratings(server.url, "Robbie", 3)) == ["isaac", "mapello", "replica"]
    finally:
        errors = await reader.stop()
        await server.stop()
    assert len(parts) == 10
    assert any(re.fullmatch(r"replica: 1\d{3} ± \d+, games: 1\n", printed) for printed in reader.printed), (
        reader.printed
    )
    assert len(re.findall(r"against Dora (?:won|lost|drawn)", errors)) == 3, errors
    assert "Traceback" not in errors
    assert server.errors == []


def test_ten_lines() -> None:
    """The first bot is as short as its heading says, not counting blank lines."""
    [bot] = [part["text"] for part in PART.finditer(PAGE) if part["name"] == "my_bot.py"]
    assert len([line for line in bot.splitlines() if line]) <= 10


def test_the_request_is_current() -> None:
    """The example is a valid request, `parlour think` understands it, and the page describes every field."""
    [example] = re.findall(r"<!-- request -->\n```json\n(.*?)\n```", PAGE, re.DOTALL)
    shown: dict[str, Any] = json.loads(example)
    request = msgspec.json.decode(example, type=EngineRequest)
    assert json.loads(msgspec.json.encode(request)) == shown
    assert msgspec.json.decode(example, type=Request).moves == request.moves
    described = PAGE.partition("### The request")[2].partition("### The reply")[0]
    for field in EngineRequest.__struct_fields__:
        assert f"`{field}`" in described
