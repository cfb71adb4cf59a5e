"""Games from their beginning, as clients are told of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from parlour.games.api import Game, Move
from parlour.protocol.messages import GameLine, Record, RecordedMove
from parlour.protocol.scene import diff
from parlour.protocol.tables import Terms
from parlour.server.records import notation
from parlour.server.records.document import verified
from parlour.server.records.keeping import record_of
from parlour.server.records.record import GameRecord
from parlour.server.rooms import presenter
from parlour.server.rooms.core import Room


def tell(room: Room, id: int, *, for_player: bool = False) -> Record:
    """The record of a room, running or finished.

    Where watchers are kept behind, only the players get the moves before the game is over.
    """
    shown = for_player or room.delay == 0 or room.status == "over"
    plies = tuple(room.plies) if shown else ()
    game = room.rules
    first = game.initial(room.options) if room.position is None else game.parse(room.position, room.options)
    record = record_of(room) if room.status == "over" else None
    return Record(
        id=id,
        room=room.id,
        terms=Terms(room.game, dict(room.options), room.clock, room.rated),
        options=dict(room.options),
        players=tuple(None if chair is None else presenter.player(chair) for chair in room.chairs),
        moves=_moves(game, first, ((ply.move, ply.text, ply.took) for ply in plies)),
        rules_version=game.info.rules_version,
        board=game.board(room.options),
        first=game.scene(first),
        position=room.position,
        result=room.result,
        started=room.created,
        ended=room.ended,
        chain="" if record is None else record.chain,
        text="" if record is None else notation.write(record),
    )


def tell_read(record: GameRecord, id: int) -> Record:
    """A record that was read from outside; refuses one in which something is wrong."""
    match = verified(record)
    game, options = match.game, match.options
    played = zip(match.moves, record.moves, strict=True)
    return Record(
        id=id,
        room=record.room,
        terms=record.terms,
        options=record.terms.options,
        players=record.players,
        moves=_moves(game, match.states[0], ((move, entry.move, entry.took) for move, entry in played)),
        rules_version=record.rules_version,
        board=game.board(options),
        first=game.scene(match.states[0]),
        position=record.position,
        result=record.result,
        started=record.started,
        ended=record.ended,
        chain=record.chain,
        text=notation.write(record),
    )


def line(record: GameRecord) -> GameLine:
    """A finished game in a list."""
    return GameLine(
        record.room,
        record.terms.game,
        record.players,
        record.result,
        len(record.moves),
        record.ended,
        record.terms.rated,
        record.terms.clock,
    )


def _moves(game: Game[Any], state: Any, moves: Iterable[tuple[Move, str, int]]) -> tuple[RecordedMove, ...]:
    """Every move with what it changed in the scene, as it was shown to those who watched."""
    told, scene = [], game.scene(state)
    for move, text, took in moves:
        after = game.apply(state, move)
        shown = game.scene_after(state, move, after)
        told.append(RecordedMove(text, took, diff(scene, shown)))
        state, scene = after, shown
    return tuple(told)
