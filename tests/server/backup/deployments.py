"""A deployment with an account, a finished game and tournament, and a running game, and the check that it has them."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from parlour.protocol.messages import GetProfile, GetRecord, Join, Ok, Play, Register, Resign, Room, SignedIn, SignIn
from parlour.protocol.types import Clock, Terms
from parlour.server.archive.database.engine import FILE, sqlite_url
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.server.archive.pairing import pair
from parlour.server.archive.verify import faults, read
from parlour.server.rooms.state import RoomState
from tests.server.running_node import Caller, RunningNode, running_node

PASSWORD = "correct horse battery staple"
TERMS = Terms("replica", {}, Clock("fischer", 300_000, 3_000), rated=True)

LOG = bytes(range(256))  # of a tournament, which is opaque here


class Content(Struct, frozen=True):
    """What a deployment has to know wherever it moves."""

    ben: str  # the token of the guest
    finished: str  # the room of the game that Ben resigned
    running: str  # the room of the game in which Ada has moved


async def fill(valkey: str, data: Path) -> Content:
    """Register Ada, let her win a rated game against a guest and begin another one, and archive a tournament."""
    async with running_node(valkey, archive=sqlite_url(data / FILE)) as node:
        await pair(node.store, node.node.database)
        ada, ben = await node.call(), await node.call(name="Ben")
        assert isinstance(await ada.ask(Register(id=0, name="Ada", password=PASSWORD)), SignedIn)
        finished = await node.table(TERMS, ada, ben)
        await node.play(finished, ada, ben)
        await ben.ask(Resign(id=0, room=finished))
        running = await node.table(TERMS, ada, ben)
        await _move(node, running, ada)
        await TournamentTable(node.node.database).put("cup", 1, LOG)
        await node.node.drain(60)
        return Content(ben.token, finished, running)


async def check(content: Content, valkey: str, data: Path) -> None:
    """Sign in as Ada, find her rating and the tournament, verify the record, and join the running game."""
    async with running_node(valkey, archive=sqlite_url(data / FILE)) as node:
        await pair(node.store, node.node.database)
        ben = await node.call(content.ben)
        signed_in = await ben.ask(SignIn(id=0, name="ada", password=PASSWORD))
        assert isinstance(signed_in, SignedIn)
        ada = await node.call(signed_in.token)
        profile = await ada.ask(GetProfile(id=0, name="Ada"))
        assert [(rating.game, rating.games) for rating in profile.ratings] == [("replica", 1)]
        record = await ada.ask(GetRecord(id=0, room=content.finished))
        assert list(faults(read(record.text))) == []
        room = await ben.ask(Join(id=0, room=content.running))
        assert isinstance(room, Room)
        assert (room.status, len(room.moves)) == ("playing", 1)
        assert await TournamentTable(node.node.database).find("cup") == LOG


async def move_on(content: Content, valkey: str, data: Path) -> None:
    """Play the next move of the running game, as Ben."""
    async with running_node(valkey, archive=sqlite_url(data / FILE)) as node:
        ben = await node.call(content.ben)
        await ben.ask(Join(id=0, room=content.running))
        await _move(node, content.running, ben)


async def _move(node: RunningNode, room: str, caller: Caller) -> None:
    found = await node.registry.find(room)
    assert isinstance(found, RoomState)
    text = found.rules.write(found.state, found.rules.moves(found.state)[0])
    assert isinstance(await caller.ask(Play(id=0, room=room, ply=len(found.plies), move=text)), Ok)
