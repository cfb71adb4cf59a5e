"""Where the command line finds the admin API and the operator's token."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.cli.admin_client import AdminClient, admin_client
from parlour.protocol.errors import Refusal


def test_the_token_is_found(tmp_path: Path) -> None:
    """In a file, with or without the name of the operator, else in the environment."""
    file = tmp_path / "token"
    for text in ("nora secret\n", "# mine\nsecret\n"):
        file.write_text(text, encoding="utf-8")
        assert vars(admin_client(None, file, {}))["_token"] == "secret"
    assert vars(admin_client(None, None, {"PARLOUR_ADMIN_TOKEN": "other"}))["_token"] == "other"
    file.write_text("", encoding="utf-8")
    for given in (file, tmp_path / "missing"):
        with pytest.raises(Refusal):
            admin_client(None, given, {})


def test_an_address_may_lack_the_scheme() -> None:
    """An option counts more than the environment."""
    environ = {"PARLOUR_ADMIN_TOKEN": "t", "PARLOUR_ADMIN_SERVER": "https://play.example.org"}
    assert vars(admin_client("localhost:1234", None, environ))["_server"] == "http://localhost:1234"
    assert vars(admin_client(None, None, environ))["_server"] == "https://play.example.org"
    with pytest.raises(Refusal):
        admin_client("file:///etc", None, environ)


def test_a_server_that_does_not_answer() -> None:
    """The sentence says how to start the API."""
    with pytest.raises(ConnectionError, match="--admin-token-file"):
        AdminClient("http://127.0.0.1:9", "t").get("nodes")
