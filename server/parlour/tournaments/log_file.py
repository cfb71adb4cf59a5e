"""The log of a tournament as a file: JSON Lines, one event each."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.tournaments import commands
from parlour.tournaments.events import (
    Cancelled,
    Created,
    Entered,
    Event,
    Finished,
    GameEnded,
    Paused,
    Returned,
    RoundStarted,
    Withdrew,
)  # fmt: skip
from parlour.tournaments.state import TournamentState, begin, evolve

_decoder = msgspec.json.Decoder(Event)


def write(event: Event) -> str:
    """Return the line of an event."""
    return msgspec.json.encode(event).decode() + "\n"


def is_log(text: str) -> bool:
    """Return whether a text begins like the log of a tournament."""
    return text.startswith('{"type":"created"')


def read(text: str) -> list[Event]:
    """Return the events of a log. Raise Refusal unless it is the log of a tournament."""
    events: list[Event] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            events.append(_decoder.decode(line))
        except msgspec.MsgspecError as error:
            raise Refusal(ErrorCode.RECORD_BROKEN, f"Line {number} is not an event of a tournament: {error}.") from None
    if not events or not isinstance(events[0], Created):
        raise Refusal(ErrorCode.RECORD_BROKEN, "The file is not the log of a tournament.")
    return events


def faults(events: list[Event]) -> Iterable[str]:
    """Yield the faults of a log: each event must be one that the rules of tournaments lead to."""
    created, *others = events
    assert isinstance(created, Created)
    try:
        commands.create(created.settings, created.at, created.organiser, created.account, created.code)
    except Refusal as refusal:
        yield f"Event 1: {refusal.sentence}"
    state, at = begin(created), created.at
    implied: list[Event] = []
    for number, event in enumerate(others, 2):
        if event.at < at:
            yield f"Event {number} is earlier than the one before it."
        at = event.at
        try:
            expected = implied or _decided(state, event)
        except Refusal as refusal:
            yield f"Event {number}: {refusal.sentence}"
            return
        if not expected or expected[0] != event:
            yield f"Event {number} does not follow from the events before it."
            return
        implied = expected[1:]
        state = evolve(state, event)
    if implied:
        yield f"The log ends before event {len(events) + 1}, which event {len(events)} implies."


def _check_time(state: TournamentState, at: int) -> None:
    """Raise Refusal if no round could begin yet: before the start, in a pause, or without enough players."""
    due = commands.deadline(state)
    if state.settings.computer is None and (due is None or at < due):
        raise Refusal(ErrorCode.TOURNAMENT_INVALID, "The round begins too early.")


def _decided(state: TournamentState, event: Event) -> list[Event]:
    """Return the events that the command behind an event leads to."""
    match event:
        case Entered():
            return commands.enter(
                state, event.player, event.name, event.rating, event.at,
                account=event.account, level=event.level, kind=event.kind, team=event.team, command=event.command,
            )  # fmt: skip
        case Withdrew():
            return commands.withdraw(state, event.player, event.at, event.command)
        case Paused():
            return commands.pause(state, event.player, event.at, event.command)
        case Returned():
            return commands.rejoin(state, event.player, event.at, event.command)
        case RoundStarted():
            _check_time(state, event.at)
            return commands.start_round(state, event.at)
        case Finished():
            return commands.start_round(state, event.at)
        case GameEnded():
            return commands.report(
                state, event.round, event.match, event.game, event.winner, event.at,
                forfeit=event.forfeit, berserk=event.berserk,
            )  # fmt: skip
        case Cancelled():
            return commands.terminate(state, event.at, event.command)
        case Created():
            return []
