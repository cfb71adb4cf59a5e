"""A server with its default limits withstands whatever clients send."""

from __future__ import annotations

from pathlib import Path

from bench.fuzz.run import address_of, problems_in_log, report, run

MESSAGES = 2_000


async def test_a_server_withstands_fuzzed_messages(tmp_path: Path) -> None:
    """No crash, no traceback, no internal error; what is refused is refused with a code."""
    tally = await run(tmp_path, MESSAGES, seed=1, clients=10)
    assert tally.violations == []
    assert tally.sent.total() >= MESSAGES
    assert {"request_malformed", "message_unknown", "too_fast"} <= set(tally.refusals)
    assert {"Welcome", "Room", "Ok"} <= set(tally.answers)
    assert "violations: 0" in report(tally)


def test_tracebacks_and_errors_in_a_log_are_found() -> None:
    """So is what is not a log entry at all; warnings are allowed."""
    lines = [
        '{"level": "info", "message": "paired"}',
        '{"level": "warning", "message": "slow"}',
        '{"level": "warning", "message": "odd", "exception": "Traceback"}',
        '{"level": "error", "message": "failed"}',
        "Fatal Python error",
    ]
    assert list(problems_in_log("\n".join(lines))) == lines[2:]


def test_clients_have_many_addresses() -> None:
    """Few clients share one, and all of them are loopback addresses."""
    addresses = {address_of(number) for number in range(100_000)}
    assert len(addresses) == 10_000
    assert all(each.startswith("127.") for each in addresses)
