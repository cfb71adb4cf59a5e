"""Recurring tournaments: the successor of one that is over."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.tournaments import commands
from parlour.tournaments.events import Created, Event
from parlour.tournaments.state import TournamentState, begin, evolve


def goes_on(state: TournamentState) -> bool:
    """Return whether another tournament follows: unless the organiser cancelled this one, or no player came."""
    if not state.settings.every or not state.is_finished:
        return False
    return state.status == "finished" or (state.changed >= state.settings.start and bool(state.entries))


def following(state: TournamentState, now: int) -> list[Event]:
    """Return the first events of the tournament that follows one that is over; empty if none does.

    It begins a whole number of intervals after this one, at the first such time in the future. The levels of the
    computer take part again, and other players enter again.
    """
    if not goes_on(state):
        return []
    settings = state.settings
    intervals = max(0, now - settings.start) // settings.every + 1
    next_settings = replace(settings, start=settings.start + intervals * settings.every)
    created = Created(now, next_settings, state.organiser, state.organiser_account, state.code)
    events: list[Event] = [created]
    after = begin(created)
    for entry in state.entries:
        if entry.level is not None:
            entered = commands.enter(
                after, entry.player, entry.name, entry.rating, now, level=entry.level, team=entry.team
            )
            events += entered
            after = evolve(after, entered[0])
    return events
