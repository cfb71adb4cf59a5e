"""Two nodes on one store serve the same rooms: clients may be connected to either, and either may die."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from parlour.protocol.messages import Accept, Challenge, Challenged, Ok, Paired, Said, Say, Welcome
from parlour.protocol.types import Terms
from tests.e2e.conftest import MakeServer
from tests.e2e.people import Person, sit_down
from tests.e2e.tournament import Tournament
from tests.e2e.two_nodes import Nodes, begin, client, two_nodes

GAMES = 24


@pytest.fixture
async def nodes(make_server: MakeServer, tmp_path: Path) -> AsyncIterator[Nodes]:
    """Two nodes on one store that outlives them."""
    async with two_nodes(make_server, tmp_path) as (both, _):
        yield both


async def begin_watched(tournament: Tournament, nodes: Nodes) -> None:
    """Start games across the nodes, with a spectator on each node."""
    await begin(tournament, nodes, GAMES)
    for room in tournament.rooms:
        await tournament.watch(client(nodes, 0), room)
        await tournament.watch(client(nodes, 1), room)


async def test_games_across_nodes(nodes: Nodes) -> None:
    """Players and spectators of both nodes see the same game, and both nodes have the same record."""
    async with Tournament(seed=8) as tournament:
        await begin_watched(tournament, nodes)
        await tournament.finish()
        for node in nodes:
            await tournament.check(node)

        assert all(entrant.connection.connects == 1 for entrant in tournament.entrants)
    assert [node.errors for node in nodes] == [[], []]


async def test_either_node_is_killed(nodes: Nodes) -> None:
    """The clients of a killed node continue on the other one by themselves. Nothing is lost or doubled."""
    one, two = nodes
    async with Tournament(seed=9) as tournament:
        await begin_watched(tournament, nodes)
        await tournament.play_for_a_while()
        under_way = tournament.unanswered
        await one.kill()
        await tournament.play_for_a_while()  # with one node
        await one.start()
        await tournament.play_for_a_while()
        under_way += tournament.unanswered
        await two.kill()
        await tournament.finish()
        await tournament.check(one)

        assert under_way > 0  # or nothing was tried
        assert all(entrant.connection.connects > 1 for entrant in tournament.entrants)
    assert [node.errors for node in nodes] == [[], []]


@pytest.fixture
async def people(nodes: Nodes) -> AsyncIterator[list[Person]]:
    """Four people, two on each node."""
    async with AsyncExitStack() as stack:
        found = [Person(await stack.enter_async_context(client(nodes, number % 2))) for number in range(4)]
        for person in found:
            await person.hears(Welcome)
        yield found


def is_of(name: str, said: Said) -> bool:
    return said.name == name


async def test_chat_crosses_nodes(nodes: Nodes, people: list[Person]) -> None:
    """Every subscriber of a room is sent every line that it may see once, on either node."""
    room = await sit_down(people[0], people[1])
    for person in people[2:]:
        await person.joins(room)
    for person in people:
        await person.does(Say(id=0, room=room, text=f"I am {person.name}"))

    seats = {people[0].name: 0, people[1].name: 1}
    for person in people:
        for other in people[:2] if person.name in seats else people:  # spectators are not heard by the players
            said = await person.hears(Said, partial(is_of, other.name))
            assert said.text == f"I am {other.name}"
            assert said.seat == seats.get(other.name)
        assert person.has_heard(Said) == []
    assert [node.errors for node in nodes] == [[], []]


async def test_an_invitation_crosses_nodes(nodes: Nodes, people: list[Person]) -> None:
    """A player invited by name learns of it on the other node, accepts there, and both learn of the room."""
    host, guest, *_ = people
    made = await host.does(Challenge(id=0, terms=Terms("isaac"), to=guest.name, seat="second"))
    challenged = await guest.hears(Challenged)
    assert challenged.seek == made.seek
    assert challenged.player.name == host.name

    taken = await guest.does(Accept(id=0, seek=challenged.seek))

    assert [(told.room, told.seat) for told in (await host.hears(Paired), await guest.hears(Paired))] == [
        (taken.room, 1), (taken.room, 0),
    ]  # fmt: skip
    assert [node.errors for node in nodes] == [[], []]


async def test_one_invitation_makes_one_game(people: list[Person]) -> None:
    """Of several players who accept on both nodes at once, one plays."""
    host, *guests = people
    made = await host.does(Challenge(id=0, terms=Terms("isaac")))
    accept = Accept(id=0, seek=str(made.seek))

    answers = await asyncio.gather(*(guest.connection.send(accept) for guest in guests))

    assert sorted(type(answer).__name__ for answer in answers) == ["Ok", "Refused", "Refused"]
    (room,) = (answer.room for answer in answers if isinstance(answer, Ok))
    assert (await host.hears(Paired)).room == room
