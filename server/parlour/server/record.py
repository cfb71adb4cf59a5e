"""A game from its beginning, as others may see it."""

from __future__ import annotations

from parlour.protocol.messages import Record, RecordedMove
from parlour.protocol.tables import Player, Terms
from parlour.server.rooms.core import Room


def record(room: Room, id: int, *, for_player: bool = False) -> Record:
    """The record of a room, running or finished.

    Where watchers are kept behind, only the players get the moves before the game is over.
    """
    shown = for_player or room.delay == 0 or room.status == "over"
    moves = zip(room.texts, room.used, strict=True) if shown else ()
    game = room.rules
    first = game.initial(room.options) if room.position is None else game.parse(room.position, room.options)
    return Record(
        id=id,
        room=room.id,
        terms=Terms(room.game, dict(room.options), room.clock, room.rated),
        options=dict(room.options),
        players=tuple(None if c is None else Player(c.name, c.rating, bot=c.bot) for c in room.chairs),
        moves=tuple(RecordedMove(text, used) for text, used in moves),
        rules_version=game.info.rules_version,
        board=game.board(room.options),
        first=game.scene(first),
        position=room.position,
        result=room.result,
        started=room.created,
    )
