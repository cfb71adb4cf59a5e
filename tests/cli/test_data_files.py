"""Files of data: compressed or not, complete or not there, private."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from parlour.cli.data_files import reading, writing
from parlour.server.backup.errors import BackupError


@pytest.mark.parametrize("name", ["file.jsonl", "file.jsonl.gz"])
def test_a_file_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    """Its name says whether it is compressed, it can be read twice, and only its owner can read it."""
    path = tmp_path / name
    with writing(str(path)) as sink:
        sink.write(b"one\ntwo\n")
    with reading(str(path)) as source:
        assert list(source) == [b"one\n", b"two\n"]
        source.seek(0)
        assert source.read() == b"one\ntwo\n"

    assert path.read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_file_is_not_there(tmp_path: Path) -> None:
    """The file that it would have replaced is kept."""
    path = tmp_path / "file"
    path.write_bytes(b"before")

    def write_half() -> None:
        with writing(str(path), force=True) as sink:
            sink.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()

    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_not_replaced_by_accident(tmp_path: Path) -> None:
    """It is with `force`."""
    path = tmp_path / "file"
    path.write_bytes(b"before")
    with pytest.raises(BackupError, match=r"exists\. .* --force"), writing(str(path)):
        pass
    with writing(str(path), force=True) as sink:
        sink.write(b"after")

    assert path.read_bytes() == b"after"


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    """The reason is in the sentence: no such file or folder, or a compressed file that ends too early."""
    short = tmp_path / "short"
    short.write_bytes(gzip.compress(b"text" * 1000)[:-9])
    with pytest.raises(BackupError, match="No such file"), reading(str(tmp_path / "none")):
        pass
    with pytest.raises(BackupError, match="No such file"), writing(str(tmp_path / "none" / "file")):
        pass
    with pytest.raises(BackupError, match="ended before"), reading(str(short)) as source:
        source.read()


def test_standard_input_and_output(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes from a pipe can be compressed, and read twice."""
    with writing("-") as sink:
        sink.write(b"text")
    assert capfdbinary.readouterr().out == b"text"

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"one\n"))))
    with reading("-") as source:
        assert source.read() == b"one\n"
        source.seek(0)
        assert source.read() == b"one\n"
