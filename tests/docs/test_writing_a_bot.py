"""The guide for bot authors works, step by step, on a real server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from parlour.bots.engine import Request
from parlour.client import connect
from parlour.client.engine_bot import EngineRequest
from tests.client.playing import rated
from tests.docs.reader import PART, Reader
from tests.e2e.processes import ServerProcess

PAGE = (Path(__file__).parents[2] / "docs" / "writing-a-bot.md").read_text(encoding="utf-8")


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
    assert len(parts) == 13
    assert any("replica, round robin, 2 players, finished" in printed for printed in reader.printed)
    assert any(re.fullmatch(r"replica: 1\d{3} ± \d+, games: 1\n", printed) for printed in reader.printed), (
        reader.printed
    )
    assert len(re.findall(r"against Dora (?:won|lost|drawn)", errors)) == 3, errors
    assert "Traceback" not in errors
    assert server.errors == []


def test_ten_lines() -> None:
    """The first bot is as short as its heading says, and so is one in a tournament, not counting blank lines."""
    bots = [part["text"] for part in PART.finditer(PAGE) if part["name"] in ("my_bot.py", "cup_bot.py")]
    assert len(bots) == 2
    assert max(len([line for line in bot.splitlines() if line]) for bot in bots) <= 10


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
