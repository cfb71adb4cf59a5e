"""`parlour token`: it prints the token and nothing else, however it gets the password."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.client.connection import Connection
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Ok, Register, SignOut, Welcome
from tests.e2e.processes import ServerProcess
from tests.server.api.http_client import HttpClient

PASSWORD = "wooden bishop"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server on which Ann has an account."""
    one = ServerProcess(tmp_path / "data")
    await one.start()
    async with Connection([one.url]) as ann:
        await ann.call(Register(id=0, name="Ann", password=PASSWORD))
        assert isinstance(await ann.call(SignOut(id=0)), Ok)
    yield one
    await one.stop()


async def run(*arguments: str, stdin: str = "", password: str | None = None) -> tuple[int | None, str, str]:
    """Run the command; return its exit code, standard output and standard error."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    if password is not None:
        environ["PARLOUR_PASSWORD"] = password
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "token", *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environ
    )
    output, errors = await process.communicate(stdin.encode())
    return process.returncode, output.decode(), errors.decode()


async def player_of(server: ServerProcess, token: str) -> Welcome:
    """Return the welcome that a client with this token gets."""
    async with Connection([server.url], token=token) as connection:
        while not isinstance(told := await connection.news.get(), Welcome):
            pass  # first the refusal of an unknown token, after which the client becomes a guest
        return told


async def test_the_token_is_printed(server: ServerProcess) -> None:
    """The token is the only output and identifies the bot; a second call replaces it for the same bot."""
    code, output, errors = await run("Robbie", "--account", "ann", "--server", server.url, stdin=f"{PASSWORD}\nmore\n")
    assert (code, errors) == (0, "")
    assert re.fullmatch(r"[\w-]{43}\n", output)
    assert (await player_of(server, output.strip())).you.name == "Robbie"
    assert (await player_of(server, output.strip())).you.bot

    page = server.url.replace("ws://", "http://").removesuffix("/ws")
    code, again, errors = await run("robbie", "--account", "Ann", "--server", page, password=PASSWORD)
    assert (code, errors) == (0, "")
    assert again != output
    assert (await player_of(server, again.strip())).you.name == "Robbie"
    assert (await player_of(server, output.strip())).you.guest


async def test_an_account_is_created(server: ServerProcess) -> None:
    """--register creates the account first; a name already taken is refused."""
    asked = ("Robbie", "--account", "Berta", "--server", server.url, "--register")
    code, output, errors = await run(*asked, password=PASSWORD)
    assert (code, errors) == (0, "")
    assert (await player_of(server, output.strip())).you.bot

    code, output, errors = await run(*asked, password=PASSWORD)
    assert (code, output) == (2, "")
    assert errors.endswith(f"[{ErrorCode.NAME_TAKEN}]\n")
    code, output, errors = await run("Robbie", "--account", "berta", "--server", server.url, password=PASSWORD)
    assert (code, errors) == (0, "")


async def test_the_password_is_not_echoed(server: ServerProcess) -> None:
    """On a terminal the command asks for name and password, and does not echo the password."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "token", "Robbie", "--server", server.url,
        stdin=theirs, stdout=PIPE, stderr=PIPE, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    assert process.stderr is not None
    assert await process.stderr.readuntil(b": ") == b"Name of your account: "
    os.write(ours, b"Ann\n")
    assert await process.stderr.readuntil(b": ") == b"Password of Ann: "
    os.write(ours, f"{PASSWORD}\n".encode())
    output, errors = await process.communicate()
    shown = os.read(ours, 10_000)
    os.close(ours)
    assert process.returncode == 0, errors
    assert re.fullmatch(rb"[\w-]{43}\n", output)
    assert b"Ann" in shown
    assert PASSWORD.encode() not in shown + errors


async def test_refusals_of_the_server(server: ServerProcess) -> None:
    """The command prints a sentence with its code, no token, and exits with 2."""
    for bot, name, password, code in (
        ("Robbie", "Ann", "wrong", ErrorCode.SIGN_IN_REFUSED),
        ("Robbie", "Berta", PASSWORD, ErrorCode.SIGN_IN_REFUSED),
        ("Admin", "Ann", PASSWORD, ErrorCode.NAME_REFUSED),
        ("Ann", "Ann", PASSWORD, ErrorCode.NAME_TAKEN),
        ("x" * 100, "Ann", PASSWORD, ErrorCode.REQUEST_MALFORMED),
    ):
        done, output, errors = await run(bot, "--account", name, "--server", server.url, stdin=password)
        assert (done, output) == (2, ""), errors
        assert re.fullmatch(rf"parlour: .+\. \[{code}\]\n", errors), errors


async def test_invalid_arguments() -> None:
    """An invalid address, or a missing account without a terminal, is refused at once."""
    for arguments, words in (
        (["Robbie", "--account", "Ann", "--server", "ftp://example.org"], "Write a server address like "),
        (["Robbie"], "--account is required if standard input is not a terminal"),
    ):
        code, output, errors = await run(*arguments)
        assert (code, output) == (2, "")
        assert errors.startswith(f"parlour: {words}")


async def test_a_file_for_the_owner_only(server: ServerProcess, tmp_path: Path) -> None:
    """--output writes the token to a file with mode 600, whatever it was before; a failure leaves no file behind."""
    file = tmp_path / "robbie.token"
    file.write_text("an old token that is longer than the new one: " + 100 * "x")
    file.chmod(0o644)
    where = server.url.removeprefix("ws://").removesuffix("/ws")
    asked = ("Robbie", "--account", "Ann", "--server", where, "--output")
    assert await run(*asked, str(file), password=PASSWORD) == (0, "", "")
    assert (file.stat().st_mode & 0o777, len(file.read_text())) == (0o600, 44)
    assert (await player_of(server, file.read_text().strip())).you.name == "Robbie"

    code, _, errors = await run(*asked, str(tmp_path / "other.token"), password="wrong")
    assert (code, (tmp_path / "other.token").exists()) == (2, False)
    code, _, errors = await run(*asked, str(tmp_path / "no" / "folder"), password=PASSWORD)
    assert (code, errors.startswith(f"parlour: {tmp_path}/no/folder cannot be written: ")) == (2, True)


async def test_a_redirected_file_is_for_the_owner_only(server: ServerProcess, tmp_path: Path) -> None:
    """What `> FILE` has created for all to read is closed to them before the token is in it."""
    path = tmp_path / "robbie.token"
    with path.open("wb") as file:
        path.chmod(0o644)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "parlour.cli", "token", "Robbie", "--account", "Ann", "--server", server.url,
            stdin=PIPE, stdout=file,
        )  # fmt: skip
        await process.communicate(PASSWORD.encode())
    assert process.returncode == 0
    assert (path.stat().st_mode & 0o777, len(path.read_text())) == (0o600, 44)


async def test_an_unreachable_server() -> None:
    """The reason is printed at once, with its code."""
    code, output, errors = await run("Robbie", "--account", "Ann", "--server", "127.0.0.1:1", password=PASSWORD)
    assert (code, output) == (1, "")
    assert errors.startswith("parlour: Nothing listens at 127.0.0.1:1.")
    assert errors.endswith(" [connection_refused]\n")


async def test_a_token_can_be_limited(server: ServerProcess) -> None:
    """With --scope the token has these scopes, and no unlimited one of the bot is left."""
    options = ("--account", "Ann", "--server", server.url, "--scope", "play", "--scope", "challenge")
    code, output, errors = await run("Robbie", *options, password=PASSWORD)
    assert (code, errors) == (0, "")
    me = await HttpClient(server.port, output.strip()).get("/me")
    assert me.json == {"you": {"name": "Robbie", "bot": True}, "scopes": ["challenge", "play"], "playing": []}
    code, _, errors = await run("Robbie", "--account", "Ann", "--scope", "admin", password=PASSWORD)
    assert code == 2
    assert "invalid choice" in errors
