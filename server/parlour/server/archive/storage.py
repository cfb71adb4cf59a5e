"""Finished games as stored bytes: from a room to its stored game, and back to a room for players who return later."""

from __future__ import annotations

import zlib

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Terms, TimeLeft
from parlour.server.archive.record import Entry, GameRecord, chain, final_link, normalized, salt, sealed, without_name
from parlour.server.archive.verify import is_replayable, replay
from parlour.server.rooms.clock import Times
from parlour.server.rooms.events import Created, Participant
from parlour.server.rooms.outline import AnyRoom, Outline
from parlour.server.rooms.shared_list import shared_list
from parlour.server.rooms.state import Ply, RoomState, initial_state, position_hash

FORMAT_VERSION = 1  # the first byte


class StoredGame(Struct, frozen=True, array_like=True):
    """A finished game with the rest of its room. Fields may be added at the end with a default."""

    record: GameRecord  # stored with only the final link of its chain, from which the rest can be checked
    ids: tuple[str, str]  # of the players, which are secret
    levels: tuple[str | None, str | None]
    seq: int
    left: tuple[TimeLeft, TimeLeft]
    delay: int = 0
    follows: str | None = None
    next: str | None = None
    private: bool = False


def record_of(room: RoomState) -> GameRecord:
    """Return the record of a game that is over."""
    assert room.result is not None
    first, second = room.players
    return sealed(
        GameRecord(
            room=room.id,
            terms=Terms(room.game, dict(room.options), room.clock, room.rated),
            players=(first.player, second.player),
            moves=tuple(Entry(ply.text, ply.took) for ply in room.plies),
            rules_version=room.rules_version,
            result=room.result,
            started=room.created,
            ended=max(room.ended, room.created),
            position=room.position,
            salts=(_salt(room.id, first), _salt(room.id, second)),
            erased=(first.erased, second.erased),
        )
    )


def _salt(room: str, participant: Participant) -> str:
    return salt(room, participant.id) if participant.salt is None else participant.salt


def stored_game(room: RoomState) -> StoredGame:
    """Return a room whose game is over as it is stored."""
    first, second = room.players
    return StoredGame(
        record_of(room),
        (first.id, second.id),
        (first.level, second.level),
        room.seq,
        room.times.left,
        room.delay,
        room.follows,
        room.next,
        room.private,
    )


def without_player(game: StoredGame, seat: int) -> StoredGame:
    """Return a game without the name and the id of a player who was deleted."""
    first, second = game.ids
    ids = (first, "") if seat else ("", second)
    return replace(game, record=without_name(game.record, seat), ids=ids)


def pack(room: RoomState) -> bytes:
    """Return a room whose game is over as bytes."""
    return pack_game(stored_game(room))


def pack_game(game: StoredGame) -> bytes:
    """Return a game as bytes, the same for equal games."""
    record = normalized(replace(game.record, chain=final_link(game.record.chain)))
    packed = msgspec.msgpack.encode(replace(game, record=record), order="deterministic")
    return bytes([FORMAT_VERSION]) + zlib.compress(packed, 9)


def unpack(data: bytes) -> StoredGame:
    """Return the game of stored bytes. Raise Refusal if they were changed."""
    try:
        if data[:1] != bytes([FORMAT_VERSION]):
            raise ValueError("its format is unknown")
        decompressor = zlib.decompressobj()
        packed = decompressor.decompress(data[1:]) + decompressor.flush()
        if not decompressor.eof or decompressor.unused_data:
            raise ValueError("its length is wrong")
        game = msgspec.msgpack.decode(packed, type=StoredGame)
    except (zlib.error, ValueError, msgspec.DecodeError) as fault:
        raise Refusal(ErrorCode.RECORD_BROKEN, f"The stored record cannot be read: {fault}.") from None
    whole = chain(game.record)
    if game.record.chain != final_link(whole):
        raise Refusal(ErrorCode.RECORD_BROKEN, "The stored record was changed: its chain does not match.")
    return replace(game, record=replace(game.record, chain=whole))


def restore(data: bytes) -> AnyRoom:
    """Return the room of stored bytes, or its outline if this node does not support the rules of its game."""
    game = unpack(data)
    return room_of(game) if is_replayable(game.record) else outline_of(game)


def outline_of(game: StoredGame) -> Outline:
    """Return what is known about the room without the rules of its game."""
    record, terms = game.record, game.record.terms
    return Outline(
        record.room,
        game.seq,
        terms.game,
        record.rules_version,
        _participants(game),
        terms.rated,
        game.private,
        record.result,
        record.ended,
    )


def _participants(game: StoredGame) -> tuple[Participant, Participant]:
    first, second = (
        Participant(id, player, level, None if known == salt(game.record.room, id) else known, erased)
        for id, player, level, known, erased in zip(
            game.ids, game.record.players, game.levels, game.record.salts, game.record.erased, strict=True
        )
    )
    return first, second


def room_of(game: StoredGame) -> RoomState:
    """Return the room as it was at the end, without its open offers and processed commands.

    Raise Refusal if the rules do not allow the game.
    """
    record, terms = game.record, game.record.terms
    match = replay(record)
    created = Created(
        record.started,
        terms.game,
        terms.options,
        terms.clock,
        _participants(game),
        terms.rated,
        record.position,
        game.delay,
        follows=game.follows,
        private=game.private,
        rules_version=record.rules_version,
    )
    rules, moves = match.game, zip(match.states, match.moves, record.moves, strict=False)
    plies = [Ply(move, entry.move, rules.to_move(state) or 0, entry.took) for state, move, entry in moves]
    return replace(
        initial_state(record.room, created),
        seq=game.seq,
        state=match.state,
        previous_state=match.states[-2] if match.moves else None,
        times=Times(game.left),
        status="over",
        to_move=None,
        plies=shared_list(*plies),
        position_hashes=shared_list(*map(position_hash, match.states)) if rules.info.repetition else shared_list(),
        turn_began=0,
        result=record.result,
        next=game.next,
        ended=record.ended,
        is_archived=True,
    )
