"""Everything that players do in a game, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from parlour.client.connection import Connection
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Choices,
    Claim,
    Explore,
    GetRecord,
    Leave,
    Offer,
    Paired,
    Play,
    Presence,
    Record,
    Resign,
    RoomEvent,
    Said,
    Say,
    Welcome,
)  # fmt: skip
from parlour.protocol.types import Clock, Player, Result, SeatedPlayer
from tests.e2e.conftest import GENEROUS, MakeServer
from tests.e2e.people import Person, people, sit_down
from tests.e2e.processes import ServerProcess


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The address of one server for all tests of this file, where a win can be claimed after a second."""
    server = ServerProcess(tmp_path_factory.mktemp("server"), *GENEROUS, "--claim-after", "1")
    await server.start()
    yield server.url
    assert await server.stop() == 0
    assert server.errors == []


# -- offers and endings


async def test_a_turn_is_taken_back_by_agreement(url: str) -> None:
    """The board is as before the author's last turn, for every client, and play goes on from there."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        room = await sit_down(ada, ben)
        await cleo.joins(room)
        before = ada.table.scene.pieces
        assert await ada.cannot(Offer(id=0, room=room, kind="takeback")) == "offer_refused"
        first = await ada.plays()
        await ben.plays()
        await ada.does(Offer(id=0, room=room, kind="takeback"))
        for person in (ada, ben, cleo):
            assert (await person.sees(lambda table: bool(table.offers))).offers == {"0:takeback"}
        assert await ada.cannot(AnswerOffer(id=0, room=room, kind="takeback", accept=True)) == "nothing_offered"
        await ben.does(AnswerOffer(id=0, room=room, kind="takeback", accept=True))
        for person in (ada, ben, cleo):
            table = await person.sees(lambda table: not table.moves)
            assert (table.scene.pieces, table.scene.to_move, table.offers) == (before, 0, set())
        assert await ada.plays() == first
        await ben.plays()
        for person in (ada, ben, cleo):
            assert len((await person.sees(lambda table: len(table.moves) == 2)).moves) == 2


async def test_a_draw_is_offered_declined_withdrawn_and_agreed(url: str) -> None:
    """An offer is open until it is answered, withdrawn or overtaken by a move; once agreed, the game is over."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        room = await sit_down(ada, ben)
        await cleo.joins(room)
        offer = Offer(id=0, room=room, kind="draw")
        yes, no = (AnswerOffer(id=0, room=room, kind="draw", accept=answer) for answer in (True, False))

        await ada.does(offer)
        await ben.sees(lambda table: table.offers == {"0:draw"})
        assert await cleo.cannot(no) == "not_a_player"
        await ben.does(no)
        assert (await cleo.hears(RoomEvent, lambda told: told.kind == "declined")).seat == 1
        assert (await ada.sees(lambda table: not table.offers)).status == "playing"
        assert await ada.cannot(offer) == "offer_refused"

        await ada.plays()
        await ben.plays()
        await ben.does(offer)
        await ben.does(no)
        assert (await cleo.hears(RoomEvent, lambda told: told.kind == "withdrawn")).seat == 1
        assert await ada.cannot(yes) == "nothing_offered"

        await ada.plays()
        await ada.does(offer)
        await ben.plays()
        assert await ben.cannot(yes) == "nothing_offered"

        await ben.does(offer)
        await ada.does(yes)
        for person in (ada, ben, cleo):
            table = await person.sees(lambda table: table.result is not None)
            assert table.result == Result(None, "agreed")
            assert (table.status, table.scene.to_move) == ("over", None)
        assert await ada.cannot(Play(id=0, room=room, ply=4, picks=(0,))) == "game_over"
        assert await ben.cannot(Resign(id=0, room=room)) == "game_over"


async def test_a_game_is_aborted_or_resigned(url: str) -> None:
    """Before both have moved it can be aborted without a winner; after that, resigning loses it."""
    async with people(url, "Ada", "Ben") as (ada, ben):
        room = await sit_down(ada, ben)
        await ada.plays()
        await ben.does(Abort(id=0, room=room))
        assert (await ada.sees(lambda table: table.status == "over")).result == Result(None, "aborted")

        room = await sit_down(ada, ben)
        await ada.plays()
        await ben.plays()
        assert await ada.cannot(Abort(id=0, room=room)) == "too_late_to_abort"
        await ada.does(Resign(id=0, room=room))
        assert (await ben.sees(lambda table: table.status == "over")).result == Result(1, "resigned")


async def test_a_rematch_has_the_sides_swapped_and_is_created_once(url: str) -> None:
    """Players and spectators are told of the next room, where the second player is now first."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        room = await sit_down(ada, ben, "mapello", Clock("delay", 60_000, 2_000), {"board": "random"})
        await cleo.joins(room)
        offer = Offer(id=0, room=room, kind="rematch")
        assert await ada.cannot(offer) == "offer_refused"
        await ben.does(Resign(id=0, room=room))
        await ada.does(offer)
        await ben.does(AnswerOffer(id=0, room=room, kind="rematch", accept=False))
        await ada.hears(RoomEvent, lambda told: told.kind == "declined")
        await ben.does(offer)
        await ada.sees(lambda table: table.offers == {"1:rematch"})
        await ada.does(offer)  # which is the answer

        next_rooms = set()
        for person, seat in ((ada, 1), (ben, 0), (cleo, None)):
            told = await person.hears(RoomEvent, lambda told: told.kind == "rematch")
            assert told.next is not None
            next_rooms.add(told.next)
            before = person.table.room.terms
            table = await person.joins(told.next)
            assert (table.seat, table.status, table.moves) == (seat, "playing", [])
            assert table.room.terms.clock == before.clock
            assert table.room.terms.options["seed"] != before.options["seed"]
        assert len(next_rooms) == 1
        await ben.plays()
        await ada.plays()
        for person in (ada, ben):
            assert await person.cannot(offer) == "offer_refused"


async def test_the_win_is_claimed_from_an_offline_player(url: str) -> None:
    """Not while the opponent is online, not at once, but after the configured time."""
    async with people(url, "Ada", "Cleo") as (ada, cleo):
        async with people(url, "Ben") as (ben,):
            room = await sit_down(ada, ben)
            await cleo.joins(room)
            await ada.plays()
            assert await ada.cannot(Claim(id=0, room=room)) == "cannot_claim"
        gone = await ada.hears(RoomEvent, lambda told: told.kind == "disconnected")
        assert gone.seat == 1
        assert ada.table.players[1] == SeatedPlayer(Player(ben.name, guest=True), online=False)
        presence = await ada.hears(Presence, lambda presence: presence.claim_in is not None)
        assert (presence.online, presence.spectators) == ((True, False), 1)
        assert presence.claim_in is not None
        assert presence.claim_in <= 1000
        assert await cleo.cannot(Claim(id=0, room=room)) == "not_a_player"
        await asyncio.sleep(presence.claim_in / 1000 + 0.05)  # the time that has to pass before a claim
        await ada.does(Claim(id=0, room=room))
        assert (await cleo.sees(lambda table: table.status == "over")).result == Result(0, "abandoned")


async def test_a_player_that_returns_in_time_cannot_be_claimed_from(url: str) -> None:
    """The player keeps its seat and plays on, however long the absence was."""
    async with people(url, "Ada") as (ada,):
        async with people(url, "Ben") as (ben,):
            room = await sit_down(ada, ben)
            await ada.plays()
            token = ben.connection.session.token
        await ada.hears(RoomEvent, lambda told: told.kind == "disconnected")
        async with Connection([url], token=token) as again:
            ben = Person(again)
            assert (await ben.hears(Paired)).room == room
            await ben.joins(room)
            back = await ada.hears(RoomEvent, lambda told: told.kind == "reconnected")
            assert back.seat == 1
            assert ada.table.players[1] == SeatedPlayer(Player(ben.name, guest=True), online=True)
            assert await ada.cannot(Claim(id=0, room=room)) == "cannot_claim"
            await ben.plays()
            await ada.plays()


async def test_a_flag_falls_without_a_claim(url: str) -> None:
    """A player whose time runs out loses; a later move is refused."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        room = await sit_down(ada, ben, "replica", Clock("fischer", 1_000))
        await cleo.joins(room)
        await ada.plays()
        await ben.plays()
        for person in (ada, ben, cleo):
            ended = await person.hears(RoomEvent, lambda told: told.kind == "ended")
            assert ended.result == Result(1, "flag")
            assert ended.clocks is not None
            assert [left.main for left in ended.clocks] == [0, 1_000]
        assert await ada.cannot(Play(id=0, room=room, ply=2, picks=(0,))) == "game_over"


# -- around the board


async def test_late_subscribers_are_sent_the_chat(url: str) -> None:
    """Lines have the seat of their author; the players are sent those of spectators when the game is over."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        room = await sit_down(ada, ben)
        await ada.does(Say(id=0, room=room, text="Good luck, <i>Ben</i>"))
        await cleo.joins(room)
        await cleo.does(Say(id=0, room=room, text="Hello"))
        assert await ada.cannot(Say(id=0, room=room, text="two\nlines")) == "text_refused"
        assert await ada.cannot(Say(id=0, room=room, text="   ")) == "text_refused"
        assert (await ada.hears(Said)).seat == 0
        assert (await ben.hears(Said)).text == "Good luck, <i>Ben</i>"
        assert not ada.has_heard(Said)
        lines = [await cleo.hears(Said) for _ in range(2)]
        assert [(line.name, line.text, line.seat) for line in lines] == [
            (ada.name, "Good luck, <i>Ben</i>", 0),
            (cleo.name, "Hello", None),
        ]
        assert 0 < lines[0].at <= lines[1].at

        await ada.does(Abort(id=0, room=room))
        for player in (ada, ben):
            assert await player.hears(Said) == lines[1]


async def test_a_room_announces_presence(url: str) -> None:
    """Spectators are counted as they come and go; a player who leaves the room keeps the seat."""
    async with people(url, "Ada", "Ben", "Cleo", "Dan") as (ada, ben, cleo, dan):
        room = await sit_down(ada, ben)
        assert (await cleo.joins(room)).room.spectators == 1
        assert (await dan.joins(room)).room.spectators == 2
        await ada.hears(Presence, lambda presence: (presence.online, presence.spectators) == ((True, True), 2))
        await dan.does(Leave(id=0, room=room))
        await ada.hears(Presence, lambda presence: presence.spectators == 1)
        await ben.does(Leave(id=0, room=room))
        await cleo.hears(Presence, lambda presence: presence.online == (True, False))
        assert (await ben.joins(room)).seat == 1
        await cleo.hears(Presence, lambda presence: presence.online == (True, True))


async def test_the_choices_can_be_explored(url: str) -> None:
    """Only by the player to move, only along legal picks, only at the current position."""
    async with people(url, "Ada", "Ben") as (ada, ben):
        room = await sit_down(ada, ben, "isaac")
        whole = await ada.hears(Choices)
        answer = await ada.asks(Explore(id=0, room=room, ply=0, picks=()))
        assert isinstance(answer, Choices)
        assert (answer.step, answer.prompts) == (whole.step, whole.prompts)
        assert await ben.cannot(Explore(id=0, room=room, ply=0, picks=())) == "not_your_turn"
        assert await ada.cannot(Explore(id=0, room=room, ply=1, picks=())) == "stale_ply"
        assert await ada.cannot(Explore(id=0, room=room, ply=0, picks=(99_999,))) == "move_illegal"


async def test_a_game_can_be_looked_up(url: str) -> None:
    """The record of a running game has its start and its moves, also for clients outside the room."""
    async with people(url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        room = await sit_down(ada, ben, "mapello", Clock("bronstein", 60_000, 1_000))
        first = ada.table.scene
        moves = [await ada.plays(), await ben.plays(), await ada.plays()]
        await ben.does(Resign(id=0, room=room))
        record = await cleo.asks(GetRecord(id=0, room=room))
        assert isinstance(record, Record)
        assert (record.room, record.initial_scene) == (room, first)
        assert record.result is not None
        assert record.result == Result(0, "resigned", record.result.scores)
        assert [move.move for move in record.moves] == moves
        assert [player.name for player in record.players] == [ada.name, ben.name]
        assert record.terms.clock == Clock("bronstein", 60_000, 1_000)
        assert record.options["seed"] == ada.table.room.terms.options["seed"]
        assert await cleo.cannot(GetRecord(id=0, room="nowhere")) == "record_unknown"


async def test_a_returning_player_learns_of_its_games(url: str) -> None:
    """A client that has only the token is told which of its games are running."""
    async with people(url, "Ada", "Ben") as (ada, ben):
        rooms = [await sit_down(ada, ben) for _ in range(3)]
        await ada.does(Resign(id=0, room=rooms[0]))
        async with Connection([url], token=ada.connection.session.token) as again:
            returned = Person(again)
            assert (await returned.hears(Welcome)).you == Player(ada.name, guest=True)
            told = [await returned.hears(Paired) for _ in range(2)]
            assert {(paired.room, paired.seat) for paired in told} == {(room, 0) for room in rooms[1:]}
            await returned.does(Leave(id=0, room=rooms[0]))  # answered after whatever was to come
            assert not returned.has_heard(Paired)


async def test_two_tabs_of_one_player_stay_in_step(url: str) -> None:
    """What is done in one is seen in the other; both have the seat, and either may move."""
    async with people(url, "Ada", "Ben") as (ada, ben):
        room = await sit_down(ada, ben)
        async with Connection([url], token=ada.connection.session.token) as again:
            tab = Person(again)
            await tab.joins(room)
            assert tab.table.seat == 0
            for mover in (ada, tab, tab, ada):
                await mover.plays()
                await ben.plays()
            await tab.does(Offer(id=0, room=room, kind="draw"))
            for person in (ada, tab, ben):
                table = await person.sees(lambda table: table.offers == {"0:draw"})
                assert (len(table.moves), table.scene) == (8, ben.table.scene)
        # One of the two is enough to be there.
        await ben.does(AnswerOffer(id=0, room=room, kind="draw", accept=False))
        await ada.plays()
        assert ben.table.players[0].online
        assert [told.kind for told in ben.has_heard(RoomEvent) if told.kind in ("disconnected", "reconnected")] == []


async def test_spectators_are_delayed_where_configured(make_server: MakeServer) -> None:
    """A spectator sees moves later than the players, but the end of the game at once."""
    server = make_server("--spectator-delay", "600")
    await server.start()
    async with people(server.url, "Ada", "Ben", "Cleo") as (ada, ben, cleo):
        room = await sit_down(ada, ben)
        await cleo.joins(room)
        moves = [await ada.plays(), await ben.plays()]
        assert cleo.table.moves == []
        record = await cleo.asks(GetRecord(id=0, room=room))
        assert isinstance(record, Record)
        assert record.moves == ()
        record = await ben.asks(GetRecord(id=0, room=room))
        assert isinstance(record, Record)
        assert [move.move for move in record.moves] == moves
        await ada.does(Resign(id=0, room=room))
        table = await cleo.sees(lambda table: table.result is not None)
        ended = await ben.sees(lambda table: table.result is not None)
        assert (table.moves, table.scene) == (moves, ended.scene)
