"""The document about the HTTP API works, step by step, on a real server."""

from __future__ import annotations

from pathlib import Path

from parlour.server.archive.verify import faults, read
from tests.docs.reader import PART, Reader
from tests.e2e.processes import ServerProcess

PAGE = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text(encoding="utf-8")


async def test_a_reader_can_follow_the_page(tmp_path: Path) -> None:
    """Every step succeeds with `curl` alone, and the script plays a whole game."""
    server = ServerProcess(tmp_path / "data", "--unlimited-networks", "127.0.0.0/8")
    await server.start()
    reader = Reader(tmp_path, server.url.replace("ws://", "http://").removesuffix("/ws"))
    try:
        for part in PART.finditer(PAGE):
            await reader.follow(part)
    finally:
        await server.stop()
    lists, export, game, unknown = reader.printed
    assert '"rows":[["random"' in lists
    assert (tmp_path / "picture.svg").read_text().startswith("<svg ")
    assert export == ""
    _, _, record = game.partition("[Game ")
    assert list(faults(read(f"[Game {record}"))) == []
    assert "[Reason " in record
    assert '"error": "game_unknown"' in unknown
