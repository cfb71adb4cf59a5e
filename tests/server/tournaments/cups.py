"""Tournaments for the tests of what a node does with them."""

from __future__ import annotations

from typing import Any

from parlour.protocol.messages import CreateTournament, JoinTournament, Ok, Register
from parlour.protocol.types import Clock, Terms, TournamentSettings
from parlour.tournaments import commands
from parlour.tournaments.events import Created, Event
from parlour.tournaments.settings import Settings
from parlour.tournaments.state import TournamentState, begin, evolve
from tests.server.running_node import Caller, RunningNode

NOW = 1_700_000_000_000
BLITZ = Clock("fischer", 300_000, 3_000)
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def cup(**values: Any) -> dict[str, Any]:
    return {"name": "Cup", "format": "round_robin", "terms": Terms("replica", clock=BLITZ), **values}


def opened(players: int, **values: Any) -> list[Event]:
    """Return the log of a tournament that has not begun. The ids of its players begin with `id-of`."""
    events = commands.create(Settings(**cup(**values)), NOW, "Olga", "id-of-olga", "digest")
    if values.get("format") == "simul":
        events += commands.enter(folded(events), "Olga", "Olga", 1500, NOW, account="id-of-olga")
    for name in NAMES[:players]:
        state = folded(events)
        events += commands.enter(state, name, name, 1500, NOW, account=f"id-of-{name}", command="digest")
    return events


def folded(events: list[Event]) -> TournamentState:
    created, *others = events
    assert isinstance(created, Created)
    state = begin(created)
    for event in others:
        state = evolve(state, event)
    return state


async def organiser(node: RunningNode, name: str = "Olga") -> Caller:
    """Return a player with an account."""
    caller = await node.call(name=name)
    await caller.ask(Register(id=0, name=name, password="wooden bishop"))
    return caller


async def create(caller: Caller, code: str = "", levels: tuple[str, ...] = (), **values: Any) -> str:
    """Create a tournament, and return its id."""
    answer = await caller.ask(
        CreateTournament(id=0, settings=TournamentSettings(**cup(**values)), code=code, levels=levels)
    )
    assert isinstance(answer, Ok), answer
    assert answer.tournament is not None
    return answer.tournament


async def enter(node: RunningNode, tournament: str, players: int) -> list[Caller]:
    """Let some guests take part."""
    callers = [await node.call(name=name) for name in NAMES[:players]]
    for caller in callers:
        assert isinstance(await caller.ask(JoinTournament(id=0, tournament=tournament)), Ok)
    return callers
