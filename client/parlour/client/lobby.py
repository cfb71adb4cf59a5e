"""The lobby as it is now: who looks for a game, and what can be watched."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from parlour.client.connection import Connection, State
from parlour.client.stream import Listener, Stream
from parlour.protocol import messages
from parlour.protocol.messages import LiveGame, LobbyChanged, OpenSeek, WatchLobby

Change = messages.Lobby | LobbyChanged


class Lobby:
    """Use it as an async context manager; inside, it follows the lobby of the server.

    Iterate over it to hear of changes: each iteration begins with the whole lobby, and `seeks` and the others are
    always up to date when a change is told.
    """

    def __init__(self, connection: Connection) -> None:
        self.seeks: dict[str, OpenSeek] = {}  # tables that wait for a second player, oldest first
        self.live: dict[str, LiveGame] = {}  # games that can be watched, by room
        self.featured = ""  # the room of the game most worth watching
        self.online = 0  # how many are connected
        self._connection = connection
        self.follows = False  # from entering to leaving
        self._number: int | None = None  # of the last change; None: nothing is known yet
        self._changes: Stream[Change] = Stream()

    async def __aenter__(self) -> Self:
        changes = self._changes.listen()
        self.follows = True
        await self._connection.call(WatchLobby(id=0))
        await anext(changes)  # the whole lobby follows
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.follows = False
        self._changes.end()
        if self._connection.state != "ended":
            self._connection.send(WatchLobby(id=0, on=False))

    def __aiter__(self) -> Listener[Change]:
        return self._changes.listen() if self._number is None else self._changes.listen(self.whole())

    def whole(self) -> messages.Lobby:
        """Everything at once."""
        return messages.Lobby(
            n=self._number or 0,
            seeks=tuple(self.seeks.values()),
            live=tuple(self.live.values()),
            featured=self.featured,
            online=self.online,
        )

    # -- told by the connection

    def take(self, change: Change) -> None:
        if isinstance(change, messages.Lobby):
            self.seeks, self.live = {}, {}
            self.featured, self.online = change.featured, change.online
        elif self._number is None or change.n <= self._number:
            return
        elif change.n > self._number + 1:
            self._ask()
            return
        else:
            self.featured = self.featured if change.featured is None else change.featured
            self.online = self.online if change.online is None else change.online
            for seek in change.seeks_gone:
                self.seeks.pop(seek, None)
            for room in change.live_gone:
                self.live.pop(room, None)
        self._number = change.n
        self.seeks |= {seek.seek: seek for seek in change.seeks}
        self.live |= {game.room: self._complete(game) for game in change.live}
        self._changes.put(change)

    def _complete(self, game: LiveGame) -> LiveGame:
        """The board comes only once."""
        known = self.live.get(game.room)
        if known is None:
            return game
        return LiveGame(
            game.room, game.game, game.players, game.clock, game.rated, game.watchers, game.ply,
            game.board or known.board, game.scene or known.scene,
        )  # fmt: skip

    def state_changed(self, state: State) -> None:
        """A new connection follows no lobby yet."""
        if state == "connected" and self.follows:
            self._ask()
        elif state == "ended":
            self._changes.end(self._connection.fault)

    def _ask(self) -> None:
        self._number = None
        self._connection.send(WatchLobby(id=0))
