"""`parlour tournament create`, `list`, and the commands that read a tournament on a server."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from asyncio.subprocess import PIPE

import pytest

from parlour.cli import tournament
from parlour.cli.tournament_server import line_of, settings_of
from parlour.client import connect
from parlour.protocol.messages import TournamentSummary
from parlour.protocol.types import Clock, Player, Terms, TournamentSettings
from tests.cli.test_token import PASSWORD, server
from tests.e2e.processes import ServerProcess

__all__ = ["server"]

NOON = 1_760_011_200_000
CUP = TournamentSettings(name="Cup", format="swiss", terms=Terms("replica"))


async def run(*arguments: str) -> tuple[int | None, str, str]:
    """Run a command about tournaments; return its exit code, standard output and standard error."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "tournament", *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE,
        env={**environ, "PARLOUR_PASSWORD": PASSWORD},
    )  # fmt: skip
    output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()


async def test_a_tournament_is_created_listed_and_shown(server: ServerProcess) -> None:
    """The id is the only output, and every other command takes it."""
    at = ("--server", server.url)
    code, output, errors = await run("create", "replica", "--account", "ann", "--in", "30", "--level", "3", *at)
    assert (code, errors) == (0, "")
    id = output.strip()
    _, listed, _ = await run("list", *at)
    assert listed.startswith(f"{id}  Tournament: replica, arena, 1 player, begins ")
    _, shown, _ = await run("show", id, *at)
    assert "Computer 3" in shown
    _, log, _ = await run("export", id, "--as", "log", *at)
    assert log.startswith('{"type":"created"')
    code, _, errors = await run("show", "nonsense", *at)
    assert code == 2
    assert "tournament_unknown" in errors
    async with connect(server.url) as eve:
        assert (await eve.tournaments.summary(id)).organiser == "Ann"


def parsed(*words: str) -> TournamentSettings:
    parser = argparse.ArgumentParser()
    tournament.add_to(parser.add_subparsers())
    return settings_of(parser.parse_args(["tournament", "create", *words]), NOON)


def test_the_arguments_become_settings() -> None:
    """An arena has a duration, formats with several rounds have a pause; times are in minutes."""
    arena = parsed("replica", "--in", "10", "--duration", "45", "--berserk", "--clock", "3+2")
    assert (arena.start, arena.duration, arena.pause) == (NOON + 600_000, 2_700_000, 0)
    assert parsed("replica", "--in", "10", "--every", "24").every == 86_400_000
    assert arena.terms == Terms("replica", clock=Clock("fischer", 180_000, 2_000), rated=True)
    swiss = parsed("mapello", "--format", "swiss", "--players", "4", "8", "--ratings", "1000", "1600", "--casual")
    assert (swiss.start, swiss.duration, swiss.pause) == (0, 0, 60_000)
    assert (swiss.min_players, swiss.max_players, swiss.ratings) == (4, 8, (1000, 1600))
    assert swiss.late_entry
    assert not parsed("mapello", "--format", "swiss", "--no-late-entry").late_entry
    simul = parsed("replica", "--format", "simul", "--host-side", "alternating")
    assert (simul.host_side, simul.duration, simul.pause) == ("alternating", 0, 0)


@pytest.mark.parametrize(
    ("row", "end"),
    [
        (TournamentSummary("x", CUP, "open", 1), "1 player, begins with enough players"),
        (TournamentSummary("x", CUP, "open", 2, NOON), "2 players, begins 2025-10-09 12:00 UTC"),
        (TournamentSummary("x", CUP, "running", 2, NOON), "2 players, since 2025-10-09 12:00 UTC"),
        (TournamentSummary("x", CUP, "cancelled", 0), "0 players, cancelled"),
        (TournamentSummary("x", CUP, "finished", 4, winner=Player("Ada")), "4 players, won by Ada"),
    ],
)
def test_a_line_of_the_list(row: TournamentSummary, end: str) -> None:
    """It says when the tournament begins or began, or how it ended."""
    assert line_of(row) == f"x  Cup: replica, swiss, {end}"
