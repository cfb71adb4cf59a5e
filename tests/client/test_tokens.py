"""Tokens between two runs of a program."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from parlour.client.tokens import TokenFile, config_dir, profile_dir

HERE, THERE = "ws://127.0.0.1:8765/ws", "wss://play.example.org/ws"


def test_tokens_are_kept_by_server(tmp_path: Path) -> None:
    """Each server has its own; the newest counts; another program that opens the file finds them."""
    path = tmp_path / "new folder" / "tokens.json"
    one = TokenFile(path)
    assert one.get(HERE) is None
    one.save(HERE, "a")
    one.save(THERE, "b")
    one.save(HERE, "c")
    assert (TokenFile(path).get(HERE), TokenFile(path).get(THERE)) == ("c", "b")
    one.remove(HERE)
    one.remove(HERE)
    assert (TokenFile(path).get(HERE), TokenFile(path).get(THERE)) == (None, "b")


def test_nobody_else_can_read_them(tmp_path: Path) -> None:
    """The file is for its owner alone, and nothing else is left beside it."""
    path = tmp_path / "private" / "tokens.json"
    TokenFile(path).save(HERE, "a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"[1]", b'{"a": 1}', b"\xff"])
def test_a_broken_file_is_no_obstacle(tmp_path: Path, content: bytes) -> None:
    """What cannot be read counts as empty, and is replaced."""
    path = tmp_path / "tokens.json"
    path.write_bytes(content)
    assert TokenFile(path).get(HERE) is None
    TokenFile(path).save(HERE, "a")
    assert TokenFile(path).get(HERE) == "a"


def test_where_they_are() -> None:
    """Where XDG says; a relative path there is ignored, as it must be."""
    assert config_dir({"XDG_CONFIG_HOME": "/somewhere"}) == Path("/somewhere/parlour")
    for environ in ({}, {"XDG_CONFIG_HOME": ""}, {"XDG_CONFIG_HOME": "relative"}):
        assert config_dir(environ) == Path.home() / ".config" / "parlour"


def test_profiles() -> None:
    """Each profile has a directory of its own below that of the user."""
    environ = {"XDG_CONFIG_HOME": "/somewhere"}
    assert profile_dir("", environ) == config_dir(environ)
    assert profile_dir("second", environ) == Path("/somewhere/parlour/profiles/second")


def test_tokens_in_use(tmp_path: Path) -> None:
    """A program learns whether another one uses the same token, however many there are."""
    one, two = TokenFile(tmp_path / "tokens.json"), TokenFile(tmp_path / "tokens.json")
    with one.used(HERE) as first, two.used(HERE) as second, two.used(HERE) as third, two.used(THERE) as elsewhere:
        assert (first, second, third, elsewhere) == (False, True, True, False)
    with two.used(HERE) as again:
        assert not again


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Where no mark can be left, a token counts as not in use."""
    (tmp_path / "file").write_text("")
    with TokenFile(tmp_path / "file" / "tokens.json").used(HERE) as shared:
        assert not shared
