"""The lobby of the scripted server: open seeks, live games and challenges."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from parlour.conform.connection import Connection, Guest
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Player, Terms

HOST = Player("Scripted host", bot=True)


class Invitation(Struct, frozen=True):
    """A seek or a challenge."""

    id: str
    terms: Terms
    host: Guest | None = None  # None: the scripted opponent
    connection: Connection | None = None  # the connection that a seek ends with
    seat: str = "any"
    is_challenge: bool = False
    to: str | None = None  # the name of the challenged player

    @property
    def player(self) -> Player:
        return self.host.player if self.host else HOST

    @property
    def listed(self) -> wire.OpenSeek:
        return wire.OpenSeek(self.id, self.player, self.terms, self.seat)

    @property
    def told(self) -> wire.Challenged:
        return wire.Challenged(seek=self.id, player=self.player, terms=self.terms)


class ScriptedLobby:
    """The open invitations. Nothing is sent from here, except changes to connections that watch the lobby."""

    def __init__(self) -> None:
        self.n = 0
        self.invitations: dict[str, Invitation] = {}  # that are open
        self.created: dict[str, Invitation] = {}  # all that there ever were
        self.live: dict[str, wire.LiveGame] = {}
        self.watchers: list[Connection] = []

    def new_id(self) -> str:
        return f"seek-{len(self.created) + 1}"

    def whole(self) -> wire.Lobby:
        return wire.Lobby(
            n=self.n,
            seeks=tuple(each.listed for each in self.invitations.values() if not each.is_challenge),
            live=tuple(self.live.values()),
        )

    def watch(self, connection: Connection, on: bool) -> None:
        """Start or stop sending the lobby to a connection."""
        if connection in self.watchers:
            self.watchers.remove(connection)
        if on:
            self.watchers.append(connection)
            connection.send(self.whole())

    def add(self, invitation: Invitation) -> None:
        self.invitations[invitation.id] = self.created[invitation.id] = invitation
        if not invitation.is_challenge:
            self.changed(wire.LobbyChanged(n=0, seeks=(invitation.listed,)))

    def remove(self, id: str) -> Invitation:
        """Remove an invitation. Raise Refusal if it is not there."""
        invitation = self.invitations.get(id)
        if invitation is None:
            code = ErrorCode.INVITE_UNKNOWN if id.startswith("challenge") else ErrorCode.SEEK_GONE
            raise Refusal(code, "It was accepted or withdrawn.")
        del self.invitations[id]
        if not invitation.is_challenge:
            self.changed(wire.LobbyChanged(n=0, seeks_removed=(id,)))
        return invitation

    def disconnected(self, connection: Connection) -> None:
        """End the seeks of a connection."""
        self.watch(connection, False)
        for each in [each for each in self.invitations.values() if each.connection is connection]:
            self.remove(each.id)

    def began(self, game: wire.LiveGame) -> None:
        self.live[game.room] = game
        self.changed(wire.LobbyChanged(n=0, live=(game,)))

    def ended(self, room: str) -> None:
        if self.live.pop(room, None) is not None:
            self.changed(wire.LobbyChanged(n=0, live_removed=(room,)))

    def changed(self, change: wire.LobbyChanged) -> None:
        """Number a change, and send it to the connections that watch."""
        self.n += 1
        for connection in self.watchers:
            connection.send(replace(change, n=self.n))
