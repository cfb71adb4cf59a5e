"""Analysis stored with finished games: the computer's assessments and the players' variations."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import msgspec

from parlour.bots.engine import Answer
from parlour.games.api import Game
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Analysis, GetAnalysis, Ok, PositionAssessment, SaveVariations, Variation
from parlour.server.archive import reviews
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.reviews import ReviewTable
from parlour.server.archive.database.variations import VariationTable
from parlour.server.compute import ComputeThread
from parlour.server.rooms.commands import WITHOUT_RESULT
from parlour.server.rooms.outline import Outline
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.state import RoomState, starting_state
from parlour.server.sessions.session import Session

MAX_MOVES = 500  # of all variations of one player

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(tuple[Variation, ...]).decode


class StoredAnalysis:
    """Handles `get_analysis` and `save_variations` on one node."""

    def __init__(self, registry: RoomRegistry, database: Database, compute: ComputeThread) -> None:
        self._registry = registry
        self._reviews = ReviewTable(database)
        self._variations = VariationTable(database)
        self._compute = compute
        self.handlers: dict[type[Any], Callable[[Session, Any], Coroutine[Any, Any, None]]] = {
            GetAnalysis: self._get,
            SaveVariations: self._save,
        }

    async def _get(self, session: Session, command: GetAnalysis) -> None:
        """Send the stored analysis. A running game has none."""
        room = await self._find(command.room)
        evaluations = await self._reviews.all(room.id) if room.is_over else []
        lines = await self._variations.find(room.id) if room.is_over else {}
        work = partial(analysis, room, evaluations, lines, command.id, room.seat_of(session.player))
        session.send(await self._compute.run(session.connection.address, work))

    async def _save(self, session: Session, command: SaveVariations) -> None:
        """Store the variations of one of the players."""
        room = await self._find(command.room)
        if room.seat_of(session.player) is None:
            raise Refusal(ErrorCode.NOT_A_PLAYER, "Only the players of a game can store variations with it.")
        if not room.is_over:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, "The game is still running. Store variations when it is over.")
        if room.result is not None and room.result.reason in WITHOUT_RESULT:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, "This game was aborted, so it is not stored.")
        if sum(len(variation.moves) for variation in command.variations) > MAX_MOVES:
            raise Refusal(
                ErrorCode.LIMIT_REACHED, f"Your variations may have {MAX_MOVES} moves in all. Remove some of them."
            )
        work = partial(verified, room, command.variations)
        variations = await self._compute.run(session.connection.address, work)
        await self._variations.put(room.id, session.player, encode(variations))
        session.send(Ok(id=command.id))

    async def _find(self, id: str) -> RoomState:
        room = await self._registry.find(id)
        if room is None:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, f"There is no game “{id}”.")
        if isinstance(room, Outline):
            raise room.refusal()
        return room


def analysis(
    room: RoomState, evaluations: Sequence[tuple[int, bytes]], lines: dict[str, bytes], id: int, seat: int | None
) -> Analysis:
    """Return the stored analysis of a game as a message."""
    states = positions(room)
    return Analysis(
        id=id,
        room=room.id,
        assessments=tuple(_assessment(room.rules, states[ply], ply, reviews.decode(data)) for ply, data in evaluations),
        variations=tuple(decode(lines[each.id]) if each.id in lines else () for each in room.players),
        seat=seat,
    )


def _assessment(game: Game[Any], state: Any, ply: int, answer: Answer) -> PositionAssessment:
    seat = game.to_move(state)
    assert seat is not None
    picks = tuple(game.scan(state, answer.move))
    return PositionAssessment(ply, seat, round(answer.chance * 1000), answer.move, picks, answer.line)


def positions(room: RoomState) -> list[Any]:
    """Return the positions of a game, from the first to the last."""
    states = [starting_state(room.rules, room.options, room.position)]
    for move in room.moves:
        states.append(room.rules.apply(states[-1], move))
    return states


def verified(room: RoomState, variations: Sequence[Variation]) -> tuple[Variation, ...]:
    """Return variations with their moves in the game's own notation. Refuse those that the rules do not allow."""
    states = positions(room)
    if any(variation.ply > room.ply for variation in variations):
        raise Refusal(ErrorCode.STALE_PLY, f"The game has only {room.ply} moves.")
    return tuple(Variation(each.ply, _verified(room.rules, states[each.ply], each.moves)) for each in variations)


def _verified(game: Game[Any], state: Any, moves: Sequence[str]) -> tuple[str, ...]:
    texts = []
    for text in moves:
        if game.to_move(state) is None:
            raise Refusal(ErrorCode.GAME_OVER, f"A variation goes on after the end of the game, with {text}.")
        move = game.read(state, text)
        texts.append(game.write(state, move))
        state = game.apply(state, move)
    return tuple(texts)
