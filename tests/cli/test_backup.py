"""`parlour backup`: a file, or a sentence that says what to do."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.cli import main


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of a deployment with a player, restored from a written backup."""
    lines: list[object] = [
        {"parlour": "backup", "version": 1, "store_format": 2, "id": "b"},
        {"key": "name:ada", "type": "string", "value": "id"},
        {"end": {"keys": 1}},
    ]
    file = tmp_path / "written.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert main(["restore", str(file), "--data", str(tmp_path / "data")]) == 0
    return tmp_path / "data"


def test_a_compressed_file(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has one JSON object per line, and standard error says what is in it."""
    capsys.readouterr()
    file = tmp_path / "backup.jsonl.gz"

    assert main(["backup", str(file), "--data", str(data)]) == 0

    header, key, end = map(json.loads, gzip.decompress(file.read_bytes()).splitlines())
    assert (header["parlour"], header["version"]) == ("backup", 1)
    assert (key, end) == ({"key": "name:ada", "type": "string", "value": "id"}, {"end": {"keys": 1}})
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"parlour: 1 key written. The backup is {file}.\n")


def test_to_a_pipe_that_is_closed(data: Path) -> None:
    """Standard output has only the backup, and a reader that leaves early causes no traceback."""
    command = f"{sys.executable} -m parlour.cli backup - --data {data}"
    done = subprocess.run(f"{command} | head -c 10", shell=True, capture_output=True, check=False)
    closed = subprocess.run(f"{command} | true", shell=True, capture_output=True, check=False)

    assert done.stdout == b'{"parlour"'
    assert b"Traceback" not in done.stderr + closed.stderr


def test_there_is_nothing_to_back_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence has a code, and no file is left."""
    assert main(["backup", str(tmp_path / "file"), "--data", str(tmp_path / "typo")]) == 2

    assert capsys.readouterr().err == (
        f"parlour: There is no store in {tmp_path / 'typo'}. Name it with --data or --redis. [source_missing]\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_redis_that_is_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 1, and standard error has a sentence."""
    (tmp_path / "archive.sqlite3").touch()
    address = f"unix://{tmp_path}/no-such-socket"

    assert main(["backup", str(tmp_path / "file"), "--data", str(tmp_path), "--redis", address]) == 1

    error = capsys.readouterr().err
    assert error.startswith("parlour: ")
    assert error.count("\n") == 1
