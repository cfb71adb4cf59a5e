"""The path of a move, as docs/architecture.md describes it, against a real one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.protocol.messages import Moved, Ok, Play
from parlour.protocol.types import Clock, Terms
from parlour.server.store.pipeline import CHECK_SLOTS
from tests.server.move_trace import traced
from tests.server.running_node import RunningNode, running_node

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
MOST_FILES = 20
TERMS = Terms("replica", {}, Clock("fischer", main=600_000, step=1_000))


def documented(section: str) -> list[str]:
    """Return the server files in the table of a section, in order."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    (body,) = re.findall(rf"^### {section}.*?\n(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"^\| `([\w/]+\.py)` \|", body, re.MULTILINE)


def moves(node: RunningNode, room: str) -> Iterator[Play]:
    """Return plays that are legal now, one after the other."""
    while True:
        state = node.registry.rooms[room].state
        move = state.rules.write(state.state, state.rules.moves(state.state)[0])
        yield Play(id=0, room=room, ply=state.ply, move=move)


async def test_a_move_takes_the_documented_path(valkey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A traced move enters exactly the files of the two tables, in their order, and no more than 20."""
    monkeypatch.delenv(CHECK_SLOTS)  # only tests make this detour
    async with running_node(valkey) as node:
        ada, ben = await node.call(), await node.call()
        room = await node.table(TERMS, ada, ben)
        plays = moves(node, room)
        for player in (ada, ben):  # from the third move on the clocks run and the timer is set
            assert isinstance(await player.ask(next(plays)), Ok)
        play = next(plays)
        with traced() as trace:
            assert isinstance(await ada.ask(play), Ok)
            await ben.hears(Moved, lambda moved: moved.seq == node.registry.rooms[room].state.seq)

        down = trace.started_in("connections/websocket.py", through="rooms/room.py")
        up = trace.started_in("store/resp.py", through="rooms/room.py")
        assert down == documented("Down")
        assert up == documented("Up")
        assert len({*down, *up}) <= MOST_FILES
