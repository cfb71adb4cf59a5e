"""An outline of a room: everything that a node knows about it without the rules of its game."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Result
from parlour.server.rooms.commands import WITHOUT_RESULT
from parlour.server.rooms.events import AnyEvent, Chose, Created, Ended, Participant
from parlour.server.rooms.state import RoomState


class Outline(Struct, frozen=True):
    """A room whose game is played by a version of the rules that this node does not support."""

    id: str
    seq: int  # of the last event
    game: str
    rules_version: int
    players: tuple[Participant, Participant]
    rated: bool = False
    private: bool = False
    result: Result | None = None
    ended: int = 0  # when the game ended
    tournament: str = ""  # that the game is part of

    @property
    def people(self) -> list[str]:
        """The ids of the players that are not bots of the server."""
        return [participant.id for participant in self.players if participant.level is None]

    @property
    def is_over(self) -> bool:
        return self.result is not None

    def seat_of(self, player: str) -> int | None:
        """Return a player's seat; None for a spectator."""
        return next((seat for seat, participant in enumerate(self.players) if participant.id == player), None)

    def refusal(self) -> Refusal:
        """Return the answer to a player who wants to open the room."""
        rules = f"version {self.rules_version} of the rules of “{self.game}”"
        if self.result is None:
            sentence = f"This game is played by {rules}, which this node does not support. Another node may."
            return Refusal(ErrorCode.RULES_UNSUPPORTED, sentence)
        if self.result.reason in WITHOUT_RESULT:
            sentence = f"The game was aborted. It was played by {rules}, which the server no longer supports."
        else:
            sentence = f"The game is over. It was played by {rules}, which this node does not support. See its record."
        return Refusal(ErrorCode.GAME_OVER, sentence)


AnyRoom = RoomState | Outline  # with or without the rules of its game


def outline(id: str, events: Iterable[AnyEvent]) -> Outline | None:
    """Return the outline of a room with these events; None if there are none."""
    found: Outline | None = None
    for seq, event in enumerate(events, 1):
        found = _evolve(id, found, event, seq)
    return found


def _evolve(id: str, room: Outline | None, event: AnyEvent, seq: int) -> Outline:
    if room is None:
        assert isinstance(event, Created)
        return Outline(
            id, seq, event.game, event.rules_version, event.players, event.rated, event.private,
            tournament=event.tournament,
        )  # fmt: skip
    players, result, ended = room.players, room.result, room.ended
    if isinstance(event, Chose) and event.swap:
        players = players[1], players[0]
    elif isinstance(event, Ended):
        result, ended = event.result, event.at
    return replace(room, seq=seq, players=players, result=result, ended=ended)
