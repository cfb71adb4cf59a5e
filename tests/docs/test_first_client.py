"""The page about a first client works, step by step, on a real server."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.reader import PART, Reader
from tests.e2e.processes import ServerProcess

PAGE = (Path(__file__).parents[2] / "docs" / "first-client.md").read_text(encoding="utf-8")


async def test_from_nothing_to_a_game(tmp_path: Path) -> None:
    """With every file and command of the page in order, the client lists the games and plays one to the end."""
    server = ServerProcess(tmp_path / "data")
    await server.start()
    reader = Reader(tmp_path, server.url.replace("ws://", "http://").removesuffix("/ws"))
    try:
        for part in PART.finditer(PAGE):
            await reader.follow(part)
    finally:
        await server.kill()
    hello, game = reader.printed
    assert hello.startswith("I am Ada\n")
    assert "\nreplica: " in hello
    assert re.search(r"^move \S+$", game, re.MULTILINE)
    assert re.search(r"^The game is over: \w+$", game, re.MULTILINE)


def test_it_is_short() -> None:
    """The client needs one library and forty lines."""
    [client] = [part["text"] for part in PART.finditer(PAGE) if part["name"] == "first_client.py"]
    assert len(client.splitlines()) <= 40
    assert set(re.findall(r"^(?:import|from) (\w+)", client, re.MULTILINE)) == {"json", "random", "websockets"}
