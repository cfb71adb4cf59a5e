"""Records and lists of games as messages to clients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from parlour.games.api import Game, Move
from parlour.protocol.messages import GameSummary, Record, RecordedMove
from parlour.protocol.scene import diff
from parlour.protocol.types import Terms
from parlour.server.archive import text_format
from parlour.server.archive.record import GameRecord
from parlour.server.archive.storage import record_of
from parlour.server.archive.verify import check_chain, is_replayable, verified
from parlour.server.rooms.state import RoomState, starting_state


def room_message(room: RoomState, id: int, *, for_player: bool = False) -> Record:
    """Return the record of a room, with its game running or over.

    Where spectators see the game with a delay, only the players receive the moves before it is over.
    """
    shown = for_player or room.delay == 0 or room.status == "over"
    plies = tuple(room.plies) if shown else ()
    game = room.rules
    start = starting_state(game, room.options, room.position)
    record = record_of(room) if room.status == "over" else None
    return Record(
        id=id,
        room=room.id,
        terms=Terms(room.game, dict(room.options), room.clock, room.rated),
        options=dict(room.options),
        players=tuple(participant.player for participant in room.players),
        moves=_moves(game, start, ((ply.move, ply.text, ply.took) for ply in plies)),
        rules_version=room.rules_version,
        replayable=True,
        board=game.board(room.options),
        initial_scene=game.scene(start),
        position=room.position,
        result=room.result,
        started=room.created,
        ended=room.ended,
        chain="" if record is None else record.chain,
        text="" if record is None else text_format.write(record),
        salts=() if record is None else record.salts,
        erased=() if record is None else record.erased,
    )


def record_message(record: GameRecord, id: int) -> Record:
    """Return a record with its scenes, or without them if its rules are not available.

    Raise Refusal for any fault in it.
    """
    if not is_replayable(record):
        check_chain(record)
        return bare_message(record, id)
    match = verified(record)
    game = match.game
    played = zip(match.moves, record.moves, strict=True)
    return replace(
        bare_message(record, id),
        moves=_moves(game, match.states[0], ((move, entry.move, entry.took) for move, entry in played)),
        board=game.board(match.options),
        initial_scene=game.scene(match.states[0]),
        replayable=True,
    )


def bare_message(record: GameRecord, id: int) -> Record:
    """Return a record exactly as it was written, without scenes."""
    return Record(
        id=id,
        room=record.room,
        terms=record.terms,
        options=record.terms.options,
        players=record.players,
        moves=tuple(RecordedMove(entry.move, entry.took) for entry in record.moves),
        rules_version=record.rules_version,
        replayable=False,
        position=record.position,
        result=record.result,
        started=record.started,
        ended=record.ended,
        chain=record.chain,
        text=text_format.write(record),
        salts=record.salts,
        erased=record.erased,
    )


def summary(record: GameRecord) -> GameSummary:
    """Return a finished game as an item of a list."""
    return GameSummary(
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
    """Return every move with its change of the scene, as spectators saw it."""
    recorded, scene = [], game.scene(state)
    for move, text, took in moves:
        after = game.apply(state, move)
        shown = game.scene_after(state, move, after)
        recorded.append(RecordedMove(text, took, diff(scene, shown)))
        state, scene = after, shown
    return tuple(recorded)
