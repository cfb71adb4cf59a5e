"""What those who follow the lobby see, and what has changed since they were told last. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.messages import LiveGame, Lobby, LobbyChanged, OpenSeek


class Notices(Struct, frozen=True):
    """Everything open and everything live at one moment."""

    seeks: Mapping[str, OpenSeek] = {}
    live: Mapping[str, LiveGame] = {}  # each with its board
    featured: str = ""
    online: int = 0


def changes(old: Notices, new: Notices, n: int) -> LobbyChanged | None:
    """What makes the new of the old, as the change with this number; None if nothing does."""
    live = tuple(
        replace(game, board=None) if room in old.live else game
        for room, game in new.live.items()
        if old.live.get(room) != game
    )
    changed = LobbyChanged(
        n=n,
        seeks=tuple(seek for id, seek in new.seeks.items() if old.seeks.get(id) != seek),
        seeks_gone=tuple(id for id in old.seeks if id not in new.seeks),
        live=live,
        live_gone=tuple(room for room in old.live if room not in new.live),
        featured=None if new.featured == old.featured else new.featured,
        online=None if new.online == old.online else new.online,
    )
    return None if changed == LobbyChanged(n=n) else changed


class Board:
    """The notices as they are, and as they were told last."""

    def __init__(self) -> None:
        self.n = 0  # of the last change that was told
        self._told = Notices()
        self._seeks: dict[str, OpenSeek] = {}
        self._live: dict[str, LiveGame] = {}
        self._featured = ""
        self._online = 0

    def post(self, seek: OpenSeek) -> None:
        self._seeks[seek.seek] = seek

    def remove(self, seek: str) -> None:
        self._seeks.pop(seek, None)

    def begin(self, seeks: Sequence[OpenSeek]) -> None:
        """These are all open seeks."""
        self._seeks = {seek.seek: seek for seek in seeks}

    def show(self, games: Sequence[LiveGame], featured: str, online: int) -> None:
        """These are all live games, each with its board, best first."""
        self._live = {game.room: game for game in games}
        self._featured, self._online = featured, online

    def tell(self) -> LobbyChanged | None:
        """What those have to be told now who know everything up to `n`; None if there is nothing."""
        now = Notices(dict(self._seeks), self._live, self._featured, self._online)
        changed = changes(self._told, now, self.n + 1)
        if changed is not None:
            self.n += 1
            self._told = now
        return changed

    def whole(self) -> Lobby:
        """Everything up to `n`; what has changed since is told to everybody together."""
        told = self._told
        return Lobby(
            n=self.n,
            seeks=tuple(told.seeks.values()),
            live=tuple(told.live.values()),
            featured=told.featured,
            online=told.online,
        )
