"""How players find each other: invitations and the queue."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Literal

import pytest
import pytest_asyncio

from parlour import games
from parlour.client.connection import Connection
from parlour.protocol.messages import (
    Abort,
    Accept,
    Cancel,
    Challenge,
    Challenged,
    ChooseFirst,
    GetRecord,
    Paired,
    Play,
    Queue,
    Record,
    Resign,
)  # fmt: skip
from parlour.protocol.types import Clock, Player, Terms
from tests.e2e.conftest import GENEROUS
from tests.e2e.people import Person, people, sit_down
from tests.e2e.processes import ServerProcess

OWN_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])
Seat = Literal["any", "first", "second"]
ROOMS = 3  # that one player may have


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The address of one server for all tests of this file."""
    server = ServerProcess(tmp_path_factory.mktemp("server"), *GENEROUS, "--rooms-per-player", str(ROOMS))
    await server.start()
    yield server.url
    assert await server.stop() == 0
    assert server.errors == []


async def invite(
    host: Person, terms: Terms, *, to: str | None = None, seat: Seat = "any", position: str | None = None
) -> str:
    """Create an invitation; return its code."""
    answer = await host.does(Challenge(id=0, terms=terms, to=to, seat=seat, position=position))
    assert answer.seek is not None
    return answer.seek


# -- invitations


async def test_an_invitation_is_accepted_with_its_code(url: str) -> None:
    """Both players learn of the same room and different seats, and the game has the agreed terms."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        terms = Terms("replica", {"size": 12}, Clock("fischer", 300_000, 2_000))
        code = await invite(ada, terms, seat="second")
        assert await ada.cannot(Accept(id=0, seek=code)) == "own_seek"

        room = (await ben.does(Accept(id=0, seek=code))).room
        assert room is not None
        assert await ada.hears(Paired) == Paired(room=room, seat=1, seek=code)
        assert await ben.hears(Paired) == Paired(room=room, seat=0, seek=code)
        assert await cleo.cannot(Accept(id=0, seek=code)) == "seek_gone"

        tables = [await person.joins(room) for person in (ada, ben, cleo)]
        assert [table.seat for table in tables] == [1, 0, None]
        assert [table.status for table in tables] == ["playing"] * 3
        assert tables[2].room.terms.clock == terms.clock
        assert tables[2].room.terms.options["size"] == 12
        names = [participant.player.name for participant in tables[2].players]
        assert names == [ben.name, ada.name]


async def test_an_invitation_is_accepted_once(url: str) -> None:
    """However close two attempts are, one gets the room and the other a refusal."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        for _ in range(3):
            code = await invite(ada, Terms("isaac"))
            sent = [person.connection.send(Accept(id=0, seek=code)) for person in (ben, cleo)]
            answers = await asyncio.gather(*sent)
            rooms = [getattr(answer, "room", None) for answer in answers]
            codes = [getattr(answer, "code", None) for answer in answers]
            assert sum(room is not None for room in rooms) == 1
            assert sum(code in ("seek_gone", "invite_unknown") for code in codes) == 1
            room = next(room for room in rooms if room is not None)
            await ada.hears(Paired, lambda paired, room=room: paired.room == room)  # type: ignore[misc]
            await ada.joins(room)
            await ada.does(Abort(id=0, room=room))


async def test_one_player_is_invited_by_name(url: str) -> None:
    """The invited player is told by whom and to which game; other players are not."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        terms = Terms("mitsudomoe")
        assert await ada.cannot(Challenge(id=0, terms=terms, to=ada.name)) == "own_seek"
        assert await ada.cannot(Challenge(id=0, terms=terms, to="No such player")) == "player_unknown"

        code = await invite(ada, terms, to=ben.name.upper())
        assert await ben.hears(Challenged) == Challenged(seek=code, player=Player(ada.name, guest=True), terms=terms)
        await ben.does(Accept(id=0, seek=code))
        await ada.hears(Paired)
        assert not cleo.has_heard(Challenged)
        assert not cleo.has_heard(Paired)


async def test_an_invitation_can_be_withdrawn_by_its_author(url: str) -> None:
    """It can then no longer be accepted, and no other player can withdraw it."""
    async with people(url, "Ada", "Ben") as (ada, ben):
        code = await invite(ada, Terms("isaac"))
        assert await ben.cannot(Cancel(id=0, seek=code)) == "seek_gone"
        await ada.does(Cancel(id=0, seek=code))
        assert await ben.cannot(Accept(id=0, seek=code)) == "seek_gone"
        assert await ada.cannot(Cancel(id=0, seek=code)) == "invite_unknown"


async def test_what_cannot_be_played_cannot_be_offered(url: str) -> None:
    """A bad game, clock, option or position is refused when the invitation is created."""
    async with people(url, "Ada") as (ada,):
        assert await ada.cannot(Challenge(id=0, terms=Terms("chess"))) == "game_unknown"
        assert await ada.cannot(Challenge(id=0, terms=Terms("isaac", clock=Clock("sand")))) == "clock_invalid"
        assert await ada.cannot(Challenge(id=0, terms=Terms("isaac", {"seed": 1}))) == "option_unknown"
        malformed = Challenge(id=0, terms=Terms("replica"), position="nonsense")
        assert await ada.cannot(malformed) == "position_malformed"


async def test_a_game_can_start_from_any_position(url: str) -> None:
    """The board shows the given position, and the record has it."""
    game = games.find("replica")
    options = game.options({})
    state = game.initial(options)
    for _ in range(5):
        state = game.apply(state, game.moves(state)[-1])
    async with people(url, "Ada", "Ben") as (ada, ben):
        code = await invite(ada, Terms("replica"), seat="second", position=game.print(state))
        room = (await ben.does(Accept(id=0, seek=code))).room
        assert room is not None
        table = await ada.joins(room)
        assert table.scene.pieces == game.scene(state).pieces
        assert table.seat == table.scene.to_move == 1
        text = await ada.plays()
        record = await ben.asks(GetRecord(id=0, room=room))
        assert isinstance(record, Record)
        assert record.position == game.print(state)
        assert record.initial_scene is not None
        assert record.initial_scene.pieces == game.scene(state).pieces
        assert [move.move for move in record.moves] == [text]


@pytest.mark.parametrize("me", [True, False], ids=["me first", "you first"])
async def test_the_opponent_of_a_board_designer_chooses_who_moves_first(url: str, me: bool) -> None:
    """If the designer is to move first, the two swap seats."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        code = await invite(ada, Terms("mapello", {"board": OWN_BOARD}), seat="first")
        room = (await ben.does(Accept(id=0, seek=code))).room
        assert room is not None
        for person in (ada, ben, cleo):
            assert (await person.joins(room)).status == "choosing"
        assert (ada.table.seat, ben.table.seat) == (0, 1)
        assert await ada.cannot(Play(id=0, room=room, ply=0, picks=(0,))) == "game_not_started"
        assert await ada.cannot(ChooseFirst(id=0, room=room, go_first=True)) == "offer_refused"
        assert await cleo.cannot(ChooseFirst(id=0, room=room, go_first=True)) == "not_a_player"

        await ben.does(ChooseFirst(id=0, room=room, go_first=me))
        first, second = (ben, ada) if me else (ada, ben)
        for person in (ada, ben, cleo):
            table = await person.sees(lambda table: table.status == "playing")
            assert [participant.player.name for participant in table.players] == [
                first.name,
                second.name,
            ]
        assert (first.table.seat, second.table.seat, cleo.table.seat) == (0, 1, None)
        await first.plays()
        await second.plays()
        assert await ben.cannot(ChooseFirst(id=0, room=room, go_first=True)) == "offer_refused"


# -- the queue


async def test_players_who_queue_for_the_same_terms_are_paired(url: str) -> None:
    """Only equal terms match; a player is not paired with itself."""
    blitz, slow = Terms("isaac", clock=Clock("move", 10_000)), Terms("isaac", clock=Clock("move", 11_000))
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        mine = (await ada.does(Queue(id=0, terms=blitz))).seek
        await cleo.does(Queue(id=0, terms=slow))
        async with Connection([url], token=ada.connection.session.token) as again:
            tab = Person(again)
            later = (await tab.does(Queue(id=0, terms=blitz))).seek
            theirs = (await ben.does(Queue(id=0, terms=blitz))).seek
            paired = await ben.hears(Paired)
            assert paired.seek == theirs
            for person in (ada, tab):
                same = await person.hears(Paired)
                assert (same.room, same.seat) == (paired.room, 1 - paired.seat)
                assert same.seek in (mine, later)
        assert not cleo.has_heard(Paired)


async def test_a_player_who_leaves_the_queue_is_not_paired(url: str) -> None:
    """A place can be given up once."""
    terms = Terms("isaac", clock=Clock("move", 12_000))
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        place = (await ada.does(Queue(id=0, terms=terms))).seek
        assert place is not None
        await ada.does(Cancel(id=0, seek=place))
        assert await ada.cannot(Cancel(id=0, seek=place)) == "invite_unknown"
        await ben.does(Queue(id=0, terms=terms))
        await cleo.does(Queue(id=0, terms=terms))
        assert (await ben.hears(Paired)).room == (await cleo.hears(Paired)).room
        assert not ada.has_heard(Paired)


async def test_a_place_in_the_queue_ends_with_its_connection(url: str) -> None:
    """Players are paired only with players who are connected."""
    terms = Terms("isaac", clock=Clock("move", 13_000))
    async with people(url, "Ada", "Cleo") as (ada, cleo):
        async with people(url, "Ben") as (ben,):
            await ben.does(Queue(id=0, terms=terms))
        spectator = await ada.does(Queue(id=0, terms=terms))
        assert spectator.seek is not None
        await cleo.does(Queue(id=0, terms=terms))
        assert (await ada.hears(Paired)).room == (await cleo.hears(Paired)).room


async def test_games_of_a_player_are_limited(url: str) -> None:
    """The refusal says so, and a game that ends makes room for another one."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        rooms = [await sit_down(ada, ben, "isaac") for _ in range(ROOMS)]
        for command in (Queue(id=0, terms=Terms("isaac")), Challenge(id=0, terms=Terms("isaac"))):
            assert await ada.cannot(command) == "limit_reached"
        code = await invite(cleo, Terms("isaac"))
        assert await ben.cannot(Accept(id=0, seek=code)) == "limit_reached"

        await ben.does(Resign(id=0, room=rooms[1]))
        await ben.does(Accept(id=0, seek=code))
        await sit_down(cleo, ada, "isaac")
        assert await ada.cannot(Challenge(id=0, terms=Terms("isaac"))) == "limit_reached"
