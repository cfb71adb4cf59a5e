"""Records as human-readable text: tags, an empty line, and the moves, each with its time and its link of the chain.

    [Game "mapello"]
    …
    [Chain "5a0f…"]

    1. c4 {3.250 9f3a}
    2. c3 {12.000 07be}

The value of a tag is JSON. There is exactly one text for each record, and no other is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Player
from parlour.server.archive.record import GameRecord

SEATS = ("First", "Second")

_TAG = re.compile(r"\[(\w+(?: \w+)?) (.+)\]")
_MOVE = re.compile(r"\d+\. (.+) \{(\d{1,15})\.(\d{3}) ([0-9a-f]+)\}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def write(record: GameRecord) -> str:
    """Return the text of a sealed record."""
    *links, final = record.chain.split(".")
    tags = [f"[{name} {_json(value)}]" for name, value in (*_tags(record), ("Chain", final))]
    moves = [
        f"{number}. {entry.move} {{{_seconds(entry.took)} {link}}}"
        for number, (entry, link) in enumerate(zip(record.moves, links, strict=True), 1)
    ]
    return "\n".join([*tags, "", *moves]).rstrip("\n") + "\n"


def _tags(record: GameRecord) -> Iterator[tuple[str, Any]]:
    terms, clock, result = record.terms, record.terms.clock, record.result
    yield "Game", terms.game
    yield "Rules", record.rules_version
    yield "Room", record.room
    for number, (seat, player) in enumerate(zip(SEATS, record.players, strict=True)):
        yield from _player(seat, player)
        if record.salts[number]:
            yield f"{seat}Salt", record.salts[number]
        if record.erased[number]:
            yield f"{seat}Erased", record.erased[number]
    yield "Rated", terms.rated
    yield "Clock", clock.kind
    for name, value in (("ClockMain", clock.main), ("ClockStep", clock.step), ("ClockCount", clock.count)):
        if value:
            yield name, value
    for key, option in sorted(terms.options.items()):
        yield f"Option {key}", option
    if record.position is not None:
        yield "Position", record.position
    yield "Started", _moment(record.started)
    yield "Ended", _moment(record.ended)
    if result.winner is not None:
        yield "Winner", SEATS[result.winner].lower()
    yield "Reason", result.reason
    if result.scores:
        yield "Scores", result.scores
    if result.unrated:
        yield "Unrated", result.unrated


def _player(seat: str, player: Player) -> Iterator[tuple[str, Any]]:
    yield seat, player.name
    if player.rating is not None:
        yield f"{seat}Rating", player.rating
    if player.provisional:
        yield f"{seat}Provisional", True
    if player.bot:
        yield f"{seat}Bot", True
    if player.guest:
        yield f"{seat}Guest", True


def read(text: str, first_line: int = 1) -> GameRecord:
    """Return the record of a text, not verified yet. Raise Refusal if it is not exactly the text of a record.

    `first_line` is the number of the text's first line in its file.
    """
    tags, entries, links = _scan(text, first_line)
    try:
        record = msgspec.convert(_fields(tags, entries, links), GameRecord)
    except KeyError as missing:
        raise _broken(f"The tag [{missing.args[0]} …] is missing.") from None
    except (msgspec.ValidationError, ValueError, TypeError, OverflowError) as fault:
        raise _broken(f"A value is invalid: {fault}.") from None
    _compare(text, write(record), first_line)
    return record


def _scan(text: str, first_line: int) -> tuple[dict[str, Any], list[tuple[str, int]], list[str]]:
    tags: dict[str, Any] = {}
    entries: list[tuple[str, int]] = []
    links: list[str] = []
    for number, line in enumerate(text.split("\n"), first_line):
        if tag := _TAG.fullmatch(line):
            try:
                tags[tag[1]] = msgspec.json.decode(tag[2])
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                raise _broken(f"The value of the tag in line {number} is not JSON.") from None
        elif move := _MOVE.fullmatch(line):
            entries.append((move[1], int(move[2]) * 1000 + int(move[3])))
            links.append(move[4])
        elif line:
            raise _broken(f"Line {number} is neither a [Tag] nor a move such as “1. c4 {{3.250 9f3a}}”.")
    return tags, entries, links


def _fields(tags: dict[str, Any], entries: list[tuple[str, int]], links: list[str]) -> dict[str, Any]:
    """Return the fields of the record with these tags."""
    clock = {"kind": tags["Clock"]}
    for name in ("Main", "Step", "Count"):
        if f"Clock{name}" in tags:
            clock[name.lower()] = tags[f"Clock{name}"]
    options = {name.removeprefix("Option "): value for name, value in tags.items() if name.startswith("Option ")}
    result = {
        "winner": None,
        "reason": tags["Reason"],
        "scores": tags.get("Scores", ()),
        "unrated": tags.get("Unrated", ""),
    }
    final = str(tags["Chain"])
    if "." in final:
        raise ValueError("the tag Chain holds one link")
    if "Winner" in tags:
        result["winner"] = [seat.lower() for seat in SEATS].index(tags["Winner"])
    return {
        "room": tags["Room"],
        "terms": {"game": tags["Game"], "options": options, "clock": clock, "rated": tags["Rated"]},
        "players": [_read_player(seat, tags) for seat in SEATS],
        "moves": entries,
        "rules_version": tags["Rules"],
        "result": result,
        "started": _read_moment(tags["Started"]),
        "ended": _read_moment(tags["Ended"]),
        "chain": ".".join([*links, final]),
        "position": tags.get("Position"),
        "salts": [tags.get(f"{seat}Salt", "") for seat in SEATS],
        "erased": [tags.get(f"{seat}Erased", "") for seat in SEATS],
    }


def _read_player(seat: str, tags: dict[str, Any]) -> dict[str, Any]:
    player = {"name": tags[seat]}
    for name in ("Rating", "Provisional", "Bot", "Guest"):
        if f"{seat}{name}" in tags:
            player[name.lower()] = tags[f"{seat}{name}"]
    return player


def _compare(given: str, expected: str, first_line: int) -> None:
    """Raise Refusal for a text that writes the same record differently, so that a text cannot hide anything."""
    lines, wanted = given.rstrip("\n").split("\n"), expected.rstrip("\n").split("\n")
    for number, (line, want) in enumerate(zip(lines, wanted, strict=False), first_line):
        if line != want:
            raise _broken(f"Line {number} should be: {want or '(empty)'}")
    if len(lines) != len(wanted):
        raise _broken(f"There should be {len(wanted)} lines, not {len(lines)}.")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _seconds(time: int) -> str:
    return f"{time // 1000}.{time % 1000:03}"


def _moment(time: int) -> str:
    return (_EPOCH + timedelta(milliseconds=time)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _read_moment(text: str) -> int:
    return (datetime.fromisoformat(text) - _EPOCH) // timedelta(milliseconds=1)


def _broken(sentence: str) -> Refusal:
    return Refusal(ErrorCode.RECORD_BROKEN, sentence)
