"""Finished games as lines of a file: a record in JSON, with the rest of what the archive knows, or as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import IO, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Count, Milliseconds, RoomId, TimeLeft
from parlour.server.archive import text_format
from parlour.server.archive.record import GameRecord, normalized
from parlour.server.archive.storage import StoredGame
from parlour.server.rooms import clock as clocks

MAX_SIZE = 10_000_000  # bytes of a game; none is that long

PlayerId = Annotated[str, Meta(pattern=r"^[\w.:-]{0,64}$")]


class ArchivedGame(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the archive knows about a game besides its record."""

    ids: tuple[PlayerId, PlayerId]  # of the players
    levels: tuple[str | None, str | None] = (None, None)  # of the bots that run on the server
    seq: Count
    left: tuple[TimeLeft, TimeLeft]
    delay: Milliseconds = 0
    follows: RoomId | None = None
    next: RoomId | None = None
    private: bool = False
    ratings: tuple[int, int] | None = None  # of both players after the game, if it was rated


class GameLine(GameRecord, frozen=True, omit_defaults=True):
    """A line of an export. A reader of records can read it."""

    archive: ArchivedGame | None = None  # None: the line has only the record


class FoundGame(Struct, frozen=True):
    """A game in a file, not verified yet."""

    line: int  # in which it begins
    record: GameRecord
    archived: ArchivedGame | None = None


class BrokenLine(Struct, frozen=True):
    """A line that is not a game."""

    line: int
    sentence: str


def write_line(game: StoredGame, ratings: tuple[int, int] | None) -> bytes:
    """Return a game as a line, the same for equal games."""
    archived = ArchivedGame(
        ids=game.ids,
        levels=game.levels,
        seq=game.seq,
        left=game.left,
        delay=game.delay,
        follows=game.follows,
        next=game.next,
        private=game.private,
        ratings=ratings,
    )
    line = GameLine(**_fields(normalized(game.record)), archive=archived)
    return msgspec.json.encode(line, order="deterministic")


def stored_game(game: FoundGame, ids: tuple[str, str]) -> StoredGame:
    """Return a game as it is stored; `ids` are those of the players if the file does not have them.

    A record alone does not say what the clocks showed at the end, so they are stored as they were at the start.
    """
    found = game.archived
    if found is None:
        left = clocks.fresh(game.record.terms.clock).left
        return StoredGame(game.record, ids, (None, None), len(game.record.moves) + 2, left)
    return StoredGame(
        game.record,
        found.ids,
        found.levels,
        found.seq,
        found.left,
        found.delay,
        found.follows,
        found.next,
        found.private,
    )


def read_games(source: IO[bytes]) -> Iterator[FoundGame | BrokenLine]:
    """Yield the games of a file, which has JSON Lines or text throughout."""
    lines = ((number, line) for number, line in enumerate(_lines(source), 1) if line.strip())
    first = next(lines, None)
    if first is None:
        return
    rest = chain([first], lines)
    if first[1].lstrip(b"\xef\xbb\xbf \t").startswith(b"{"):
        yield from (_read_json(number, line) for number, line in rest)
    else:
        yield from (_read_text(number, text) for number, text in _texts(rest))


def _lines(source: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file; of one that is too long only the beginning, so that it does not fill memory."""
    while line := source.readline(MAX_SIZE + 1):
        while not line.endswith(b"\n") and (rest := source.readline(MAX_SIZE)):
            if rest.endswith(b"\n"):
                break
        yield line.rstrip(b"\r\n")


def _texts(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield each game of a text, which begins with the tag of its name. Empty lines between its lines are restored."""
    first, parts, size, last = 0, list[bytes](), 0, 0
    for number, line in lines:
        if not parts or line.startswith(b"[Game "):
            if parts:
                yield first, b"\n".join(parts)
            first, parts, size, last = number, [], 0, number - 1
        if size <= MAX_SIZE:
            parts += [b""] * (number - last - 1) + [line]
        size, last = size + len(line), number
    if parts:
        yield first, b"\n".join(parts)


def _read_json(number: int, line: bytes) -> FoundGame | BrokenLine:
    if len(line) > MAX_SIZE:
        return BrokenLine(number, "The line is too long for a game.")
    try:
        found = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"), type=GameLine)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        return BrokenLine(number, f"This is not the JSON of a game: {fault}.")
    return FoundGame(number, GameRecord(**_fields(found)), found.archive)


def _read_text(number: int, text: bytes) -> FoundGame | BrokenLine:
    try:
        if len(text) > MAX_SIZE:
            raise Refusal(ErrorCode.RECORD_BROKEN, "The text is too long for a game.")
        return FoundGame(number, text_format.read(text.decode("utf-8-sig"), number))
    except UnicodeError:
        return BrokenLine(number, "This is not UTF-8 text.")
    except Refusal as refusal:
        return BrokenLine(number, refusal.sentence)


def _fields(record: GameRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in GameRecord.__struct_fields__}
