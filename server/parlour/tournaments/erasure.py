"""Removes a player from the log of a tournament: the results stay, under another name. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from msgspec.structs import replace

from parlour.tournaments.events import (
    Created,
    Entered,
    Event,
    GameEnded,
    Paused,
    Returned,
    RoundStarted,
    Withdrew,
)  # fmt: skip


def accounts(events: Sequence[Event]) -> set[str]:
    """Return the ids of the players in a log, with that of the organiser."""
    return {event.account for event in events if isinstance(event, Created | Entered) and event.account}


def without_account(events: Sequence[Event], account: str, name: str) -> list[Event]:
    """Return a log in which the player with this id has another name, and no id.

    Everything else follows from the log as before. If another player there has that name, a number is added.
    """
    return list(_renamed(events, account, name, _unused(events, name)))


def _unused(events: Sequence[Event], name: str) -> str:
    used = {event.player for event in events if isinstance(event, Entered)}
    names = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(each for each in names if each not in used)


def _renamed(events: Sequence[Event], account: str, name: str, player: str) -> Iterator[Event]:
    own: set[str] = set()  # names of the player; after a withdrawal, another player may enter with one of them

    def of(each: str) -> str:
        return player if each in own else each

    for event in events:
        match event:
            case Created() if event.account == account:
                yield replace(event, organiser=player, account="")
            case Entered() if event.account == account:
                own.add(event.player)
                yield replace(event, player=player, name=name, account="", command="")
            case Entered():
                own.discard(event.player)
                yield event
            case Withdrew() | Paused() | Returned():
                yield replace(event, player=of(event.player), command="" if event.player in own else event.command)
            case RoundStarted():
                pairs = tuple((of(first), of(second)) for first, second in event.pairs)
                yield replace(event, pairs=pairs, byes=tuple(map(of, event.byes)))
            case GameEnded():
                winner = None if event.winner is None else of(event.winner)
                yield replace(event, winner=winner, berserk=tuple(map(of, event.berserk)))
            case _:
                yield event
