"""The lobby as its subscribers see it, and the changes since the last update. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.messages import LiveGame, Lobby, LobbyChanged, OpenSeek


class LobbyState(Struct, frozen=True):
    """All open seeks and all live games at one moment."""

    seeks: Mapping[str, OpenSeek] = {}
    live: Mapping[str, LiveGame] = {}  # each with its board
    featured: str = ""
    online: int = 0


def changes(old: LobbyState, new: LobbyState, n: int) -> LobbyChanged | None:
    """Return the difference between two states, as the change with number `n`; None if they are equal."""
    live = tuple(
        replace(game, board=None) if room in old.live else game
        for room, game in new.live.items()
        if old.live.get(room) != game
    )
    changed = LobbyChanged(
        n=n,
        seeks=tuple(seek for id, seek in new.seeks.items() if old.seeks.get(id) != seek),
        seeks_removed=tuple(id for id in old.seeks if id not in new.seeks),
        live=live,
        live_removed=tuple(room for room in old.live if room not in new.live),
        featured=None if new.featured == old.featured else new.featured,
        online=None if new.online == old.online else new.online,
    )
    return None if changed == LobbyChanged(n=n) else changed


class LobbyListing:
    """The current state of the lobby, and the state that was last published."""

    def __init__(self) -> None:
        self.n = 0  # the number of the last published change
        self._published = LobbyState()
        self._seeks: dict[str, OpenSeek] = {}
        self._live: dict[str, LiveGame] = {}
        self._featured = ""
        self._online = 0

    def add_seek(self, seek: OpenSeek) -> None:
        self._seeks[seek.seek] = seek

    def remove_seek(self, id: str) -> None:
        self._seeks.pop(id, None)

    def set_seeks(self, seeks: Sequence[OpenSeek]) -> None:
        """Replace all seeks."""
        self._seeks = {seek.seek: seek for seek in seeks}

    def set_live(self, games: Sequence[LiveGame], featured: str, online: int) -> None:
        """Replace all live games, which are best first and have their boards."""
        self._live = {game.room: game for game in games}
        self._featured, self._online = featured, online

    def publish(self) -> LobbyChanged | None:
        """Return the changes since the last call, for subscribers that know everything up to `n`; None if none."""
        now = LobbyState(dict(self._seeks), self._live, self._featured, self._online)
        changed = changes(self._published, now, self.n + 1)
        if changed is not None:
            self.n += 1
            self._published = now
        return changed

    def snapshot(self) -> Lobby:
        """Return everything up to `n`. Later changes reach new subscribers together with all others."""
        published = self._published
        return Lobby(
            n=self.n,
            seeks=tuple(published.seeks.values()),
            live=tuple(published.live.values()),
            featured=published.featured,
            online=published.online,
        )
