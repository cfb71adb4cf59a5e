"""`parlour verify`: a sentence for each record, and an exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from parlour.cli import main
from parlour.server.archive.record import sealed
from parlour.server.archive.storage import record_of
from parlour.server.archive.text_format import write
from parlour.server.archive.verify import write_json
from parlour.server.archive.wire import room_message
from parlour.server.tournaments import game_records
from parlour.server.tournaments.game_records import RecordedGame
from parlour.tournaments import log_file
from tests.server.archive.sample_games import finished
from tests.tournaments.playing import Played

ROOM = finished("replica", 3, 12)
RECORD = record_of(ROOM)
TEXT = write(RECORD)
VALID = "valid. replica, Ada against Ben “the \\ Bot”, 12 moves, "


@pytest.mark.parametrize("text", [TEXT, write_json(RECORD), msgspec.json.encode(room_message(ROOM, 0)).decode()])
def test_a_valid_record(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Every format that the server produces is accepted."""
    file = tmp_path / "record"
    file.write_text(text, "utf-8")
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.startswith(f"{file}: {VALID}")


def test_a_record_from_a_pipe() -> None:
    """- reads the record from standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "verify", "-"], input=TEXT.encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith(f"-: {VALID}")


def test_invalid_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All files are checked, each error is located, and the exit code is 1 if any record is invalid."""
    good, changed, moved = tmp_path / "good", tmp_path / "changed", tmp_path / "moved"
    good.write_text(TEXT, "utf-8")
    changed.write_text(TEXT.replace('[First "Ada"]', '[First "Eve"]'), "utf-8")
    moves = write_json(RECORD).replace(f'["{RECORD.moves[2].move}"', f'["{RECORD.moves[0].move}"')
    moved.write_text(moves, "utf-8")
    assert main(["verify", str(changed), str(good), str(moved)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{changed}: Something before the first move, or move 1 was changed: ")
    assert lines[1].startswith(f"{good}: {VALID}")
    assert lines[2].startswith(f"{moved}: Move 3 was changed: ")
    assert lines[3].startswith(f"{moved}: Move 3, “{RECORD.moves[0].move}”")
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The tag [Clock …] is missing."),
        (b"hello", "Line 1 is neither a [Tag] nor a move"),
        (b"\xff\xfe", "The file is not UTF-8 text."),
        (b"{", "This is not the JSON of a record: "),
        (b"[]", "Line 1 is neither a [Tag] nor a move"),
        (b"{" * 100_000, "This is not the JSON of a record: "),
    ],
)
def test_files_that_are_not_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, sentence: str
) -> None:
    """Any content is answered with a sentence."""
    file = tmp_path / "file"
    file.write_bytes(data)
    assert main(["verify", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"{file}: {sentence}")


def test_unreadable_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file and a folder are reported like invalid records."""
    assert main(["verify", str(tmp_path / "missing"), str(tmp_path)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("missing: The file cannot be read: No such file or directory.")
    assert second.endswith(": The file cannot be read: Is a directory.")


def test_the_output_is_deterministic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The output depends only on the record."""
    file = tmp_path / "record"
    file.write_text(TEXT.replace("{", "{1"), "utf-8")
    outputs = []
    for _ in range(2):
        assert main(["verify", str(file)]) == 1
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != ""


def test_a_record_by_other_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the chain is checked, and the output says so."""
    old = sealed(replace(RECORD, rules_version=99))
    file = tmp_path / "record"
    file.write_text(write(old), "utf-8")
    assert main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    reason = "version 99 of its rules is not supported here"
    assert said.startswith(f"{file}: the chain is valid; the moves were not replayed, because {reason}. replica, Ada ")

    file.write_text(write(replace(old, ended=old.ended + 1)), "utf-8")
    assert main(["verify", str(file)]) == 1
    assert "The result or the time of the end was changed" in capsys.readouterr().out


def test_control_characters_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record cannot clear the screen, nor add a line that says that it is valid."""
    hostile = replace(RECORD.players[0], name="Eve\x1b[2J\nrecord: valid.")
    file = tmp_path / "record"
    file.write_text(write_json(sealed(replace(RECORD, players=(hostile, RECORD.players[1])))), "utf-8")
    main(["verify", str(file)])
    (line,) = capsys.readouterr().out.splitlines()

    assert "\x1b" not in line
    assert r"Eve\x1b[2J\nrecord: valid." in line


def test_a_number_out_of_range_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rating of 2^70 is not a traceback."""
    file = tmp_path / "record"
    file.write_text(write_json(RECORD).replace('{"name":"Ada"', f'{{"rating":{2**70},"name":"Ada"'), "utf-8")

    assert main(["verify", str(file)]) == 1
    assert "This is not the JSON of a record" in capsys.readouterr().out


def test_the_log_of_a_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A whole log is valid; one without its last result is not."""
    played = Played(4, format="swiss")
    played.play()
    file = tmp_path / "cup.jsonl"
    file.write_text("".join(map(log_file.write, played.log)), "utf-8")
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: valid. Cup: replica, 4 players, 2 rounds, finished.\n"

    file.write_text(file.read_text("utf-8") + game_records.write(RecordedGame("cup", 1, 0, 0, RECORD)), "utf-8")
    assert main(["verify", str(file)]) == 1
    assert "Round 1, match 1, game 1: The record is of another game" in capsys.readouterr().out
    file.write_text("".join(map(log_file.write, played.log)), "utf-8")

    file.write_text("".join(map(log_file.write, [*played.log[:-2], played.log[-1]])), "utf-8")
    assert main(["verify", str(file)]) == 1
    assert "The current round is not over." in capsys.readouterr().out
