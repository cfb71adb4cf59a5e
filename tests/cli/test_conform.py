"""The arguments of `parlour conform`. What it does is tested in tests/conform/test_command.py."""

from __future__ import annotations

import asyncio

import pytest

from parlour.cli import main
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule


@pytest.mark.parametrize(("kind", "rules"), [("server", SERVER_RULES), ("client", CLIENT_RULES)])
def test_the_rules_are_listed(kind: str, rules: list[Rule], capsys: pytest.CaptureFixture[str]) -> None:
    """`--list` prints the key and the sentence of every rule, by profile, or those of one profile."""
    with pytest.raises(SystemExit, match="0"):
        main(["conform", kind, "--list"])
    output = capsys.readouterr().out
    for rule in rules:
        assert rule.key in output
        assert rule.sentence in output

    with pytest.raises(SystemExit, match="0"):
        main(["conform", kind, "--profile", "lobby", "--list"])
    output = capsys.readouterr().out
    assert output.startswith("lobby: ")
    assert "legal" not in output.split()


@pytest.mark.parametrize("kind", ["server", "client"])
def test_the_exit_codes_are_documented(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The help of the command says what they mean, and that of each kind has all options."""
    with pytest.raises(SystemExit, match="0"):
        main(["conform", "--help"])
    assert "exit codes: 0 if every rule that applies is kept" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="0"):
        main(["conform", kind, "--help"])
    output = capsys.readouterr().out
    assert all(option in output for option in ("--profile", "--rule", "--list", "--json"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["server"], "required: URL"),
        (["client"], "required: COMMAND"),
        (["server", "ws://a/ws", "--only", "nonsense"], "argument --rule/--only: invalid choice: 'nonsense'"),
        (["server", "ws://a/ws", "--subprotocol", "xml"], "argument --subprotocol: invalid choice: 'xml'"),
        (["server", "ws://a/ws", "--timeout", "0"], "argument --timeout: it must be a time from "),
        (
            ["client", "--concurrency", "0", "--", "true"],
            "argument --concurrency: it must be a whole number from 1 to 64",
        ),
    ],
)
def test_invalid_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused before anything is started."""
    with pytest.raises(SystemExit, match="2"):
        main(["conform", *arguments])

    assert message in capsys.readouterr().err


def test_an_unreachable_server(capsys: pytest.CaptureFixture[str]) -> None:
    """An address can be written as host:port, and the reason why there is no server has its code."""
    assert main(["conform", "server", "127.0.0.1:1"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("parlour: Nothing listens at 127.0.0.1:1.")
    assert errors.endswith(" [connection_refused]\n")


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (b"SSH-2.0-Example\r\n", "not_http"),
        (
            b"HTTP/1.1 400 Bad Request\r\nContent-Length: 69\r\n\r\n"
            b'{"error": "subprotocol_unknown", "text": "Offer one of: parlour.v9."}',
            "version_mismatch",
        ),
    ],
)
async def test_a_server_that_cannot_be_tested(reply: bytes, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The reason is given before any rule is checked."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await asyncio.to_thread(main, ["conform", "server", f"127.0.0.1:{port}"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"parlour: 127.0.0.1:{port} ")
    assert errors.endswith(f" [{code}]\n")
