"""The export of everything that the server has stored about a player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from parlour.protocol.messages import AccountData, ExportAccount
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.rating_history import RatingHistory
from parlour.server.archive.database.variations import VariationTable
from parlour.server.players.blocking import Blocking
from parlour.server.players.ratings import Ratings
from parlour.server.restrictions import Restriction
from parlour.server.sessions.session import Session
from parlour.server.store.store import Store

MAX_POINTS = 1_000  # of the history of one rating, and games with variations

T = TypeVar("T")


class AccountExport:
    """Answers `export_account`. Secrets are left out, and so is the id, which never leaves the server."""

    def __init__(
        self,
        store: Store,
        database: Database,
        blocking: Blocking,
        tournaments_of: Callable[[str], Awaitable[list[str]]],
    ) -> None:
        """`tournaments_of` returns the tournaments of a player."""
        self._store = store
        self._history = RatingHistory(database)
        self._variations = VariationTable(database)
        self._tournaments_of = tournaments_of
        self._blocking = blocking
        self._ratings = Ratings(store.ratings)
        self.handlers: dict[type[Any], Callable[[Session, Any], Coroutine[Any, Any, None]]] = {
            ExportAccount: self._export
        }

    async def _export(self, session: Session, command: ExportAccount) -> None:
        data = msgspec.json.encode(await self.data(session.player))
        session.send(AccountData(id=command.id, data=data.decode()))

    async def data(self, id: str) -> dict[str, Any]:
        """Return everything about a player, as JSON values. All times are in milliseconds since 1970."""
        store = self._store
        (player,) = await store.players.get([id])
        if player is None:
            return {}
        bots = await store.players.get(await store.players.bots(id))
        ratings = await self._ratings.all(id)
        blocked, muted = await self._blocking.names(id)
        return {
            "name": player.name,
            "kind": player.kind,
            "created": player.created,
            "bots": [bot.name for bot in bots if bot is not None],
            "devices": [
                {"signed_in": created, "last_used": used} for created, used in await store.accounts.devices(id)
            ],
            "ratings": {
                game: msgspec.to_builtins(rating)
                | {"history": await self._archived(self._history.points(id, game, MAX_POINTS))}
                for game, rating in ratings.items()
            },
            "running_games": await store.seats.rooms(id),
            "tournaments": await self._archived(self._tournaments_of(id)),
            "games_with_variations": await self._archived(self._variations.rooms(id, MAX_POINTS)),
            "suspended": _restriction(player.suspended),
            "muted": _restriction(player.muted),
            "blocked_players": blocked,
            "muted_players": muted,
            "reports": [
                {"at": each.at, "reason": each.reason, "text": each.text, "room": each.room}
                for each in await store.reports.by(id)
            ],
            "email": await store.emails.address(id),
            "recovery_codes_left": await store.recovery_codes.left(id),
            "notifications": [
                {"endpoint": each.endpoint, "kinds": each.kinds, "renewed": each.renewed}
                for each in await store.push_subscriptions.all(id)
            ],
            "unread_warning": await store.moderation.warning(id),
        }

    async def _archived(self, rows: Awaitable[list[T]]) -> list[T]:
        """Return rows of the archive; none while it cannot be used."""
        try:
            return await rows
        except ArchiveUnavailable:
            return []


def _restriction(restriction: Restriction | None) -> Any:
    return None if restriction is None else msgspec.to_builtins(restriction)
