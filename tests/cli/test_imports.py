"""`parlour import`: real processes move games and accounts between stores."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from parlour.cli import main
from parlour.protocol.messages import GetProfile, GetRecord, Join, ListGames, Offer, SignedIn, SignIn
from parlour.server.archive.database.engine import FILE, sqlite_url
from parlour.server.backup.game_lines import write_line
from parlour.server.store.embedded import EmbeddedStore
from tests.server.backup.archived_games import RATINGS, archived_game
from tests.server.backup.deployments import PASSWORD, Content, fill
from tests.server.running_node import running_node
from tests.server.store.private_valkey import PrivateValkey


@pytest.fixture(scope="module")
def valkey() -> Iterator[PrivateValkey]:
    server = PrivateValkey()
    server.start()
    yield server
    server.close()


def parlour(*arguments: str) -> str:
    """Run a command in a process of its own, and return the last line that it reports."""
    command = [sys.executable, "-m", "parlour.cli", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()[-1]


def test_from_the_embedded_store_to_a_redis_and_back(tmp_path: Path, valkey: PrivateValkey) -> None:
    """What is exported at the end is what was exported first, and the players find their account and their game."""
    before, between, after = (["--data", str(tmp_path / name)] for name in ("before", "between", "after"))
    between += ["--redis", valkey.url]

    async def play() -> Content:
        async with EmbeddedStore(tmp_path / "before") as store:
            return await fill(store.url, tmp_path / "before")

    content = asyncio.run(play())
    accounts, games = str(tmp_path / "accounts"), str(tmp_path / "games.gz")
    last_accounts, last_games = str(tmp_path / "last_accounts"), str(tmp_path / "last_games.gz")

    assert main(["export", "accounts", accounts, *before]) == 0
    assert main(["export", "games", games, "--private", *before]) == 0
    assert parlour("import", "accounts", accounts, *between) == "parlour: 1 imported."
    assert parlour("import", "games", games, *between) == "parlour: 1 imported."
    assert parlour("export", "accounts", last_accounts, *between) == "parlour: 1 account written."
    assert parlour("export", "games", last_games, "--private", *between) == "parlour: 1 game written."
    assert main(["import", "accounts", last_accounts, *after]) == 0
    assert main(["import", "games", last_games, *after]) == 0

    assert Path(last_accounts).read_bytes() == Path(accounts).read_bytes()
    assert gzip.decompress(Path(last_games).read_bytes()) == gzip.decompress(Path(games).read_bytes())
    asyncio.run(_check(tmp_path / "after", content.finished))


async def _check(data: Path, room: str) -> None:
    """Sign in as Ada, and find her rating and her game, in which nothing can happen any more."""
    async with EmbeddedStore(data) as store, running_node(store.url, archive=sqlite_url(data / FILE)) as node:
        ben = await node.call(name="Ben")
        signed_in = await ben.ask(SignIn(id=0, name="ada", password=PASSWORD))
        assert isinstance(signed_in, SignedIn)
        ada = await node.call(signed_in.token)
        profile = await ada.ask(GetProfile(id=0, name="Ada"))
        assert [(rating.game, rating.games) for rating in profile.ratings] == [("replica", 1)]
        listed = await ada.ask(ListGames(id=0, player="Ada", result="won"))
        assert [row.room for row in listed.rows] == [room]
        assert (await ben.ask(ListGames(id=0))).rows == ()  # it was private
        assert (await ada.ask(GetRecord(id=0, room=room))).result.reason == "resigned"
        await ada.ask(Join(id=0, room=room))
        assert await ada.code(Offer(id=0, room=room, kind="rematch")) == "game_over"


def test_a_line_that_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], valkey: PrivateValkey) -> None:
    """The exit code is 1, and standard error has the line, a sentence and a code."""
    good = write_line(archived_game(1), RATINGS)
    changed = json.dumps(json.loads(good) | {"room": "other"}).encode()
    file = tmp_path / "games.jsonl"
    file.write_bytes(good + b"\n" + changed + b"\n")
    options = ["--data", str(tmp_path), "--redis", valkey.url, "--key-prefix", "refused"]

    assert main(["import", "games", str(file), *options]) == 1

    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("parlour: Line 2: Something before the first move, or move 1 was changed: ")
    assert first.endswith(" [record_broken]")
    assert last == "parlour: 1 imported, 1 refused."


def test_an_empty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], valkey: PrivateValkey) -> None:
    """The summary says so."""
    (tmp_path / "empty").touch()
    options = ["--data", str(tmp_path), "--redis", valkey.url, "--key-prefix", "empty"]

    assert main(["import", "accounts", str(tmp_path / "empty"), *options]) == 0
    assert capsys.readouterr().err == "parlour: nothing. The file has no accounts.\n"


def test_ctrl_c(tmp_path: Path, valkey: PrivateValkey) -> None:
    """What was begun is completed, the summary says what to do, and doing it completes the import."""
    file, number = tmp_path / "games.jsonl", 2_000  # seconds of work, so that the signal comes before the end
    file.write_bytes(b"".join(write_line(archived_game(each), RATINGS) + b"\n" for each in range(number)))
    options = ["--data", str(tmp_path), "--redis", valkey.url, "--key-prefix", "interrupted"]
    command = [sys.executable, "-m", "parlour.cli", "import", "games", str(file), *options]
    archive = tmp_path / "archive-interrupted.sqlite3"
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8") as process:
        while process.poll() is None and not archive.exists():
            sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, report = process.communicate()

    assert process.returncode == 130
    last = report.splitlines()[-1]
    assert last.endswith(" imported. Interrupted. Import the same file again to continue.")
    imported = int(last.removeprefix("parlour: ").split()[0])
    again = parlour("import", "games", str(file), *options)
    assert again == f"parlour: {imported} already there, {number - imported} imported."
