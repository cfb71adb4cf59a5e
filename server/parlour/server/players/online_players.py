"""Who is online: what this node reports, and the list of all nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from parlour.protocol.messages import ListPlayers, OnlinePlayer, Players
from parlour.server.players.names import fold_name
from parlour.server.players.profiles import public_player, rooms_to_watch
from parlour.server.players.ratings import Ratings
from parlour.server.sessions.player_sessions import PlayerSessions
from parlour.server.sessions.session import Session
from parlour.server.store.online import OnlineName
from parlour.server.store.players import StoredPlayer
from parlour.server.store.store import Store

PAGE = 50  # players in one answer


class OnlinePlayers:
    """Reports the players of this node once a second, and answers requests for the list of all nodes."""

    def __init__(self, store: Store, sessions: PlayerSessions) -> None:
        self._store = store
        self._sessions = sessions
        self._ratings = Ratings(store.ratings)
        self._reported: dict[str, OnlineName] = {}  # by id: what the store should list for this node
        self._is_reliable = False  # whether the store has everything in `_reported`, as far as this node knows
        self.handlers: dict[type[Any], Callable[[Session, Any], Coroutine[Any, Any, None]]] = {
            ListPlayers: self._list_players
        }

    async def report(self) -> None:
        """Report who came and who left since the last report. Call this every second.

        If the store has lost something, or its reply was lost, the next report has all players.
        """
        changed = self._sessions.take_changed()
        left = [self._reported.pop(id) for id in changed if id in self._reported]
        arrived = [OnlineName(fold_name(name), id) for id in changed if (name := self._sessions.name(id)) is not None]
        self._reported.update({each.id: each for each in arrived})
        if not self._reported and not left:
            return
        everything = not self._is_reliable
        self._is_reliable = False  # until the store has answered
        listed = await self._store.online.report(
            self._store.clock.now(),
            list(self._reported.values()) if everything else arrived,
            [] if everything else left,
            others_left=everything,
        )
        self._is_reliable = listed == len(self._reported)

    async def _list_players(self, session: Session, command: ListPlayers) -> None:
        names = await self._store.online.list(self._store.clock.now(), command.after, PAGE + 1)
        page = names[:PAGE]
        players = await self._store.players.get([name.id for name in page])
        rows = await asyncio.gather(*(self._row(player) for player in players if player is not None))
        more = page[-1].folded if len(names) > PAGE else ""
        session.send(Players(id=command.id, rows=tuple(rows), more=more))

    async def _row(self, player: StoredPlayer) -> OnlinePlayer:
        now = self._store.clock.now()
        ratings, rooms = await asyncio.gather(self._ratings.all(player.id), rooms_to_watch(self._store, player.id))
        return OnlinePlayer(
            player=public_player(player),
            ratings={game: round(rating.rating) for game, rating in ratings.items() if not rating.is_provisional(now)},
            playing=rooms,
        )
