"""The arguments of `parlour conform`. What it does is tested in tests/conform/test_command.py."""

from __future__ import annotations

import pytest

from parlour.cli import main
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule


@pytest.mark.parametrize(("kind", "rules"), [("server", SERVER_RULES), ("client", CLIENT_RULES)])
def test_help_lists_the_rules(kind: str, rules: list[Rule], capsys: pytest.CaptureFixture[str]) -> None:
    """The help has the key and the sentence of every rule."""
    with pytest.raises(SystemExit, match="0"):
        main(["conform", kind, "--help"])

    output = " ".join(capsys.readouterr().out.split())
    assert len(rules) > 5
    for rule in rules:
        assert rule.key in output
        assert rule.sentence in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["server"], "required: URL"),
        (["client"], "required: COMMAND"),
        (["server", "ws://a/ws", "--only", "nonsense"], "argument --only: invalid choice: 'nonsense'"),
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
