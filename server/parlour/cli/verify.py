"""`parlour verify`: check that game records are authentic and follow the rules."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive.record import GameRecord
from parlour.server.archive.verify import faults, is_replayable, read

MAX_SIZE = 10_000_000  # bytes; no game is that long

DESCRIPTION = """\
Replay recorded games by the rules, check the hash chain that seals each record, and report what is wrong and where.
A record is a file from the server, at /api/games/ROOM (JSON) or /api/games/ROOM.txt (text). Of a game that was played
by another version of the rules, only the chain is checked.

The exit code is 0 if all records are valid, and 1 if any is invalid or cannot be read.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "verify",
        help="check game records",
        description=DESCRIPTION,
        epilog="example: curl -s http://localhost:8765/api/games/ROOM.txt | parlour verify -",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a record; - for standard input")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    invalid = 0
    for file in arguments.files:
        found = _check(file)
        invalid += bool(found)
        for sentence in found:
            print(_printable(f"{file}: {sentence}"))
    return 1 if invalid else 0


def _check(file: str) -> list[str]:
    """Return what is wrong with a record; if nothing is, print a summary."""
    try:
        record = read(_text(file))
    except Refusal as refusal:
        return [refusal.sentence]
    found = list(faults(record))
    if not found:
        print(_printable(f"{file}: {_verdict(record)} {_summary(record)}"))
    return found


def _verdict(record: GameRecord) -> str:
    if is_replayable(record):
        return "valid."
    rules = f"version {record.rules_version} of its rules is not supported here"
    return f"the chain is valid; the moves were not replayed, because {rules}."


def _text(file: str) -> str:
    try:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as source:
            data = source.read(MAX_SIZE + 1)
        if len(data) > MAX_SIZE:
            raise Refusal(ErrorCode.RECORD_BROKEN, "The file is too long for a record.")
        return data.decode()
    except OSError as error:
        raise Refusal(ErrorCode.RECORD_UNKNOWN, f"The file cannot be read: {error.strerror or error}.") from None
    except UnicodeError:
        raise Refusal(ErrorCode.RECORD_BROKEN, "The file is not UTF-8 text.") from None


def _printable(text: str) -> str:
    """Escape what a record could use to control the terminal, such as colours and lines that were not checked."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _summary(record: GameRecord) -> str:
    first, second = (player.name for player in record.players)
    winner = record.result.winner
    ended = "a draw" if winner is None else f"{(first, second)[winner]} wins"
    moves = "1 move" if len(record.moves) == 1 else f"{len(record.moves)} moves"
    return f"{record.terms.game}, {first} against {second}, {moves}, {ended} ({record.result.reason})."
