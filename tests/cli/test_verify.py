"""`parlour verify`: a sentence for each record, and an exit code for programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from parlour.cli import main
from parlour.server.records.document import write_json
from parlour.server.records.keeping import record_of
from parlour.server.records.notation import write
from parlour.server.records.telling import tell
from tests.server.records.played_games import finished

ROOM = finished("replica", 3, 12)
RECORD = record_of(ROOM)
TEXT = write(RECORD)
TRUE = "true. replica, Ada against Ben “the \\ Bot”, 12 moves, "


@pytest.mark.parametrize("text", [TEXT, write_json(RECORD), msgspec.json.encode(tell(ROOM, 0)).decode()])
def test_a_true_record(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """In every form that the server gives."""
    file = tmp_path / "record"
    file.write_text(text, "utf-8")
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.startswith(f"{file}: {TRUE}")


def test_a_record_from_a_pipe() -> None:
    """With - it is read from the standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "verify", "-"], input=TEXT.encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith(f"-: {TRUE}")


def test_what_is_wrong_is_said_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 1 if any of the files is wrong, and all of them are looked at."""
    good, changed, moved = tmp_path / "good", tmp_path / "changed", tmp_path / "moved"
    good.write_text(TEXT, "utf-8")
    changed.write_text(TEXT.replace('[First "Ada"]', '[First "Eve"]'), "utf-8")
    moves = write_json(RECORD).replace(f'["{RECORD.moves[2].move}"', f'["{RECORD.moves[0].move}"')
    moved.write_text(moves, "utf-8")
    assert main(["verify", str(changed), str(good), str(moved)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"{changed}: Something before the first move, or move 1 was changed: ")
    assert told[1].startswith(f"{good}: {TRUE}")
    assert told[2].startswith(f"{moved}: Move 3 was changed: ")
    assert told[3].startswith(f"{moved}: Move 3, “{RECORD.moves[0].move}”")
    assert len(told) == 4


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "There is no line [Clock"),
        (b"hello", "Line 1 is neither a [Tag] nor a move"),
        (b"\xff\xfe", "This is not text in UTF-8."),
        (b"{", "This is not the JSON of a finished game: "),
        (b"[]", "Line 1 is neither a [Tag] nor a move"),
        (b"{" * 100_000, "This is not the JSON of a finished game: "),
    ],
)
def test_what_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, sentence: str) -> None:
    """Whatever is in the file, the answer is a sentence."""
    file = tmp_path / "file"
    file.write_bytes(data)
    assert main(["verify", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"{file}: {sentence}")


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Is not true either."""
    assert main(["verify", str(tmp_path / "nothing"), str(tmp_path)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("nothing: It cannot be read: No such file or directory.")
    assert second.endswith(": It cannot be read: Is a directory.")


def test_the_same_every_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is said depends on the record alone."""
    file = tmp_path / "record"
    file.write_text(TEXT.replace("{", "{1"), "utf-8")
    said = []
    for _ in range(2):
        assert main(["verify", str(file)]) == 1
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != ""
