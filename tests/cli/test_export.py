"""`parlour export`: finished games as JSON Lines or text, and accounts."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.server.archive.verify import faults, read
from parlour.server.store.embedded import EmbeddedStore
from tests.server.backup.deployments import Content, fill


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a deployment with a finished game."""
    folder = tmp_path_factory.mktemp("data")

    async def play() -> Content:
        async with EmbeddedStore(folder) as store:
            return await fill(store.url, folder)

    asyncio.run(play())
    return folder


@pytest.mark.parametrize("form", ["json", "text"])
def test_games_are_valid_records(data: Path, capfd: pytest.CaptureFixture[str], form: str) -> None:
    """Standard output has the records, standard error their number."""
    options = ["--format", form, "--player", "ada", "--game", "replica", "--since", "2020-01-01", "--data", str(data)]
    assert main(["export", "games", *options]) == 0

    output = capfd.readouterr()
    assert list(faults(read(output.out.removesuffix("\n")))) == []
    assert output.err == "parlour: 1 game written.\n"


def test_a_file_without_games(data: Path, tmp_path: Path) -> None:
    """No game ended before the year 2000."""
    file = tmp_path / "games.jsonl.gz"

    assert main(["export", "games", str(file), "--until", "2000-01-01T00:00Z", "--data", str(data)]) == 0
    assert gzip.decompress(file.read_bytes()) == b""


def test_accounts(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the owner of the file can read it, and it is not for filters of games."""
    file = tmp_path / "accounts.jsonl"

    assert main(["export", "accounts", str(file), "--data", str(data)]) == 0
    assert capsys.readouterr().err == "parlour: 1 account written.\n"
    assert file.stat().st_mode & 0o777 == 0o600
    account = json.loads(file.read_text("utf-8"))
    assert (account["name"], list(account["ratings"])) == ("Ada", ["replica"])
    with pytest.raises(SystemExit):
        main(["export", "accounts", "--private", "--data", str(data)])
    assert "--private is for games, not for accounts" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "value"), [("--player", "Eve"), ("--game", "chess"), ("--since", "yesterday")])
def test_a_filter_that_makes_no_sense(data: Path, capsys: pytest.CaptureFixture[str], option: str, value: str) -> None:
    """The exit code is 2, and the sentence names the value."""
    try:
        code = main(["export", "games", option, value, "--data", str(data)])
    except SystemExit as ended:  # of argparse
        code = int(ended.code or 0)

    assert code == 2
    assert value in capsys.readouterr().err
