"""Everything a player can do, asked of a real server."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack

import pytest

from parlour.client import Clock, RefusedError, Terms, connect
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Challenged, InviteGone, Paired
from tests.client.playing import play_out, sit_down
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Cut, Proxy
from tests.waiting import WITHIN

REPLICA = Terms("replica")
PASSWORD = "wooden bishop"


# -- coming and going


async def test_who_comes_knows_where(server: ServerProcess) -> None:
    """Inside, one knows who one is and what can be played; with the token one is the same player again."""
    page = server.url.replace("ws://", "http://").removesuffix("/ws")
    async with connect(page, name="Ada") as ada:
        assert (ada.you.name, ada.you.guest, ada.state) == ("Ada", True, "connected")
        assert {card.key for card in ada.games} == {"isaac", "mapello", "mitsudomoe", "replica"}
        assert "parlour" in ada.server
    async with connect([server.url], token=ada.token) as again:
        assert again.you == ada.you


async def test_nobody_waits_for_ever_for_a_server() -> None:
    """Where no server is, a sentence says so after the time that was given."""
    with pytest.raises(ConnectionError, match=re.escape("no answer from ws://127.0.0.1:9/ws within 0.2 seconds")):
        async with connect("ws://127.0.0.1:9", within=0.2):
            pass


async def test_a_token_of_nobody(server: ServerProcess) -> None:
    """It makes a new guest, or is refused, as one likes."""
    async with connect(server.url, token="of nobody") as parlour:
        assert parlour.you.guest
    with pytest.raises(RefusedError) as refused:
        async with connect(server.url, token="of nobody", guest_if_unknown=False):
            pass
    assert refused.value.code == ErrorCode.TOKEN_UNKNOWN


async def test_states_are_told(server: ServerProcess) -> None:
    """Connected, reconnecting and connected again after a cut, and the end with its reason."""
    async with asyncio.timeout(WITHIN), Proxy(server.port) as proxy:
        async with connect(proxy.url) as parlour:
            states = parlour.states()
            assert await anext(states) == "connected"
            assert proxy.newest is not None
            proxy.newest.lose()
            assert [await anext(states) for _ in range(2)] == ["reconnecting", "connected"]
        assert await anext(states) == "ended"
        with pytest.raises(ConnectionError):
            await anext(states)
        assert parlour.state == "ended"


async def test_the_end_ends_everything(server: ServerProcess) -> None:
    """Whoever waits for a game, for news or for an answer when the session is over gets the reason."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        table, _ = await sit_down(ada, ben, REPLICA)
        async with ada.lobby() as lobby:
            changes, summons = aiter(lobby), ada.summons()
            await anext(changes)
            await anext(summons)
            waits = [
                asyncio.create_task(ada.quick_match(REPLICA)),
                asyncio.create_task(table.until(lambda _: False)),
                asyncio.create_task(_drain(changes)),
                asyncio.create_task(_drain(summons)),
            ]
            await ada.player(ada.you.name)  # everything is under way
            await ada.sign_out(everywhere=True)
            for fault in await asyncio.gather(*waits, return_exceptions=True):
                assert isinstance(fault, ConnectionError), fault
        with pytest.raises(ConnectionError, match="signed out"):
            await ada.rules("replica")


async def _drain(listener: object) -> None:
    async for _ in listener:  # type: ignore[attr-defined]
        pass


# -- accounts


async def test_accounts(server: ServerProcess) -> None:
    """A guest keeps a name, is the same on another device, changes the password, and makes a bot."""
    async with connect(server.url) as ann:
        done = await ann.register("Ann", PASSWORD)
        assert ann.you == done.you
        assert (done.you.name, done.you.guest) == ("Ann", False)
        await ann.change_password(PASSWORD, "silver bishop")
        bot = await ann.make_bot("Robbie")
        assert bot.you.bot
        assert (await ann.player("Robbie")).owner == "Ann"
    async with connect(server.url) as guest:
        with pytest.raises(RefusedError) as refused:
            await guest.sign_in("Ann", PASSWORD)
        assert refused.value.code == ErrorCode.SIGN_IN_REFUSED
        token = (await guest.sign_in("Ann", "silver bishop")).token
    async with connect(server.url, token=token) as ann:
        assert ann.you.name == "Ann"


# -- ways to a table


async def test_quick_match(server: ServerProcess) -> None:
    """Two who look for the same game sit opposite each other."""
    terms = Terms("replica", clock=Clock("fischer", 60_000, 1_000))
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        one, two = await asyncio.gather(ada.quick_match(terms), ben.quick_match(terms))
        assert one.room == two.room
        assert {one.seat, two.seat} == {0, 1}
        assert one.opponent is not None
        assert one.opponent.name == ben.you.name
        assert ada.running == {one.room: one.seat}


async def test_quick_match_survives_cuts(server: ServerProcess) -> None:
    """The place in the queue is taken again after each cut, and the game is found."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(WITHIN))
        proxy = await stack.enter_async_context(Proxy(server.port))
        ada = await stack.enter_async_context(connect(proxy.url))
        ben = await stack.enter_async_context(connect(server.url))
        waits = asyncio.create_task(ada.quick_match(REPLICA))
        for _ in range(2):
            states = ada.states()
            assert proxy.newest is not None
            proxy.newest.lose()
            assert [await anext(states) for _ in range(3)] == ["connected", "reconnecting", "connected"]
        theirs = await ben.quick_match(REPLICA)
        assert (await waits).room == theirs.room


async def test_quick_match_survives_a_restart(make_server: MakeServer) -> None:
    """Those who wait when the server is killed are paired when it is back."""
    server = make_server()
    await server.start()
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        waiting = await ada.queue(REPLICA)
        await server.kill()
        await server.start()
        theirs = await ben.quick_match(REPLICA)
        assert (await waiting.table()).room == theirs.room


async def test_nobody_is_paired_who_waits_no_longer(server: ServerProcess) -> None:
    """Whoever cancels the task leaves the queue; whoever cancels a place is told so where it is awaited."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        waits = asyncio.create_task(ada.quick_match(REPLICA))
        await ada.player(ada.you.name)  # the queue was asked before
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        place = await ada.queue(REPLICA)
        await place.cancel()
        with pytest.raises(Refusal, match="withdrawn"):
            await place.table()
        assert place.over
        other = await ben.queue(REPLICA)
        carl = await ada.queue(Terms("mapello"))
        assert not other.over
        assert not carl.over


async def test_seeks_and_invitations(server: ServerProcess) -> None:
    """A seek is accepted by whoever sees it, an invitation by the one it is for, who may decline it too."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        async with ben.lobby() as lobby:
            seek = await ada.seek(Terms("mapello"), seat="second", ratings=(1000, 2000))
            async for _ in lobby:
                if seek.seek in lobby.seeks:
                    break
        theirs, mine = await ben.accept(seek.seek), await seek.table()
        assert (mine.room, mine.seat) == (theirs.room, 1)

        invited = ben.summons()
        for yes in (False, True):
            invitation = await ada.challenge(REPLICA, to=ben.you.name)
            while not isinstance(told := await anext(invited), Challenged):
                pass
            assert (told.seek, told.player.name, told.terms) == (invitation.seek, ada.you.name, REPLICA)
            if yes:
                assert (await ben.accept(told.seek)).room == (await invitation.table()).room
            else:
                await ben.decline(told.seek)
                with pytest.raises(Refusal, match="declined"):
                    await invitation.table()
        with pytest.raises(RefusedError) as refused:
            await ada.challenge(REPLICA, to="Nobody At All")
        assert refused.value.code == ErrorCode.PLAYER_UNKNOWN


async def test_an_invitation_that_is_withdrawn_is_told(server: ServerProcess) -> None:
    """The one who was invited hears that it is gone."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        told = ben.summons()
        invitation = await ada.challenge(REPLICA, to=ben.you.name)
        assert isinstance(await anext(told), Challenged)
        await invitation.cancel()
        assert await anext(told) == InviteGone(seek=invitation.seek)


async def test_the_computer(server: ServerProcess) -> None:
    """One plays it from either seat, asks it for a hint, and watches it play itself."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada:
        table = await ada.play_computer(Terms("mapello"), "1", seat=1)
        turn = await table.my_turn()
        assert turn is not None
        hint = await table.hint()
        await table.play(hint.move)
        assert (table.moves[1], table.seat, table.ply >= 2) == (hint.move, 1, True)

        watched = await ada.watch_computers(Terms("replica"), "1", "2")
        assert watched.seat is None
        await watched.until(lambda table: table.ply >= 2)


async def test_games_that_go_on_are_remembered(server: ServerProcess) -> None:
    """Who comes back with the token finds the games that are on among the summons, with the seat."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        table, _ = await sit_down(ada, ben, REPLICA)
        async with connect(server.url, token=ada.token) as again:
            assert await anext(again.summons()) == Paired(room=table.room, seat=0)
            assert (await again.join(table.room)).seat == 0
            assert again.running == {table.room: 0}
            await (await again.join(table.room)).abort()
            assert again.running == {}


# -- looking things up


async def test_looking_things_up(server: ServerProcess) -> None:
    """Rules, players, leaders, previews, and what is refused."""
    async with connect(server.url, name="Ada") as ada:
        assert (await ada.rules("isaac")).text.startswith("# Isaac")
        assert (await ada.player("ada")).player.name == "Ada"
        assert (await ada.leaders("replica")).rows == ()
        assert (await ada.preview(Terms("mapello"))).board.columns == 10
        with pytest.raises(RefusedError) as refused:
            await ada.rules("chess")
        assert (refused.value.code, refused.value.sentence[-1]) == (ErrorCode.GAME_UNKNOWN, ".")


async def test_records(server: ServerProcess) -> None:
    """A finished game is in the list, its record has the moves, and can be read again as text."""
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada, connect(server.url) as ben:
        rooms = []
        for seed in (1, 2):
            one, two = await sit_down(ada, ben, REPLICA)
            await asyncio.gather(play_out(one, seed), play_out(two, seed + 10))
            rooms.append(one)
        record = await ada.records.record(rooms[0].room)
        assert [each.move for each in record.moves] == list(rooms[0].moves)
        assert (await ada.records.read(record.text)).result == record.result
        assert [line.room async for line in ada.records.games("Ada", game="replica")] == [
            table.room for table in reversed(rooms)
        ]
        assert (await ada.records.page(player="Ada", game="isaac")).rows == ()


async def test_questions_survive_cuts(server: ServerProcess) -> None:
    """Whatever was asked is answered, and done once, wherever in the question or its answer the connection breaks."""
    fates = [Cut(after, to_server) for after in (0, 10, 60) for to_server in (False, True)]
    async with asyncio.timeout(WITHIN), Proxy(server.port) as proxy, connect(proxy.url) as ada:
        for fate in fates:
            assert proxy.newest is not None
            proxy.newest.cut_after(fate)
            await ada.play_computer(REPLICA, "1")
        assert proxy.cuts == len(fates)
        async with connect(server.url, token=ada.token) as again:
            reminders = again.summons()
            told = [await anext(reminders) for _ in fates]
            assert {each.room for each in told if isinstance(each, Paired)} == set(again.running) == set(ada.tables)
        assert len(ada.tables) == len(fates)
