"""Which server a command connects to."""

from __future__ import annotations

import pytest

from parlour.cli.server_argument import ProblemPrinter, announce, chosen_servers, named_servers
from parlour.client.address import THIS_MACHINE
from parlour.protocol.errors import Refusal

ENVIRON = {"PARLOUR_SERVER": "https://environment.example"}


def test_the_order_of_precedence() -> None:
    """An argument counts more than the environment, and that more than the setting."""
    given = "argument.example:80"
    assert named_servers(given, "setting.example", ENVIRON) == ["ws://argument.example:80/ws"]
    assert named_servers([given, "other:80"], "", {}) == ["ws://argument.example:80/ws", "ws://other:80/ws"]
    assert named_servers(None, "setting.example", ENVIRON) == ["wss://environment.example/ws"]
    assert named_servers([], "setting.example", {}) == ["wss://setting.example/ws"]
    assert named_servers(None, "", {}) == []


def test_what_is_no_address() -> None:
    """An address is refused wherever it comes from."""
    with pytest.raises(Refusal):
        named_servers(None, "", {"PARLOUR_SERVER": "ftp://example.org"})


def test_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Without a name it is the server on this machine."""
    monkeypatch.delenv("PARLOUR_SERVER", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert chosen_servers(None) == [THIS_MACHINE]


def test_problems_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A problem is printed when it changes, until the command is connected; a pipe is not told of the attempt."""
    printer = ProblemPrinter()
    announce(THIS_MACHINE)
    for problem in ("No network.", "No network.", "", "No network."):
        printer.report(problem)
    printer.stop()
    printer.report("Something else.")
    assert capsys.readouterr().err == "parlour: No network. Trying again; Ctrl-C stops.\n" * 2
