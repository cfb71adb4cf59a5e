"""The lobby and challenges: lost changes, seeks that are gone, and answers that are lost."""

from __future__ import annotations

from collections.abc import Iterable

from parlour import games
from parlour.conform.client_faults import AtReady, Fault
from parlour.conform.connection import Connection
from parlour.conform.script import Cut, Outgoing
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode

NEXT = 0.3  # seconds until the next seek or challenge


class LobbyGap(Fault):
    rule = "lobby-gap"
    expected = "it did not send watch_lobby again"

    def open_lobby(self) -> None:
        self.injected = "the change of the lobby with n 1 was left out, and n 2 sent"
        self.server.offer_seek()
        self.server.lobby.changed(wire.LobbyChanged(n=0, online=7))

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        return () if isinstance(message, wire.LobbyChanged) and message.n == 1 else (message,)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (bool(self.injected) and isinstance(message, wire.WatchLobby))
        return True


class LobbyLost(AtReady):
    rule = "lobby-again"
    expected = "it did not send watch_lobby on the next connection"

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        self.injected = "the connection was cut after the lobby had arrived"
        return message, Cut()

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (bool(self.injected) and isinstance(message, wire.WatchLobby))
        return True


class OtherGame(Fault):
    rule = "lobby-game"

    def open_lobby(self) -> None:
        self.injected, self.kept = "the lobby had a seek for another game first", True
        other = next(key for key in games.keys() if key != self.server.terms.game)
        self._foreign = self.server.offer_seek(other).id
        self.later(NEXT, self.server.offer_seek)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Accept) and message.seek == self._foreign:
            self.complain(f"{self.injected}, and it was accepted")
        return True


class _Gone(Fault):
    """The invitation that the client accepts first is gone."""

    expected = "it accepted no other"
    code = ErrorCode.SEEK_GONE

    def __init__(self) -> None:
        super().__init__()
        self._first: wire.Accept | None = None

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Accept):
            return True
        if self._first is None:
            self._first = message
            self.injected = f"accept was refused with {self.code}"
            self.server.lobby.remove(message.seek)
            connection.put(wire.Refused(code=self.code, text=self.code.meaning, id=message.id))
            self.another(connection, message.seek)
            return False
        self.kept = self.kept or (message.id, message.seek) != (self._first.id, self._first.seek)
        return True

    def another(self, connection: Connection, gone: str) -> None:
        """Offer another one, after a while."""
        self.later(NEXT, self.server.offer_seek)


class SeekGone(_Gone):
    rule = "seek-gone"


class ChallengeGone(_Gone):
    rule = "challenge-closed"
    code = ErrorCode.INVITE_UNKNOWN

    def another(self, connection: Connection, gone: str) -> None:
        connection.put(wire.ChallengeClosed(seek=gone))
        self.later(NEXT, self.server.challenge_bot)


class _AcceptLost(Fault):
    expected = "it did not send accept again with the same id"

    def __init__(self) -> None:
        super().__init__()
        self._accept: wire.Accept | None = None

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Accept):
            if self.injected and self._accept is not None:
                self.kept = message == self._accept
            self._accept = message
        return True

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if self.injected or self._accept is None or not isinstance(message, wire.Ok):
            return (message,)
        self.injected = "accept was executed and the connection cut instead of the answer"
        return (Cut(),)


class AcceptLost(_AcceptLost):
    rule = "accept-again"


class ChallengeLost(_AcceptLost):
    rule = "challenge-again"
