"""The session vectors: both SDKs replay them, so their timing is stated here independently."""

from __future__ import annotations

import json
from typing import Any

import pytest

from publish.__main__ import VECTORS
from publish.sessions import SCRIPTS, sessions

PUBLISHED = json.loads((VECTORS / "sessions.json").read_text("utf-8"))
STEPS: dict[str, list[dict[str, Any]]] = {session["name"]: session["steps"] for session in PUBLISHED["sessions"]}


def waits(name: str) -> list[tuple[list[int], int | None]]:
    """Return the times of pings in each wait of a script, and when the connection was given up."""
    return [
        ([sent["at"] for sent in step["sent"] if sent["message"]["t"] == "ping"], step["lost"])
        for step in STEPS[name]
        if step["do"] == "wait"
    ]


def test_the_session_behaves_as_published() -> None:
    """Replaying every script with the Python session yields the published steps."""
    assert json.loads(json.dumps(list(sessions()))) == PUBLISHED["sessions"]
    assert set(STEPS) == set(SCRIPTS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a silent server is given up soon while a command is unanswered", [([750], 1750)]),
        ("a silent server is given up later while none is", [([10_000, 20_000], 25_000)]),
        ("a slow server gets more time", [([750], None), ([2000], 4250)]),
        ("a server that never says welcome is given up", [([], 5000)]),
        ("a client that was suspended asks before it gives up", [([], None), ([], None), ([5000], 6000)]),
    ],
)
def test_times(name: str, expected: list[tuple[list[int], int | None]]) -> None:
    """A client that ticks four times a second pings and gives up at these times, in milliseconds."""
    assert waits(name) == expected


def test_a_retried_command_keeps_its_id() -> None:
    """One second after the refusal the same command is sent again."""
    steps = STEPS["a command that was refused for now is sent again"]
    again = [
        sent for step in steps if step["do"] == "wait" for sent in step["sent"] if sent["message"]["t"] == "resign"
    ]
    assert [(sent["at"], sent["message"]["id"]) for sent in again] == [
        (1000, 1),
        (2500, 1),
        (4000, 1),
        (5500, 1),
    ]
