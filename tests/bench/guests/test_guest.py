"""Guests use a real server."""

from __future__ import annotations

from pathlib import Path
from random import Random

from bench.guests.guest import visit
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers


async def test_three_guests_visit_a_server(tmp_path: Path) -> None:
    """Two of them play each other, the third one watches, and the server counts what they did."""
    server = ServerProcess(tmp_path)
    await server.start()
    try:
        operations = await visit(server.url, Random(1))
        samples = await numbers(server)
    finally:
        await server.stop()
    games = sum(value for name, value in samples.items() if name.startswith("parlour_games_started_total"))
    moves = sum(value for name, value in samples.items() if name.startswith("parlour_moves_total"))
    assert games >= 1
    assert operations > moves > 1
    assert server.errors == []
