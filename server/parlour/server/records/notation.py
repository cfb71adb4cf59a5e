"""Records as text that people can read: tags, an empty line, and the moves, each with its time and its mark.

    [Game "mapello"]
    …
    [Chain "5a0f…"]

    1. c4 {3.250 9f3a}
    2. c3 {12.000 07be}

What stands in a tag is JSON. There is one way to write each record, and no other text is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Player
from parlour.server.records.record import GameRecord

SEATS = ("First", "Second")

_TAG = re.compile(r"\[(\w+(?: \w+)?) (.+)\]")
_MOVE = re.compile(r"\d+\. (.+) \{(\d{1,15})\.(\d{3}) ([0-9a-f]+)\}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def write(record: GameRecord) -> str:
    """The text of a sealed record."""
    *marks, last = record.chain.split(".")
    tags = [f"[{name} {_json(value)}]" for name, value in (*_tags(record), ("Chain", last))]
    moves = [
        f"{number}. {entry.move} {{{_seconds(entry.took)} {mark}}}"
        for number, (entry, mark) in enumerate(zip(record.moves, marks, strict=True), 1)
    ]
    return "\n".join([*tags, "", *moves]).rstrip("\n") + "\n"


def _tags(record: GameRecord) -> Iterator[tuple[str, Any]]:
    terms, clock, result = record.terms, record.terms.clock, record.result
    yield "Game", terms.game
    yield "Rules", record.rules_version
    yield "Room", record.room
    for seat, player in zip(SEATS, record.players, strict=True):
        if player is not None:
            yield from _player(seat, player)
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


def _player(seat: str, player: Player) -> Iterator[tuple[str, Any]]:
    yield seat, player.name
    if player.rating is not None:
        yield f"{seat}Rating", player.rating
    if not player.sure:
        yield f"{seat}Sure", False
    if player.bot:
        yield f"{seat}Bot", True
    if player.guest:
        yield f"{seat}Guest", True


def read(text: str) -> GameRecord:
    """The record of a text, not checked yet; refuses a text that is not the one of its record."""
    tags, entries, marks = _scan(text)
    try:
        record = msgspec.convert(_fields(tags, entries, marks), GameRecord)
    except KeyError as missing:
        raise _broken(f"There is no line [{missing.args[0]} …].") from None
    except (msgspec.ValidationError, ValueError, TypeError, OverflowError) as fault:
        raise _broken(f"A value is not what it should be: {fault}.") from None
    _compare(text, write(record))
    return record


def _scan(text: str) -> tuple[dict[str, Any], list[tuple[str, int]], list[str]]:
    tags: dict[str, Any] = {}
    entries: list[tuple[str, int]] = []
    marks: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if tag := _TAG.fullmatch(line):
            try:
                tags[tag[1]] = msgspec.json.decode(tag[2])
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                raise _broken(f"Line {number} has no JSON in its brackets.") from None
        elif move := _MOVE.fullmatch(line):
            entries.append((move[1], int(move[2]) * 1000 + int(move[3])))
            marks.append(move[4])
        elif line:
            raise _broken(f"Line {number} is neither a [Tag] nor a move such as “1. c4 {{3.250 9f3a}}”.")
    return tags, entries, marks


def _fields(tags: dict[str, Any], entries: list[tuple[str, int]], marks: list[str]) -> dict[str, Any]:
    """The fields of the record that such tags come from."""
    clock = {"kind": tags["Clock"]}
    for name in ("Main", "Step", "Count"):
        if f"Clock{name}" in tags:
            clock[name.lower()] = tags[f"Clock{name}"]
    options = {name.removeprefix("Option "): value for name, value in tags.items() if name.startswith("Option ")}
    result = {"winner": None, "reason": tags["Reason"], "scores": tags.get("Scores", ())}
    last = str(tags["Chain"])
    if "." in last:
        raise ValueError("a chain ends in one link")
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
        "chain": ".".join([*marks, last]),
        "position": tags.get("Position"),
    }


def _read_player(seat: str, tags: dict[str, Any]) -> dict[str, Any] | None:
    if seat not in tags:
        return None
    player = {"name": tags[seat]}
    for name in ("Rating", "Sure", "Bot", "Guest"):
        if f"{seat}{name}" in tags:
            player[name.lower()] = tags[f"{seat}{name}"]
    return player


def _compare(given: str, right: str) -> None:
    """Refuse a text that says the same in another way: then nobody can hide anything in it."""
    lines, wanted = given.rstrip("\n").split("\n"), right.rstrip("\n").split("\n")
    for number, (line, want) in enumerate(zip(lines, wanted, strict=False), 1):
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
