"""The script in the documentation verifies the chains of real records, as docs/records.md specifies them."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from parlour.cli import main
from parlour.client.connection import Connection
from parlour.protocol.messages import Register, SignedIn
from parlour.protocol.types import Clock
from tests.e2e.players import RandomPlayer
from tests.e2e.processes import ServerProcess
from tests.e2e.web import ask
from tests.waiting import until

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "clients" / "verify_record.py"
VECTORS = json.loads((ROOT / "protocol" / "vectors" / "records.json").read_text("utf-8"))
ADMIN_ADDRESS = re.compile(r"operators connect to (http://[^\s\"]+)")


def verify(record: dict[str, Any]) -> tuple[int, str]:
    """Run the script with a record on its standard input; return its exit code and what it prints."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "-"], input=json.dumps(record), capture_output=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server with a port for operators."""
    tokens = tmp_path / "operators"
    tokens.write_text(f"nora {'t' * 43}\n", encoding="utf-8")
    tokens.chmod(0o600)
    one = ServerProcess(tmp_path / "data", "--admin-token-file", str(tokens), "--admin-port", "0")
    await one.start()
    yield one
    await one.kill()


async def played(server: ServerProcess) -> str:
    """Play a game between Ada, who has an account, and a guest; return its room."""
    async with Connection([server.url]) as ada, Connection([server.url], name="Žofie") as guest:
        await ada.ask(Register(id=0, name="Ada", password="wooden bishop"), SignedIn)
        players = [RandomPlayer(connection, Random(seed)) for seed, connection in enumerate((ada, guest))]
        clock = Clock("fischer", 600_000, 2000)
        await asyncio.gather(*(player.play("mapello", clock) for player in players))
        assert players[0].room is not None
        return players[0].room


async def record_of(server: ServerProcess, room: str) -> dict[str, Any]:
    """Return a record as the server gives it to anyone."""
    answer = await ask(server, f"/api/v1/records/{room}")
    assert answer.status == 200
    found: dict[str, Any] = answer.json
    return found


async def exported(server: ServerProcess, file: Path) -> dict[str, Any]:
    """Return the record of the only game once the archive has it. The room itself is kept a while longer."""

    async def is_archived() -> bool:
        assert await asyncio.to_thread(main, ["export", "games", str(file), "--force", "--data", str(server.data)]) == 0
        return file.stat().st_size > 0

    await until(is_archived)
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


async def delete_player(server: ServerProcess, tokens: Path, name: str) -> None:
    """Delete a player as an operator does."""
    address = ADMIN_ADDRESS.search((server.data / "server.log").read_text(encoding="utf-8"))
    assert address is not None
    options = ["--yes", "--reason", "asked for", "--server", address[1], "--token-file", str(tokens)]
    assert await asyncio.to_thread(main, ["admin", "delete", name, *options]) == 0


async def test_a_real_record(server: ServerProcess, tmp_path: Path) -> None:
    """The record of a game is valid, also after the name of a player was erased; a tampered one is not."""
    room = await played(server)
    record = await record_of(server, room)
    assert verify(record) == (0, f"The chain is valid: {len(record['moves'])} moves, last link {final_link(record)}.\n")

    await delete_player(server, tmp_path / "operators", "Ada")
    erased = await exported(server, tmp_path / "games.jsonl")
    assert "Ada" not in json.dumps(erased)
    assert final_link(erased) == final_link(record)
    assert verify(erased)[0] == 0

    erased["moves"][4][0], erased["moves"][6][0] = erased["moves"][6][0], erased["moves"][4][0]
    code, said = verify(erased)
    assert (code, said.startswith("Changed: at link 5 of ")) == (1, True)


def final_link(record: dict[str, Any]) -> str:
    return str(record["chain"]).rpartition(".")[2]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_vectors(vector: dict[str, Any]) -> None:
    """The script accepts the records among the vectors, whose last links it computes itself."""
    code, said = verify(vector["record"])
    assert (code, vector["links"][-1] in said) == (0, True)


TAMPERED: dict[str, tuple[str, Any]] = {
    "room": ("room", "aB3dEf"),
    "terms": ("terms", {"game": "mapello"}),
    "players": ("players", [{"name": "Eve"}, {"name": "Mallory"}]),
    "salts": ("salts", ["", ""]),
    "moves": ("moves", [["d5", 0], ["f4", 8]]),
    "a move less": ("moves", [["d5", 0]]),
    "version": ("rules_version", 2),
    "result": ("result", {"winner": 1, "reason": "resigned"}),
    "start": ("started", 1),
    "end": ("ended", 1),
    "position": ("position", "x"),
}


@pytest.mark.parametrize(("field", "value"), TAMPERED.values(), ids=TAMPERED.keys())
def test_a_tampered_record(field: str, value: Any) -> None:
    """Whatever is changed in a record, the script says that it was changed."""
    record = VECTORS[1]["record"] | {field: value}
    code, said = verify(record)
    assert code == 1
    assert said.startswith("Changed: ")


def test_an_erased_name_cannot_be_replaced() -> None:
    """The chain does not cover a name that was erased, so it may not be any other."""
    record = VECTORS[2]["record"]
    players = [record["players"][0] | {"name": "Eve"}, record["players"][1]]
    assert verify(record | {"players": players}) == (1, "Changed: the name of Eve was erased.\n")


def test_the_script_is_short_and_needs_nothing() -> None:
    """It fits on a page, and imports only the standard library."""
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 45
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)) <= sys.stdlib_module_names
