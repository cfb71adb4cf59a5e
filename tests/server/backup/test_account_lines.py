"""Accounts are read as they were written, and nothing else is an account."""

from __future__ import annotations

import json

import pytest

from parlour.server.backup.account_lines import AccountLine, rating_line, rating_of, read_line, write_line
from parlour.server.players.glicko2 import Rating
from parlour.server.players.passwords import DUMMY_HASH

RATING = Rating(1612.5, 80.0, 0.059, 1_700_000_000_000, 3, 2, 1)
ADA = AccountLine(
    id="a1", name="Ada", created=1_700_000_000_000, password=DUMMY_HASH, ratings={"isaac": rating_line(RATING)}
)
BOT = AccountLine(id="b1", name="Ada Bot", kind="bot", created=1_700_000_000_001, owner="a1")


@pytest.mark.parametrize("account", [ADA, BOT], ids=["account", "bot"])
def test_a_line_has_everything(account: AccountLine) -> None:
    """A rating has named fields, and is the same afterwards."""
    assert read_line(write_line(account)) == account
    assert rating_of(rating_line(RATING)) == RATING


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"id": "a b"}, "not the JSON of an account"),
        ({"colour": "red"}, "not the JSON of an account"),
        ({"password": "secret"}, "not an Argon2 hash"),
        ({"password": None}, "An account has a password"),
        ({"kind": "bot"}, "A bot has an owner"),
        ({"ratings": {"isaac": {"rating": 1e9}}}, "not the JSON of an account"),
    ],
)
def test_lines_that_are_no_accounts(fields: dict[str, object], sentence: str) -> None:
    """The sentence says what is wrong."""
    with pytest.raises(ValueError, match=sentence):
        read_line(json.dumps(json.loads(write_line(ADA)) | fields).encode())


def test_other_texts() -> None:
    """They may be anything."""
    for line in (b"", b"\xff", b"[]", b'{"a": "' + b"x" * 2_000_000 + b'"}'):
        with pytest.raises(ValueError, match=r"\.$"):
            read_line(line)
