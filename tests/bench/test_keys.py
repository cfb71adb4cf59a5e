"""Random keys in the full-screen client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from bench import keys
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.account_screen import AccountScreen
from parlour.terminal.full_screen.form import Form
from parlour.terminal.full_screen.quit_screen import QuitScreen
from parlour.terminal.full_screen.tournament_screen import TournamentScreen
from tests.terminal.full_screen.conftest import serving
from tests.waiting import until

BURSTS = 60


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


def test_no_burst_of_keys_leaves_or_ends_a_game(url: str) -> None:
    """Random bursts raise nothing, leave nothing unasked, and neither resign nor agree to a draw."""
    tally = keys.share(url, BURSTS, seed=31, processes=1)
    assert tally.violations == []
    assert tally.bursts == BURSTS
    assert tally.screens["TableScreen"]
    assert keys.report(tally).endswith("violations: 0")


async def confirm(visit: keys.Visit, *opening: str) -> None:
    """Press the keys that open a question, and answer it with yes as soon as that counts."""
    await visit.press(*opening)
    await visit.drawn()
    await until(lambda: visit.question is not None and visit.question.is_ready(monotonic()))
    await visit.press("y")


async def first_violation(visit: keys.Visit) -> str:
    """Wait for a violation and return it."""
    found: list[str] = []

    def is_found() -> bool:
        found.extend(visit.violations())
        return bool(found)

    await until(is_found)
    return found[0]


async def test_what_must_not_happen_is_noticed(url: str, tmp_path: Path) -> None:
    """A game that is resigned, a table that is left, a halved clock, a guest who signs out, and an app that exits."""
    async with keys.visit(url, tmp_path, Random(1)) as visit:
        await visit.go("hotseat", Terms("mapello"))
        assert [*visit.violations()] == []
        await confirm(visit, "Q")
        assert (await first_violation(visit)).endswith("is over: resigned")

        await visit.go("table", Terms("mapello"))
        assert [*visit.violations()] == []
        await confirm(visit, "q")
        assert (await first_violation(visit)).endswith("was left")

        await visit.go("paired", Terms("mapello"))
        assert [*visit.violations()] == []
        await confirm(visit, "B")
        assert (await first_violation(visit)).endswith("was halved")

        await visit.go("account", Terms("mapello"))
        await visit.drawn(AccountScreen)
        visit.app.screen.query_one("#form", Form).go("sign_out")
        await confirm(visit, "enter")
        assert " has become " in await first_violation(visit)

        await visit.go("quit", Terms("mapello"))
        await visit.drawn(QuitScreen)
        await confirm(visit)
        await until(lambda: [*visit.violations()] == ["the app has exited"])


async def test_a_withdrawal_is_noticed(url: str, tmp_path: Path) -> None:
    """A player who has left a tournament is found in its standings."""
    async with keys.visit(url, tmp_path, Random(2)) as visit:
        await visit.go("tournament", Terms("mapello"))
        screen = visit.app.screen
        assert isinstance(screen, TournamentScreen)
        await until(lambda: screen.own is not None and screen.own.state == "entered")
        assert await visit.recorded() == []
        await confirm(visit, "w")
        await until(lambda: screen.own is not None and screen.own.state == "withdrawn")
        (found,) = await visit.recorded()
        assert "a withdrawal" in found


async def test_what_is_raised_is_reported(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception is a violation, and does not end the run."""
    monkeypatch.setattr(keys, "PLACES", ("nowhere to go:",))
    monkeypatch.setattr(keys, "GAMES", ())
    tally = await keys.press_keys(url, tmp_path, 1, "1")
    assert tally.violations[0].strip().endswith("IndexError: Cannot choose from an empty sequence")
