"""Nodes with different versions of a game's rules side by side, as during a rolling upgrade."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from parlour.client import connect
from parlour.client.connection import Connection, RefusedError
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Games, GetProfile, GetRecord, Join, ListGames, Profile, Record, Resign, Welcome
from parlour.protocol.types import Clock
from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.conftest import MakeServer
from tests.e2e.people import Person, sit_down
from tests.e2e.processes import ServerProcess
from tests.waiting import until

NOUGHTS = Path(__file__).parents[1] / "games" / "fifth_game" / "noughts"
CLOCK = Clock("fischer", 3_600_000, 0)

# Longer than a busy machine takes to announce what a living node supports.
GRACE = ("--rules-grace", "15")

Nodes = tuple[ServerProcess, ServerProcess]


def with_rules(version: int, folder: Path, compatible: tuple[int, ...] = ()) -> Path:
    """Return a folder with the game under this version of its rules, which continues games of compatible ones."""
    shutil.copytree(NOUGHTS, folder / "noughts", ignore=shutil.ignore_patterns("__pycache__"))
    source = folder / "noughts" / "__init__.py"
    text = source.read_text(encoding="utf-8")
    assert text.count("rules_version=1,") == 1
    versions = f"rules_version={version}, compatible_versions={compatible!r},"
    source.write_text(text.replace("rules_version=1,", versions), encoding="utf-8")
    return folder


@pytest.fixture
async def nodes(make_server: MakeServer, tmp_path: Path) -> AsyncIterator[Nodes]:
    """A node with the old rules and one with the new rules, on one store."""
    async with EmbeddedStore(tmp_path / "store") as store:
        old, new = (
            make_server("--redis", store.url, *GRACE, data=name, games=with_rules(version, tmp_path / f"{name} games"))
            for version, name in ((1, "old"), (2, "new"))
        )
        await old.start()
        await new.start()
        yield old, new
        for node in (old, new):
            await node.stop()


async def arrive(stack: AsyncExitStack, *nodes: ServerProcess) -> Person:
    """Connect to the first of these nodes; the client goes to the others if it must."""
    person = Person(await stack.enter_async_context(Connection([node.url for node in nodes])))
    await person.hears(Welcome)
    return person


async def record(person: Person, room: str) -> Record:
    found = await person.asks(GetRecord(id=0, room=room))
    assert isinstance(found, Record)
    return found


async def test_games_continue_by_the_rules_they_began_with(nodes: Nodes) -> None:
    """Each node serves the games of its own version; clients at the wrong one go to the other by themselves."""
    old, new = nodes
    async with AsyncExitStack() as stack:
        ada, ben = await arrive(stack, old, new), await arrive(stack, old, new)
        room = await sit_down(ada, ben, "noughts", CLOCK)
        await ada.plays()

        cy = await arrive(stack, new, old)
        await cy.joins(room)
        assert cy.connection.connects == 2
        await ben.plays()
        await cy.sees(lambda table: len(table.moves) == 2)

        dee = await arrive(stack, new)
        assert await dee.cannot(Join(id=0, room=room)) == ErrorCode.RULES_UNSUPPORTED
        assert await dee.cannot(GetRecord(id=0, room=room)) == ErrorCode.RULES_UNSUPPORTED

        eve, flo = await arrive(stack, new, old), await arrive(stack, new, old)
        newer = await sit_down(eve, flo, "noughts", CLOCK)
        await eve.plays()
        assert [(await record(ada, room)).rules_version, (await record(eve, newer)).rules_version] == [1, 2]
        assert [ada.connection.connects, eve.connection.connects] == [1, 1]
    assert [node.errors for node in nodes] == [[], []]


async def test_a_game_is_aborted_when_no_node_has_its_rules(nodes: Nodes) -> None:
    """The players learn why, finished games stay readable, and games by the new rules go on."""
    old, new = nodes
    async with AsyncExitStack() as stack:
        ada, ben = await arrive(stack, old, new), await arrive(stack, old, new)
        finished = await sit_down(ada, ben, "noughts", CLOCK)
        await ada.plays()
        await ben.does(Resign(id=0, room=finished))
        before = await record(ada, finished)
        room = await sit_down(ada, ben, "noughts", CLOCK)
        await ada.plays()
        eve, flo = await arrive(stack, new), await arrive(stack, new)
        newer = await sit_down(eve, flo, "noughts", CLOCK)

        table = await (await stack.enter_async_context(connect([old.url, new.url]))).join(room)
        await old.stop()
        with pytest.raises(RefusedError, match="version 1 of the rules"):
            await table.over()
        refusals: list[tuple[str, str]] = []

        async def is_over() -> bool:
            answer = await eve.connection.send(Join(id=0, room=room))
            refusals.append((getattr(answer, "code", ""), getattr(answer, "text", "")))
            return refusals[-1][0] != ErrorCode.RULES_UNSUPPORTED

        await until(is_over)

        code, sentence = refusals[-1]
        assert code == ErrorCode.GAME_OVER
        assert sentence.startswith("The game was aborted. It was played by version 1 of the rules")
        assert await ada.cannot(Join(id=0, room=room)) == ErrorCode.GAME_OVER
        profile = await eve.asks(GetProfile(id=0, name=ada.name))
        assert isinstance(profile, Profile)
        assert profile.playing == ()

        after = await record(eve, finished)
        assert (after.replayable, after.board, after.initial_scene) == (False, None, None)
        assert (after.text, after.result, after.chain) == (before.text, before.result, before.chain)
        assert [(move.move, move.duration) for move in after.moves] == [
            (move.move, move.duration) for move in before.moves
        ]
        listed = await eve.asks(ListGames(id=0, player=ada.name))
        assert isinstance(listed, Games)
        assert [line.room for line in listed.rows] == [finished]

        await eve.plays()
        assert (await record(flo, newer)).result is None
    assert [node.errors for node in nodes] == [[], []]


async def test_compatible_rules_continue_a_game(make_server: MakeServer, tmp_path: Path) -> None:
    """A node whose rules are compatible serves the game like the node on which it began."""
    async with EmbeddedStore(tmp_path / "store") as store, AsyncExitStack() as stack:
        old = make_server("--redis", store.url, data="old", games=with_rules(1, tmp_path / "old games"))
        new = make_server("--redis", store.url, data="new", games=with_rules(2, tmp_path / "new games", (1,)))
        await old.start()
        await new.start()
        ada, ben = await arrive(stack, old, new), await arrive(stack, old, new)
        room = await sit_down(ada, ben, "noughts", CLOCK)
        await ada.plays()
        eve = await arrive(stack, new)
        await eve.joins(room)
        await ben.plays()
        await eve.sees(lambda table: len(table.moves) == 2)
        await old.stop()
        await ada.plays()
        await ben.does(Resign(id=0, room=room))
        ended = await record(ada, room)
        await new.stop()
    assert (ended.rules_version, len(ended.moves), ended.replayable) == (1, 3, True)
    assert eve.connection.connects == 1
    assert [node.errors for node in (old, new)] == [[], []]
