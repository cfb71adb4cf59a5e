"""Every line of a backup is checked, and an error names the line."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from parlour.server.archive.rows import game_row
from parlour.server.archive.storage import pack_game, stored_game
from parlour.server.backup.errors import BackupCode, BackupError
from parlour.server.backup.lines import VERSION, End, Header, Row, encode, encode_row, read_content, read_header
from parlour.server.backup.stored_keys import StoredKey
from parlour.server.store.format import FORMAT
from tests.server.archive.sample_games import finished

GAME = stored_game(finished("replica", 3, 12))
ROW: dict[str, Any] = msgspec.structs.asdict(game_row(GAME, pack_game(GAME)))
del ROW["seats"]
KEY = StoredKey("name:ada", "string", "id-of-ada")
LINES = [encode(KEY), encode_row("games", ROW), encode(End({"keys": 1, "games": 1}))]


def fault(*lines: bytes) -> str:
    """Return why the lines after a header are refused."""
    with pytest.raises(BackupError) as caught:
        list(read_content(iter(lines)))
    assert caught.value.code == BackupCode.BACKUP_BROKEN
    return str(caught.value)


def test_lines_are_read_as_they_were_written() -> None:
    """Bytes are bytes again."""
    assert list(read_content(iter(LINES))) == [KEY, Row("games", ROW)]


def test_the_header() -> None:
    """It has the version of the format, that of the store, and an id."""
    header = Header(VERSION, FORMAT, "today")

    assert read_header(iter([encode(header)])) == header
    assert header.id != Header(VERSION, FORMAT).id


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", BackupCode.BACKUP_BROKEN),
        (b"\xff", BackupCode.BACKUP_BROKEN),
        (b'{"parlour": "games"}', BackupCode.BACKUP_BROKEN),
        (encode(Header(VERSION + 1, FORMAT)), BackupCode.BACKUP_NEWER),
        (encode(Header(VERSION, FORMAT + 1)), BackupCode.BACKUP_NEWER),
    ],
    ids=["empty", "not text", "not a backup", "newer file", "newer store"],
)
def test_a_header_that_is_refused(line: bytes, code: BackupCode) -> None:
    """A file of another kind is refused, and one of a newer version."""
    with pytest.raises(BackupError) as caught:
        read_header(iter([line]))
    assert caught.value.code == code


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\xff\n", b"[]", b"1", b"{}", b'{"key": "k", "type": "hash", "value": "text"}', b'{"end": 3}',
        b'{"key": "k", "type": "bitmap", "value": ""}', b'{"table": "users", "row": {}}',
        b'{"table": "games", "row": {}}', b'{"key": "k", "type": "string", "value": "", "more": 1}',
    ],
)  # fmt: skip
def test_a_line_that_is_refused(line: bytes) -> None:
    """The error has its number."""
    assert fault(LINES[0], line).startswith("Line 3: It is not a line of a backup (")


def test_a_record_that_was_changed() -> None:
    """The chain of a record is checked, and that it belongs to its room."""
    changed = encode_row("games", {**ROW, "record": ROW["record"][:-5]})
    moved = encode_row("games", {**ROW, "room": "other"})

    assert fault(changed).startswith("Line 2: The stored record cannot be read")
    assert "its record is that of another room" in fault(moved)


def test_missing_lines() -> None:
    """A backup that was cut off, or that lost lines, is refused."""
    assert fault(*LINES[:-1]) == "Line 4: The backup is not complete: it ends here. Use another backup."
    assert fault(*LINES[1:]) == "Line 3: Lines before it are missing. Use another backup."


def test_every_line_is_json() -> None:
    """Any program can read a backup."""
    assert json.loads(LINES[1])["row"]["room"] == GAME.record.room
