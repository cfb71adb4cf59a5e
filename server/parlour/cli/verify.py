"""`parlour verify`: check that game records are authentic and follow the rules."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from parlour.cli.commands import add_command
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive.record import GameRecord
from parlour.server.archive.verify import faults, is_replayable, read
from parlour.server.tournaments import game_records
from parlour.tournaments import log_file
from parlour.tournaments.state import fold

MAX_SIZE = 10_000_000  # bytes; no game is that long
MAX_TOURNAMENT_SIZE = 50 * MAX_SIZE

DESCRIPTION = """\
Replay recorded games by the rules, check the hash chain that seals each record, and report what is wrong and where.
A record is a file from the server, at /api/v1/records/ROOM (JSON) or /api/v1/records/ROOM.txt (text). Of a game that
was played by another version of the rules, only the chain is checked. The log of a tournament, written by `parlour
tournament run --log FILE`, is valid if every pairing follows from what happened before. With the records of its games,
which `parlour tournament export --as records` adds, each of them is checked, and that the results are those in the log.

The exit code is 0 if all records are valid, and 1 if any is invalid or cannot be read.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "verify",
        description=DESCRIPTION,
        epilog="example: curl -s http://localhost:8765/api/v1/records/ROOM.txt | parlour verify -",
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
        text = _text(file)
        if log_file.is_log(text):
            return _check_tournament(file, text)
        record = read(text)
    except Refusal as refusal:
        return [refusal.sentence]
    found = list(faults(record))
    if not found:
        print(_printable(f"{file}: {_verdict(record)} {_summary(record)}"))
    return found


def _check_tournament(file: str, text: str) -> list[str]:
    events, games = game_records.read(text)
    found = list(game_records.faults(events, games))
    if not found:
        state = fold(events)
        rounds = "1 round" if len(state.rounds) == 1 else f"{len(state.rounds)} rounds"
        summary = f"{state.settings.game}, {len(state.entries)} players, {rounds}, {state.status}"
        records = f", with the records of {len(games)} games" if games else ""
        print(_printable(f"{file}: valid. {state.settings.name}: {summary}{records}."))
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
            is_tournament = log_file.is_log(data[:100].decode(errors="replace"))
            most = MAX_TOURNAMENT_SIZE if is_tournament else MAX_SIZE
            data += source.read(most + 1 - len(data))
        if len(data) > most:
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
