"""Removes the name of a deleted player from finished tournaments."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from parlour.protocol.messages import TournamentSummary
from parlour.protocol.types import Player
from parlour.server.store.moderation import DELETED
from parlour.server.store.players import PlayerStore
from parlour.server.store.tournaments import TournamentStore
from parlour.server.tournaments.tournament import encode
from parlour.tournaments.erasure import accounts, without_account
from parlour.tournaments.events import Created, Entered, Event

_decode_summary = msgspec.msgpack.Decoder(TournamentSummary).decode
_decode_log = msgspec.msgpack.Decoder(list[Event]).decode


class TournamentShelf(Protocol):
    """The archive of finished tournaments."""

    async def find(self, tournament: str) -> bytes | None: ...
    async def of(self, player: str) -> list[str]: ...
    async def without_player(self, tournament: str, player: str, log: bytes) -> None: ...


class TournamentErasure:
    """Removes players from the archive and from the list. The coroutines raise StoreUnavailable."""

    def __init__(self, shelf: TournamentShelf, lists: TournamentStore) -> None:
        self._shelf = shelf
        self._lists = lists

    async def erase(self, player: str) -> None:
        """Remove a player, by id, from all tournaments that are archived. It can be repeated."""
        for tournament in await self._shelf.of(player):
            log = await self._shelf.find(tournament)
            assert log is not None, "the tables of the archive change together"
            events = await asyncio.to_thread(_decode_log, log)
            listed = await self._lists.get(tournament)
            if listed is not None:
                await self._lists.replace(tournament, encode(_listed_without(_decode_summary(listed), events, player)))
            changed = encode(await asyncio.to_thread(without_account, events, player, DELETED))
            await self._shelf.without_player(tournament, player, changed)


def _listed_without(summary: TournamentSummary, events: Sequence[Event], player: str) -> TournamentSummary:
    """Return the summary of a tournament without the player with this id, who has organised or won it."""
    own = [event for event in events if isinstance(event, Created | Entered) and event.account == player]
    if any(isinstance(event, Created) for event in own):
        summary = replace(summary, organiser=DELETED)
    names = {event.name for event in own if isinstance(event, Entered)}
    return without_winner(summary) if summary.winner is not None and summary.winner.name in names else summary


def without_winner(summary: TournamentSummary) -> TournamentSummary:
    """Return the summary of a tournament whose winner was deleted."""
    return replace(summary, winner=Player(DELETED))


async def without_deleted(events: Sequence[Event], players: PlayerStore) -> list[Event]:
    """Return the log of a tournament without the players who were deleted while it was in the store."""
    found = list(events)
    ids = sorted(accounts(found))
    for id, player in zip(ids, await players.get(ids), strict=True):
        if player is not None and player.kind == "deleted":
            found = without_account(found, id, DELETED)
    return found
