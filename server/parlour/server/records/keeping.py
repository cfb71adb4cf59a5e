"""From a finished room to what is kept of it, and back to a room for whoever comes late."""

from __future__ import annotations

import zlib

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Terms, TimeLeft
from parlour.server.records.document import replay
from parlour.server.records.record import Entry, GameRecord, chain, sealed, shortest
from parlour.server.rooms import presenter
from parlour.server.rooms.clock import Times
from parlour.server.rooms.core import Chair, Ply, Room, created, position_mark
from parlour.server.rooms.events import Created
from parlour.server.rooms.trail import trail

FORM = 1  # of what is kept


class Kept(Struct, frozen=True, array_like=True):
    """A finished game, and what its room needs besides. Fields may be added at the end with a default."""

    record: GameRecord  # with only the last link of its chain: the others follow from it
    players: tuple[str | None, ...]  # their ids, which nobody else may know
    levels: tuple[str | None, ...]
    seq: int
    left: tuple[TimeLeft, TimeLeft]
    delay: int = 0
    follows: str | None = None
    next: str | None = None
    private: bool = False


def record_of(room: Room) -> GameRecord:
    """The record of a game that is over."""
    assert room.result is not None
    first, second = (None if chair is None else presenter.player(chair) for chair in room.chairs)
    return sealed(
        GameRecord(
            room=room.id,
            terms=Terms(room.game, dict(room.options), room.clock, room.rated),
            players=(first, second),
            moves=tuple(Entry(ply.text, ply.took) for ply in room.plies),
            rules_version=room.rules.info.rules_version,
            result=room.result,
            started=room.created,
            ended=max(room.ended, room.created),
            position=room.position,
        )
    )


def pack(room: Room) -> bytes:
    """A room whose game is over, as bytes."""
    record = record_of(room)
    kept = Kept(
        shortest(replace(record, chain=_last(record.chain))),
        tuple(None if chair is None else chair.player for chair in room.chairs),
        tuple(None if chair is None else chair.level for chair in room.chairs),
        room.seq,
        room.times.left,
        room.delay,
        room.follows,
        room.next,
        room.private,
    )
    return bytes([FORM]) + zlib.compress(msgspec.msgpack.encode(kept, order="deterministic"), 9)


def unpack(data: bytes) -> Kept:
    """What was kept; refuses bytes in which anything was changed."""
    try:
        if data[:1] != bytes([FORM]):
            raise ValueError("it is of another form")
        unzip = zlib.decompressobj()
        unzipped = unzip.decompress(data[1:]) + unzip.flush()
        if not unzip.eof or unzip.unused_data:
            raise ValueError("its end is not where it should be")
        kept = msgspec.msgpack.decode(unzipped, type=Kept)
    except (zlib.error, ValueError, msgspec.DecodeError) as fault:
        raise Refusal(ErrorCode.RECORD_BROKEN, f"The record that was kept cannot be read: {fault}.") from None
    whole = chain(kept.record)
    if kept.record.chain != _last(whole):
        raise Refusal(ErrorCode.RECORD_BROKEN, "The record that was kept was changed: its chain does not fit.")
    return replace(kept, record=replace(kept.record, chain=whole))


def room_of(kept: Kept) -> Room:
    """The room as it was at the end, without what is of no use any more: open offers and commands.

    Refuses a game that was played by other rules than those of today.
    """
    record, terms = kept.record, kept.record.terms
    match = replay(record)
    begun = Created(
        record.started,
        terms.game,
        terms.options,
        terms.clock,
        terms.rated,
        record.position,
        kept.delay,
        follows=kept.follows,
        private=kept.private,
    )
    room = created(record.room, begun)
    game, moves = match.game, zip(match.states, match.moves, record.moves, strict=False)
    plies = [Ply(move, entry.move, game.to_move(state) or 0, entry.took) for state, move, entry in moves]
    chairs = tuple(
        None
        if player is None or id is None
        else Chair(id, player.name, player.rating, player.bot, None, level, player.sure, player.guest)
        for player, id, level in zip(record.players, kept.players, kept.levels, strict=True)
    )
    return replace(
        room,
        seq=kept.seq,
        state=match.state,
        before=match.states[-2] if match.moves else None,
        times=Times(kept.left),
        status="over",
        chairs=chairs,
        plies=trail(*plies),
        marks=trail(*map(position_mark, match.states)) if game.info.repetition else trail(),
        result=record.result,
        next=kept.next,
        ended=record.ended,
    )


def _last(links: str) -> str:
    return links.rpartition(".")[2]
