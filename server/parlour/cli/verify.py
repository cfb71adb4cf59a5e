"""`parlour verify`: are these records of games true?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.records.document import faults, read
from parlour.server.records.record import GameRecord

LARGEST = 10_000_000  # bytes; no game is that long

DESCRIPTION = """\
Plays recorded games through again by the rules, and checks the chain of hashes that seals each record. Says what is
wrong, and where. A record is a file as the server gives it, at /api/games/ROOM (JSON) or /api/games/ROOM.txt (text).

The exit code is 0 when all records are true, and 1 when any is not or cannot be read.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "verify",
        help="check records of games against the rules",
        description=DESCRIPTION,
        epilog="example: curl -s http://localhost:8765/api/games/ROOM.txt | parlour verify -",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a record; - reads it from the standard input")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    wrong = 0
    for file in arguments.files:
        found = _check(file)
        wrong += bool(found)
        for sentence in found:
            print(f"{file}: {sentence}")
    return 1 if wrong else 0


def _check(file: str) -> list[str]:
    """What is wrong with a record; if nothing is, what it is about is told."""
    try:
        record = read(_text(file))
    except Refusal as refusal:
        return [refusal.sentence]
    found = list(faults(record))
    if not found:
        print(f"{file}: true. {_about(record)}")
    return found


def _text(file: str) -> str:
    try:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as source:
            data = source.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Refusal(ErrorCode.RECORD_BROKEN, "This is too long to be a record.")
        return data.decode()
    except OSError as fault:
        raise Refusal(ErrorCode.RECORD_UNKNOWN, f"It cannot be read: {fault.strerror or fault}.") from None
    except UnicodeError:
        raise Refusal(ErrorCode.RECORD_BROKEN, "This is not text in UTF-8.") from None


def _about(record: GameRecord) -> str:
    first, second = ("nobody" if player is None else player.name for player in record.players)
    winner = record.result.winner
    ended = "nobody wins" if winner is None else f"{(first, second)[winner]} wins"
    moves = "1 move" if len(record.moves) == 1 else f"{len(record.moves)} moves"
    return f"{record.terms.game}, {first} against {second}, {moves}, {ended} ({record.result.reason})."
