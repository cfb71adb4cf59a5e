"""Operators act from the command line, and players on another node notice."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from parlour.cli import main
from parlour.client.connection import Connection, RefusedError
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    Announced,
    Challenge,
    CreateTournament,
    FollowTournament,
    GetProfile,
    Join,
    Ok,
    Register,
    Report,
    Resign,
    RoomEvent,
    Say,
    ServerMessage,
    SignedIn,
    SignIn,
    Tournament,
    TournamentChanged,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms, TournamentSettings
from tests.e2e.conftest import MakeServer
from tests.e2e.stored_ratings import give_rating
from tests.e2e.tmux import Tmux
from tests.e2e.two_nodes import Nodes, two_nodes
from tests.waiting import WITHIN, until

logger = logging.getLogger(__name__)

ADMIN_ADDRESS = re.compile(r"operators connect to (http://[^\s\"]+)")
PASSWORD = "wooden bishop"
BLITZ = Clock("fischer", 300_000, 3_000)


class Operator:
    """Runs `parlour admin` as nora."""

    def __init__(self, address: str, token_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._options = ("--server", address, "--token-file", str(token_file))
        self._capsys = capsys

    async def run(self, *arguments: str) -> str:
        """Run a command that succeeds; return what it prints."""
        code = await asyncio.to_thread(main, ["admin", *arguments, *self._options])
        printed = self._capsys.readouterr()
        assert code == 0, printed.err
        return printed.out

    async def does(self, *arguments: str) -> str:
        """Run an action, with a reason."""
        return await self.run(*arguments, "--reason", "because")

    async def sees(self, *arguments: str) -> Any:
        """Return what a command prints as JSON."""
        return json.loads(await self.run(*arguments, "--json"))


@pytest.fixture
async def nodes(make_server: MakeServer, tmp_path: Path) -> AsyncIterator[Nodes]:
    """Two nodes, of which each has a port for operators."""
    token_file = tmp_path / "operators"
    token_file.write_text(f"nora {'t' * 43}\n", encoding="utf-8")
    token_file.chmod(0o600)
    options = ("--admin-token-file", str(token_file), "--admin-port", "0")
    async with two_nodes(make_server, tmp_path, *options) as (started, _):
        yield started


@pytest.fixture
def operator(nodes: Nodes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Operator:
    """An operator who uses the first node."""
    found = ADMIN_ADDRESS.search((nodes[0].data / "server.log").read_text(encoding="utf-8"))
    assert found is not None
    return Operator(found[1], tmp_path / "operators", capsys)


@contextmanager
def until_seen(action: str) -> Iterator[None]:
    """Log how long it takes from the operator's command until a player on the other node sees its effect."""
    began = perf_counter()
    yield
    logger.info("%s: seen on the other node after %.0f ms", action, (perf_counter() - began) * 1000)


async def hears(connection: Connection, kind: type[ServerMessage], what: str = "") -> Any:
    """Return the next message of a kind, or event of that name."""
    async with asyncio.timeout(WITHIN):
        while True:
            message = await connection.news.get()
            if isinstance(message, kind) and (not what or getattr(message, "kind", "") == what):
                return message


async def begin(first: Connection, second: Connection) -> str:
    """Start a game and return its room."""
    seek = (await first.ask(Challenge(id=0, terms=Terms("isaac"), seat="first"), Ok)).seek
    room = (await second.ask(Accept(id=0, seek=str(seek)), Ok)).room
    assert room is not None
    for each in (first, second):
        await each.call(Join(id=0, room=room))
    return room


async def test_every_action_of_an_operator(nodes: Nodes, operator: Operator, tmp_path: Path) -> None:
    """Actions on the first node reach the players of the second one, and are all in the audit log."""
    await act_on_players(nodes, operator)
    with Tmux(tmp_path) as tmux:
        await act_on_games_and_nodes(nodes, operator, tmux)
    await act_on_a_tournament(nodes, operator)
    await operator.does("ban-address", "192.0.2.7/24")
    assert [ban["network"] for ban in await operator.sees("addresses")] == ["192.0.2.0/24"]
    assert "192.0.2.0/24" in await operator.run("addresses")
    await operator.does("unban-address", "192.0.2.0/24")
    actions = [entry["action"] for entry in await operator.sees("audit")]
    assert actions[::-1] == [
        "handle-report", "warn", "mute", "unmute", "rename", "remove-rating", "suspend", "unban", "reset-password",
        "ban", "delete", "adjudicate", "abort", "close", "announce", "warn", "delete", "drain", "resume",
        "cancel-tournament", "ban-address", "unban-address",
    ]  # fmt: skip
    for listed in ("overview", "nodes", "rooms", "tournaments", "players", "audit"):
        assert await operator.run(listed)


async def act_on_players(nodes: Nodes, operator: Operator) -> None:
    """Players on the other node are warned, muted, renamed, suspended, banned and deleted, and read why."""
    async with Connection([nodes[1].url]) as sedge, Connection([nodes[1].url]) as other:
        await sedge.ask(Register(id=0, name="Sedge", password=PASSWORD), SignedIn)
        room = await begin(sedge, other)

        await other.ask(Report(id=0, name="Sedge", reason="abuse", text="Insults", room=room), Ok)
        [report] = await operator.sees("reports")
        assert (report["player"]["name"], report["room"]) == ("Sedge", room)
        assert "Insults" in await operator.run("reports")
        await operator.does("handle-report", report["id"])
        assert await operator.sees("reports") == []
        assert "because" in await operator.run("reports", "--all")

        with until_seen("warn"):
            await operator.does("warn", "sedge")
            assert (await hears(sedge, Announced)).text == "because"

        with until_seen("mute"):
            await operator.does("mute", "Sedge", "--for", "24h")
            with pytest.raises(RefusedError, match="because") as refused:
                await until(lambda: _talks(sedge, room))
        assert refused.value.code == ErrorCode.MUTED
        await operator.does("unmute", "Sedge")

        await operator.does("rename", "Sedge", "Reed")
        assert "Reed" in (await hears(sedge, Announced)).text
        found = await operator.sees("find", "Reed")
        assert [entry["action"] for entry in found["history"]] == ["rename", "unmute", "mute", "warn", "handle-report"]
        assert "unmute" in await operator.run("find", found["player"]["id"])
        assert room in await operator.run("rooms", "--player", "Reed")

        await give_rating(nodes[0].options[nodes[0].options.index("--redis") + 1], "Reed", "isaac")
        await operator.does("remove-rating", "Reed", "isaac")
        assert (await operator.sees("find", "Reed"))["ratings"] == []

        with until_seen("suspend"):
            await operator.does("suspend", "Reed", "--until", "2099-01-31")
            assert (await hears(other, RoomEvent, "ended")).result.reason == "cancelled"
            await until(lambda: sedge.state != "connected")
        await until(lambda: sedge.state == "ended")
        assert "until 31 January 2099" in str(sedge.fault)
        await operator.does("unban", "Reed")

        printed = await operator.does("reset-password", "Reed")
        password = printed.split()[-1]
        signed_in = await other.ask(SignIn(id=0, name="Reed", password=password), SignedIn)
        async with Connection([nodes[1].url], token=signed_in.token) as reed:
            await until(lambda: reed.state == "connected")
            with until_seen("ban"):
                await operator.does("ban", "Reed")
                await until(lambda: reed.state != "connected")
            await until(lambda: reed.state == "ended")
            assert "You are banned" in str(reed.fault)
        assert "erased from 0 games" in await operator.does("delete", "Reed", "--yes")
        for command, code in (
            (SignIn(id=0, name="Reed", password=password), ErrorCode.SIGN_IN_REFUSED),
            (GetProfile(id=0, name="Reed"), ErrorCode.PLAYER_UNKNOWN),
        ):
            with pytest.raises(RefusedError) as refused:
                await other.call(command)
            assert refused.value.code == code


async def act_on_a_tournament(nodes: Nodes, operator: Operator) -> None:
    """A tournament that a player of the other node has created is cancelled."""
    async with Connection([nodes[1].url]) as olga:
        await olga.ask(Register(id=0, name="Olga", password=PASSWORD), SignedIn)
        settings = TournamentSettings(name="Autumn cup", format="swiss", terms=Terms("replica", clock=BLITZ))
        tournament = (await olga.ask(CreateTournament(id=0, settings=settings), Ok)).tournament
        assert tournament is not None
        await olga.ask(FollowTournament(id=0, tournament=tournament), Tournament)
        assert "Autumn cup" in await operator.run("tournaments")
        with until_seen("cancel-tournament"):
            await operator.does("cancel-tournament", tournament)
            assert (await hears(olga, TournamentChanged)).summary.status == "cancelled"
        assert await operator.sees("tournaments") == []


async def _talks(player: Connection, room: str) -> bool:
    await player.call(Say(id=0, room=room, text="hello"))
    return False


async def act_on_games_and_nodes(nodes: Nodes, operator: Operator, tmux: Tmux) -> None:
    """Games end in their rooms, all players read an announcement, in a terminal too, and a drained node sends its
    players away.
    """
    addresses = [nodes[1].url, nodes[0].url]
    async with Connection(addresses) as first, Connection(addresses) as second:
        for action, result in (
            (("adjudicate", "second"), (1, "adjudicated")),
            (("abort",), (None, "cancelled")),
            (("close",), (None, "cancelled")),
        ):
            room = await begin(first, second)
            await operator.does(action[0], room, *action[1:])
            ended = (await hears(first, RoomEvent, "ended")).result
            assert (ended.winner, ended.reason) == result
        await hears(first, RoomEvent, "closed")

        screen = tmux.play("Tess", "--server", nodes[1].url, "--name", "Tess")
        await screen.shows("Quick match")
        await operator.does("announce", "We stop at noon.")
        assert (await hears(second, Announced)).text == "We stop at noon."
        await screen.shows("The operator says", "We stop at noon.")
        await operator.does("warn", "Tess")
        await screen.shows("Warning", "because")
        with until_seen("delete"):
            await operator.does("delete", "Tess", "--yes")
            await screen.shows("Your account was deleted")

        room = await begin(first, second)
        names = {row["name"]: row for row in await operator.sees("nodes")}
        (other,) = [name for name, row in names.items() if name != (await operator.sees("overview"))["node"]]
        await operator.does("drain", other)
        await until(lambda: first.address == second.address == nodes[0].url and first.state == "connected")
        assert isinstance(await first.call(Resign(id=0, room=room)), Ok)

        await operator.does("resume", other)
        async with Connection([nodes[1].url]) as again:
            await until(lambda: again.state == "connected")
