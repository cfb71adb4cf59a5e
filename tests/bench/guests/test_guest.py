"""Guests use a real server."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import WebSocketException

from bench.guests.guest import Guest, visit
from parlour.protocol.errors import Refusal
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers
from tests.waiting import until


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


async def test_no_guest_stays_behind(tmp_path: Path) -> None:
    """If one of the three is refused, the two others leave."""
    server = ServerProcess(tmp_path, "--max-connections-per-address", "2")
    await server.start()

    async def has_no_connections() -> bool:
        return (await numbers(server))["parlour_connections"] == 0

    try:
        with pytest.raises((OSError, WebSocketException, Refusal)):
            await visit(server.url, Random(1))
        await until(has_no_connections)
    finally:
        await server.stop()


async def test_a_guest_who_is_refused_hangs_up(tmp_path: Path) -> None:
    """The connection does not wait for another hello."""
    server = ServerProcess(tmp_path, "--guest-rate", "1", "--players-per-address", "1")
    await server.start()

    async def has_one_connection() -> bool:
        return (await numbers(server))["parlour_connections"] == 1

    try:
        guest = await Guest.arrive(server.url, Random(1))
        with pytest.raises(Refusal):
            await Guest.arrive(server.url, Random(1))
        await until(has_one_connection)
        await guest.leave()
    finally:
        await server.stop()
