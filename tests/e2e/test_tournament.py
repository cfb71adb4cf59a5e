"""A tournament outlives the node that carries it on."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.client import connect
from parlour.client.client import Client
from parlour.protocol.messages import Register
from parlour.protocol.types import Clock, Terms, TournamentSettings
from parlour.tournaments import log_file
from parlour.tournaments.events import Event, RoundStarted
from parlour.tournaments.state import fold
from tests.e2e.conftest import MakeServer
from tests.e2e.test_computer import HURRY
from tests.e2e.two_nodes import two_nodes

LEVELS = ("random", "greedy", "1", "2")
CUP = TournamentSettings(
    name="Cup",
    format="round_robin",
    terms=Terms("replica", clock=Clock("fischer", 10_000, 1_000)),
    min_players=4,
    pause=500,  # so that the other rounds are still to come when the node is killed
)


async def log_of(client: Client, tournament: str) -> list[Event]:
    return log_file.read("".join([f"{event}\n" async for event in client.tournaments.log(tournament)]))


async def test_the_node_of_a_tournament_is_killed(
    make_server: MakeServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed as soon as a round is paired, it leaves the rest to the other node: every pairing is played once, and log
    and records are valid.
    """
    async with two_nodes(make_server, tmp_path, *HURRY) as ((one, two), _), connect(two.url) as watcher:
        async with connect(one.url, name="Olga") as olga:
            await olga.connection.call(Register(id=0, name="Olga", password="wooden bishop"))
            tournament = await olga.tournaments.create(CUP, levels=LEVELS)
        async with asyncio.timeout(120):
            while not any(isinstance(event, RoundStarted) for event in await log_of(watcher, tournament)):
                pass
            await one.kill()
            rounds = len(fold(await log_of(watcher, tournament)).rounds)
            while not fold(await log_of(watcher, tournament)).is_finished:
                await asyncio.sleep(0.1)
        state = fold(await log_of(watcher, tournament))
        assert rounds < 3 == len(state.rounds)
        met = Counter(frozenset((match.first, match.second)) for each in state.rounds for match in each.matches)
        assert (len(met), set(met.values())) == (6, {1})
        assert all(len(match.winners) == 1 and not match.forfeits for each in state.rounds for match in each.matches)

        export = ["tournament", "export", tournament, "--server", two.url, "--as", "records"]
        assert await asyncio.to_thread(main, export) == 0
        file = tmp_path / "cup.jsonl"
        file.write_text(capsys.readouterr().out, "utf-8")
        assert await asyncio.to_thread(main, ["verify", str(file)]) == 0
        assert "with the records of 6 games" in capsys.readouterr().out
        assert two.errors == []
