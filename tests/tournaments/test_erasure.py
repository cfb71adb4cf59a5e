"""A player is removed from the log of a tournament."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from parlour.tournaments import commands
from parlour.tournaments.erasure import accounts, without_account
from parlour.tournaments.events import Entered, Event
from parlour.tournaments.log_file import faults
from parlour.tournaments.settings import Settings
from parlour.tournaments.standings import standings
from parlour.tournaments.state import evolve, fold
from tests.tournaments.playing import NOW, settings

GONE = "Deleted player"


def played(settings: Settings, players: int = 6) -> list[Event]:
    """Return the log of a tournament that Olga has organised, with random results."""
    rng = Random(settings.format)
    log = commands.create(settings, NOW, "Olga", "id-of-olga")
    state = fold(log)
    now = NOW

    def apply(events: list[Event]) -> None:
        nonlocal state
        log.extend(events)
        for event in events:
            state = evolve(state, event)

    if settings.format == "simul":
        apply(commands.enter(state, "Olga", "Olga", 2000, now, account="id-of-olga"))
    for number in range(players):
        apply(commands.enter(state, f"P{number}", f"P{number}", 1500, now, account=f"id-of-{number}", command="digest"))
    while not state.is_finished:
        now += 2_000
        apply(commands.advance(state, now))
        for number, index, match in list(state.running):
            winner = rng.choice((match.first, match.second, None))
            apply(commands.report(state, number, index, len(match.winners), winner, now))
    return log


@pytest.mark.parametrize("player", ["id-of-olga", "id-of-2"])
@pytest.mark.parametrize("kind", ["arena", "swiss", "round_robin", "knockout", "simul"])
def test_the_results_stay(kind: str, player: str) -> None:
    """The log is as valid as before, the standings are the same, and neither the name nor the id is left."""
    duration = 60_000 if kind == "arena" else 0
    log = played(settings(format=kind, min_players=6, duration=duration))
    found = without_account(log, player, GONE)
    assert list(faults(log)) == list(faults(found)) == []
    before, after = standings(fold(log)), standings(fold(found))
    assert [row.points for row in before] == [row.points for row in after]
    name = "Olga" if player == "id-of-olga" else "P2"
    text = msgspec.json.encode(found).decode()
    assert f'"{name}"' not in text
    assert player not in text
    assert GONE in text
    assert accounts(found) == accounts(log) - {player}


def test_two_players_are_removed() -> None:
    """They stay two players."""
    log = played(settings(min_players=6))
    for player in ("id-of-1", "id-of-2"):
        log = without_account(log, player, GONE)
    assert list(faults(log)) == []
    entries = {entry.player: entry.name for entry in fold(log).entries}
    assert entries[GONE] == entries[f"{GONE} (2)"] == GONE


def test_another_player_with_the_same_name_stays() -> None:
    """It was free because the first one had withdrawn and got another name."""
    log = commands.create(settings(), NOW)
    for account in ("a", "b"):
        log += commands.enter(fold(log), "Ann", "Ann", 0, NOW, account=account)
        if account == "a":
            log += commands.withdraw(fold(log), "Ann", NOW)
    found = without_account(log, "a", GONE)
    assert [event.player for event in found if isinstance(event, Entered)] == [GONE, "Ann"]
    assert [entry.player for entry in fold(found).entries] == ["Ann"]
    assert list(faults(found)) == []
