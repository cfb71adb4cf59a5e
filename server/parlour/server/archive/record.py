"""A finished game as a value, sealed by a chain of hashes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from parlour.protocol.types import Clock, Count, Player, Result, RoomId, Terms

LAST_MOMENT = 253_402_300_799_999  # the end of the year 9999, in milliseconds since 1970
_SALT = 8  # bytes
_LINK, _SHOWN = 16, 2  # bytes of a link, and how many of them are shown of all but the final one

NO_TEXTS = ("", "")
DELETED = "Deleted player"  # stands for the name of a player who was deleted

Moment = Annotated[int, Meta(ge=0, le=LAST_MOMENT)]
T = TypeVar("T")


class Entry(Struct, frozen=True, array_like=True):
    """A move as text, and the time it took."""

    move: str
    took: Moment = 0


class GameRecord(Struct, frozen=True, omit_defaults=True):
    """Everything needed to replay a game, and nothing that follows from the rules.

    Its JSON form is a subset of the message `record`, so a reader of the message can read the record.
    """

    room: RoomId
    terms: Terms  # with all options, including the seed
    players: tuple[Player, Player]
    moves: tuple[Entry, ...]
    rules_version: Count
    result: Result
    started: Moment
    ended: Moment
    chain: str = ""  # see `chain`
    position: str | None = None  # where the game started; None: at the game's usual start
    # By seat: a random text that is hashed with the name, so that the chain does not depend on the name itself; empty:
    # the chain covers the name as it is, as in records of older versions.
    salts: tuple[str, str] = NO_TEXTS
    # By seat: that hash, of a player who was deleted, instead of the name and the salt; empty: there is a name.
    erased: tuple[str, str] = NO_TEXTS


def sealed(record: GameRecord) -> GameRecord:
    """Return the record with its chain."""
    return replace(record, chain=chain(record))


def normalized(record: GameRecord) -> GameRecord:
    """Return the same record in the form in which equal records are encoded alike.

    msgspec omits a default only if it is the identical object.
    """
    terms = record.terms
    if terms.clock == Clock():
        terms = Terms(terms.game, terms.options, rated=terms.rated)
    salts = NO_TEXTS if record.salts == NO_TEXTS else record.salts
    erased = NO_TEXTS if record.erased == NO_TEXTS else record.erased
    return replace(record, terms=terms, salts=salts, erased=erased)


def chain(record: GameRecord) -> str:
    """Return the start of each move's link, and the whole final link, separated by dots.

    Every link is a hash of the previous link and one more part: the first of everything known before the first move,
    then one for each move with its time, and the final one of the result and the time of the end. So the final link
    proves the whole record, and the first link that differs shows where it was changed.
    """
    *links, final = [link for _, link in links_of(record)]
    return ".".join([*(link[:_SHOWN].hex() for link in links[1:]), final.hex()])


def final_link(chain: str) -> str:
    """Return the last link of a chain."""
    return chain.rpartition(".")[2]


def salt(room: str, player: str) -> str:
    """Return the salt of a player's name in the record of a room: the same on every node, and no clue to the id."""
    return blake2b(room.encode(), digest_size=_SALT, key=player.encode(), person=b"parlour salt").hexdigest()


def without_name(record: GameRecord, seat: int) -> GameRecord:
    """Return the record without the name of a player.

    The hash of the name stays, so the chain stays valid; but without the salt it cannot be traced back to the name. A
    record without salts gets a new chain.
    """
    if record.erased[seat]:
        return record
    erased = _covered_name(record, seat) if record.salts[seat] else ""
    changed = replace(
        record,
        players=_with(record.players, seat, replace(record.players[seat], name=DELETED)),
        salts=_with(record.salts, seat, ""),
        erased=_with(record.erased, seat, erased),
    )
    return changed if erased else sealed(changed)


def _with(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    return (pair[0], value) if seat else (value, pair[1])


def _covered_name(record: GameRecord, seat: int) -> str:
    """Return what the chain covers of a player's name."""
    name, salt, erased = record.players[seat].name, record.salts[seat], record.erased[seat]
    if not salt:
        return erased or name
    return blake2b(name.encode(), digest_size=_LINK, key=salt.encode(), person=b"parlour name").hexdigest()


def links_of(record: GameRecord) -> Iterator[tuple[bytes, bytes]]:
    """Yield each part that the chain covers, as it is hashed, and its link. docs/records.md specifies both."""
    link = b""
    for part in _parts(record):
        text = msgspec.json.encode(part, order="deterministic")
        link = blake2b(link + text, digest_size=_LINK, person=b"parlour record").digest()
        yield text, link


def _parts(record: GameRecord) -> Iterator[object]:
    """Yield the part that each link covers.

    Fields are listed one by one, so that a new field does not change old chains.
    """
    terms, clock, result = record.terms, record.terms.clock, record.result
    yield (
        record.room,
        (terms.game, terms.options, (clock.kind, clock.main, clock.step, clock.count), terms.rated),
        [
            (_covered_name(record, seat), player.rating, player.provisional, player.bot, player.guest)
            for seat, player in enumerate(record.players)
        ],
        record.rules_version,
        record.started,
        record.position,
    )
    for entry in record.moves:
        yield entry.move, entry.took
    unrated = [result.unrated] if result.unrated else []  # which older records do not have
    yield (result.winner, result.reason, result.scores, *unrated), record.ended
