"""`parlour restore`: the whole file is checked first, and an interrupted restore can be completed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour.cli import main, restore
from parlour.cli.tally import Tally

HEADER = {"parlour": "backup", "version": 1, "store_format": 2, "id": "b"}
KEY = {"key": "name:ada", "type": "string", "value": "id"}
END = {"end": {"keys": 1}}


def written(path: Path, *lines: object) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return str(path)


def test_a_backup_is_restored_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was checked and restored is counted; a second time the target is not empty, and the sentence says so."""
    file = written(tmp_path / "file", HEADER, KEY, END)

    assert main(["restore", file, "--data", str(tmp_path / "data")]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "parlour: 1 key checked.",
        "parlour: 1 key restored. Servers can use the store and the archive now.",
    ]
    assert main(["restore", file, "--data", str(tmp_path / "data")]) == 2
    assert "Nothing was changed. Choose an empty store with --redis or --data" in (error := capsys.readouterr().err)
    assert error.endswith(" [target_not_empty]\n")


def test_a_broken_line_is_found_before_anything_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error names the line, and there is no data folder."""
    file = written(tmp_path / "file", HEADER, KEY, {"key": "name:ben"}, END)

    assert main(["restore", file, "--data", str(tmp_path / "data")]) == 2

    assert capsys.readouterr().err.startswith("parlour: Line 3: It is not a line of a backup (")
    assert not (tmp_path / "data").exists()


def test_an_interrupted_restore(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C is answered with what to do, and doing it completes the restore."""
    file, options = written(tmp_path / "file", HEADER, KEY, END), ["--data", str(tmp_path / "data")]

    class Interrupted(Tally):
        """Counts until the first key is restored."""

        def __call__(self, kind: str) -> None:
            if str(self).endswith("restored"):
                raise KeyboardInterrupt
            super().__call__(kind)

    with monkeypatch.context() as patch:
        patch.setattr(restore, "Tally", Interrupted)
        assert main(["restore", file, *options]) == 130
    assert "Interrupted. Restore the same file again to complete it." in capsys.readouterr().err
    assert main(["backup", str(tmp_path / "new"), *options]) == 2
    assert "[restore_incomplete]" in capsys.readouterr().err
    assert main(["restore", file, *options]) == 0
    assert main(["backup", str(tmp_path / "new"), *options]) == 0
