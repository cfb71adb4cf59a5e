"""Files that only their owner can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.cli.private_file import private_file
from parlour.protocol.errors import ErrorCode, Refusal


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    """Whatever the mode of the file was before."""
    path = tmp_path / "robbie.token"
    path.touch(mode=0o644)

    with private_file(path) as file:
        file.write("secret")

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == "secret"


@pytest.mark.parametrize("content", [None, "an old token"])
def test_a_failure_leaves_everything_as_it_was(tmp_path: Path, content: str | None) -> None:
    """A new file disappears, and an old one keeps its content."""
    path = tmp_path / "robbie.token"
    if content is not None:
        path.write_text(content)

    with pytest.raises(ConnectionError), private_file(path):
        raise ConnectionError

    assert (path.read_text() if path.exists() else None) == content


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """The refusal names the file and the reason."""
    path = tmp_path / "no" / "folder"

    with pytest.raises(Refusal) as caught, private_file(path):
        pass

    assert caught.value.code == ErrorCode.OPTION_INVALID
    assert caught.value.sentence == f"{path} cannot be written: No such file or directory."
