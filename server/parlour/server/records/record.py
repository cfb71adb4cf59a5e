"""A finished game as a value, sealed by a chain of hashes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from parlour.protocol.tables import Clock, Count, Milliseconds, Player, Result, RoomId, Terms

LAST_MOMENT = 253_402_300_799_999  # the end of the year 9999, in milliseconds since 1970
_LINK, _MARK = 16, 2  # bytes of a link, and of what is shown of all but the last

Moment = Annotated[Milliseconds, Meta(le=LAST_MOMENT)]


class Entry(Struct, frozen=True, array_like=True):
    """A move as text, and the time it took."""

    move: str
    took: Moment = 0


class GameRecord(Struct, frozen=True, omit_defaults=True):
    """Everything that is needed to play a game through again, with nothing that follows from the rules.

    Its JSON form is part of that of the message `record`: whatever reads the one reads the other.
    """

    room: RoomId
    terms: Terms  # with all options, and the seed where there is one
    players: tuple[Player | None, Player | None]
    moves: tuple[Entry, ...]
    rules_version: Count
    result: Result
    started: Moment
    ended: Moment
    chain: str = ""  # see `chain`
    position: str | None = None  # where it began, if not at the game's own beginning


def sealed(record: GameRecord) -> GameRecord:
    """The record with the chain that belongs to it."""
    return replace(record, chain=chain(record))


def shortest(record: GameRecord) -> GameRecord:
    """The same record, made so that equal ones are encoded alike.

    Of a default, msgspec leaves out only the very object.
    """
    terms = record.terms
    if terms.clock == Clock():
        return replace(record, terms=Terms(terms.game, terms.options, rated=terms.rated))
    return record


def chain(record: GameRecord) -> str:
    """A mark for each move, and the last link whole, with dots between them.

    Every link is a hash over the link before and one thing more: the first over everything that was known before the
    first move, then one for each move with its time, the last one over the result and the time of the end. So the last
    link answers for the whole record, and the first mark that differs says where something was changed.
    """
    *links, last = _links(record)
    return ".".join([*(link[:_MARK].hex() for link in links[1:]), last.hex()])


def _links(record: GameRecord) -> Iterator[bytes]:
    link = b""
    for part in _parts(record):
        text = msgspec.json.encode(part, order="deterministic")
        link = blake2b(link + text, digest_size=_LINK, person=b"parlour record").digest()
        yield link


def _parts(record: GameRecord) -> Iterator[object]:
    """What the links are about. Every field is named, so that fields of a later version do not change old chains."""
    terms, clock, result = record.terms, record.terms.clock, record.result
    yield (
        record.room,
        (terms.game, terms.options, (clock.kind, clock.main, clock.step, clock.count), terms.rated),
        [player and (player.name, player.rating, player.sure, player.bot, player.guest) for player in record.players],
        record.rules_version,
        record.started,
        record.position,
    )
    for entry in record.moves:
        yield entry.move, entry.took
    yield (result.winner, result.reason, result.scores), record.ended
