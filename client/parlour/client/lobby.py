"""The lobby: open seeks, and games that can be watched."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from parlour.client.connection import Connection, State
from parlour.client.event_stream import EventStream, Subscription
from parlour.protocol import messages
from parlour.protocol.messages import LiveGame, LobbyChanged, OpenSeek, WatchLobby

Change = messages.Lobby | LobbyChanged


class Lobby:
    """An async context manager that follows the server's lobby while it is entered.

    Iterate over it to receive changes. Each iteration starts with the whole lobby. The attributes are up to date
    when a change is delivered.
    """

    def __init__(self, connection: Connection) -> None:
        self.seeks: dict[str, OpenSeek] = {}  # by id, oldest first
        self.live: dict[str, LiveGame] = {}  # games that can be watched, by room
        self.featured = ""  # the room of the game most worth watching
        self.online = 0  # the number of connected players
        self._connection = connection
        self.is_open = False  # while it is entered
        self._number: int | None = None  # of the last change; None: the lobby has not arrived yet
        self._changes: EventStream[Change] = EventStream()

    def __repr__(self) -> str:
        state = "open" if self.is_open else "not open"
        return f"<Lobby: {state}, seeks: {len(self.seeks)}, live games: {len(self.live)}, online: {self.online}>"

    async def __aenter__(self) -> Self:
        changes = self._changes.subscribe()
        self.is_open = True
        await self._connection.call(WatchLobby(id=0))
        await anext(changes)  # the whole lobby
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.is_open = False
        self._changes.end()
        if self._connection.state != "ended":
            self._connection.send(WatchLobby(id=0, on=False))

    def __aiter__(self) -> Subscription[Change]:
        return self._changes.subscribe() if self._number is None else self._changes.subscribe(self.snapshot())

    def snapshot(self) -> messages.Lobby:
        """Return the whole lobby."""
        return messages.Lobby(
            n=self._number or 0,
            seeks=tuple(self.seeks.values()),
            live=tuple(self.live.values()),
            featured=self.featured,
            online=self.online,
        )

    # -- called by the client

    def handle(self, change: Change) -> None:
        """Apply a change, or ask for the whole lobby if one was missed."""
        if isinstance(change, messages.Lobby):
            self.seeks, self.live = {}, {}
            self.featured, self.online = change.featured, change.online
        elif self._number is None or change.n <= self._number:
            return
        elif change.n > self._number + 1:
            self._request_all()
            return
        else:
            self.featured = self.featured if change.featured is None else change.featured
            self.online = self.online if change.online is None else change.online
            for seek in change.seeks_removed:
                self.seeks.pop(seek, None)
            for room in change.live_removed:
                self.live.pop(room, None)
        self._number = change.n
        self.seeks |= {seek.seek: seek for seek in change.seeks}
        self.live |= {game.room: self._complete(game) for game in change.live}
        self._changes.publish(change)

    def _complete(self, game: LiveGame) -> LiveGame:
        """Add the board, which the server sends only once."""
        known = self.live.get(game.room)
        if known is None:
            return game
        return LiveGame(
            game.room, game.game, game.players, game.clock, game.rated, game.spectators, game.ply,
            game.board or known.board, game.scene or known.scene,
        )  # fmt: skip

    def state_changed(self, state: State) -> None:
        """Follow the lobby again after a reconnect."""
        if state == "connected" and self.is_open:
            self._request_all()
        elif state == "ended":
            self._changes.end(self._connection.fault)

    def _request_all(self) -> None:
        self._number = None
        self._connection.send(WatchLobby(id=0))
