"""Everything a player can do, asked of a real server."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack

import pytest

from parlour import client as package
from parlour.client import Clock, RefusedError, Terms, connect
from parlour.client.connect_errors import ConnectCode, ConnectError
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import ChallengeClosed, Challenged, Paired
from tests.client.playing import sit_down
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Cut, Proxy
from tests.waiting import WITHIN, until

REPLICA = Terms("replica")
PASSWORD = "wooden bishop"


# -- connecting


async def test_a_client_knows_its_server(server: ServerProcess) -> None:
    """Inside, one knows who one is and what can be played; with the token one is the same player again."""
    page = server.url.replace("ws://", "http://").removesuffix("/ws")
    async with connect(page, name="Ada") as ada:
        assert (ada.you.name, ada.you.guest, ada.state) == ("Ada", True, "connected")
        assert {card.key for card in ada.games} == {"isaac", "mapello", "mitsudomoe", "replica"}
        assert "parlour" in ada.server
    async with connect([server.url], token=ada.token) as again:
        assert again.you == ada.you


async def test_why_there_is_no_connection() -> None:
    """The reason is raised at once, for all addresses; a client that waits raises it once the timeout is over."""
    with pytest.raises(ConnectError, match=re.escape("Nothing listens at 127.0.0.1:9.")) as failed:
        async with connect("127.0.0.1:9", timeout=None):
            pass
    assert (failed.value.code, failed.value.is_temporary) == (ConnectCode.REFUSED, True)
    with pytest.raises(ConnectError, match=r"at 127\.0\.0\.1:9\..*at 127\.0\.0\.1:19\."):
        async with connect(["127.0.0.1:9", "127.0.0.1:19"], timeout=None):
            pass
    with pytest.raises(ConnectionError, match=re.escape("Nothing listens at 127.0.0.1:9.")):
        async with connect("127.0.0.1:9", wait=True, timeout=0.2):
            pass


async def test_waiting_for_a_server(make_server: MakeServer) -> None:
    """A client that waits is connected as soon as there is a server, and knows until then why it is not."""
    first = make_server()
    await first.start()
    await first.stop()
    async with asyncio.timeout(WITHIN):
        client = connect(first.url, wait=True, timeout=None)
        states, entering = client.states(), asyncio.create_task(client.__aenter__())
        while not client.problem:
            await anext(states)
        assert "Nothing listens at" in client.problem
        await first.start()
        await entering
        assert (client.state, client.problem) == ("connected", "")
        await client.__aexit__(None, None, None)


async def test_an_unknown_token(server: ServerProcess) -> None:
    """It makes a new guest, or is refused, as one likes."""
    async with connect(server.url, token="unknown") as client:
        assert client.you.guest
    with pytest.raises(RefusedError) as refused:
        async with connect(server.url, token="unknown", guest_if_unknown=False):
            pass
    assert refused.value.code == ErrorCode.TOKEN_UNKNOWN


async def test_states_of_the_connection(server: ServerProcess) -> None:
    """Connected, reconnecting and connected again after a cut, and the end with its reason."""
    async with asyncio.timeout(WITHIN), Proxy(server.port) as proxy:
        async with connect(proxy.url) as client:
            states = client.states()
            assert await anext(states) == "connected"
            assert proxy.newest is not None
            proxy.newest.lose()
            assert [await anext(states) for _ in range(2)] == ["reconnecting", "connected"]
        assert await anext(states) == "ended"
        with pytest.raises(ConnectionError):
            await anext(states)
        assert client.state == "ended"


async def test_the_end_ends_everything(server: ServerProcess) -> None:
    """When the session ends, every pending seek, iteration and request raises the reason."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        table, _ = await sit_down(ada, ben, REPLICA)
        async with ada.lobby() as lobby:
            changes, notifications = aiter(lobby), ada.notifications()
            await anext(changes)
            await anext(notifications)
            waits = [
                asyncio.create_task(ada.quick_match(REPLICA)),
                asyncio.create_task(table.until(lambda _: False)),
                asyncio.create_task(_drain(changes)),
                asyncio.create_task(_drain(notifications)),
            ]
            await ada.profile(ada.you.name)  # everything is under way
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
        bot = await ann.create_bot("Robbie")
        assert bot.you.bot
        assert (await ann.profile("Robbie")).owner == "Ann"
    async with connect(server.url) as guest:
        with pytest.raises(RefusedError) as refused:
            await guest.sign_in("Ann", PASSWORD)
        assert refused.value.code == ErrorCode.SIGN_IN_REFUSED
        token = (await guest.sign_in("Ann", "silver bishop")).token
    async with connect(server.url, token=token) as ann:
        assert ann.you.name == "Ann"


# -- finding a game


async def test_quick_match(server: ServerProcess) -> None:
    """Two who look for the same game sit opposite each other."""
    terms = Terms("replica", clock=Clock("fischer", 60_000, 1_000))
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        one, two = await asyncio.gather(ada.quick_match(terms), ben.quick_match(terms))
        assert one.room == two.room
        assert {one.seat, two.seat} == {0, 1}
        assert one.opponent is not None
        assert one.opponent.name == ben.you.name
        assert ada.ongoing_games == {one.room: one.seat}


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
        pending = await ada.queue(REPLICA)
        await server.kill()
        await server.start()
        theirs = await ben.quick_match(REPLICA)
        assert (await pending.table()).room == theirs.room


async def test_cancelled_seeks_are_not_paired(server: ServerProcess) -> None:
    """Cancelling the task leaves the queue; cancelling a pending seek raises where it is awaited."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        waits = asyncio.create_task(ada.quick_match(REPLICA))
        await ada.profile(ada.you.name)  # the queue was asked before
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        place = await ada.queue(REPLICA)
        await place.cancel()
        with pytest.raises(Refusal, match="cancelled"):
            await place.table()
        assert place.done
        other = await ben.queue(REPLICA)
        carl = await ada.queue(Terms("mapello"))
        assert not other.done
        assert not carl.done


async def test_seeks_and_challenges(server: ServerProcess) -> None:
    """Any player may accept a seek; a challenge may be accepted or declined by the challenged player."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        async with ben.lobby() as lobby:
            seek = await ada.seek(Terms("mapello"), seat="second", ratings=(1000, 2000))
            async for _ in lobby:
                if seek.seek in lobby.seeks:
                    break
        theirs, mine = await ben.accept(seek.seek), await seek.table()
        assert (mine.room, mine.seat) == (theirs.room, 1)

        invited = ben.notifications()
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
            await ada.challenge(REPLICA, to="No Such Player")
        assert refused.value.code == ErrorCode.PLAYER_UNKNOWN


async def test_a_cancelled_challenge_is_announced(server: ServerProcess) -> None:
    """The one who was invited hears that it is gone."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        told = ben.notifications()
        invitation = await ada.challenge(REPLICA, to=ben.you.name)
        assert isinstance(await anext(told), Challenged)
        await invitation.cancel()
        assert await anext(told) == ChallengeClosed(seek=invitation.seek)


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


async def test_ongoing_games_are_remembered(server: ServerProcess) -> None:
    """A player who returns with the token is notified of the games in progress, with the seat."""
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, connect(server.url) as ben:
        table, _ = await sit_down(ada, ben, REPLICA)
        async with connect(server.url, token=ada.token) as again:
            assert await anext(again.notifications()) == Paired(room=table.room, seat=0)
            assert (await again.join(table.room)).seat == 0
            assert again.ongoing_games == {table.room: 0}
            await (await again.join(table.room)).abort()
            assert again.ongoing_games == {}


# -- lookups


async def test_lookups(server: ServerProcess) -> None:
    """Rules, players, leaders, previews, and what is refused."""
    async with connect(server.url, name="Ada") as ada:
        assert (await ada.rules("isaac")).text.startswith("# Isaac")
        assert (await ada.profile("ada")).player.name == "Ada"
        assert (await ada.leaderboard("replica")).rows == ()
        assert (await ada.preview(Terms("mapello"))).board.columns == 10
        with pytest.raises(RefusedError) as refused:
            await ada.rules("chess")
        assert (refused.value.code, refused.value.sentence[-1]) == (ErrorCode.GAME_UNKNOWN, ".")


async def test_representations(server: ServerProcess) -> None:
    """A client, a table and a pending seek say in a debugger who and where they are."""
    client = connect(server.url, name="Rita")
    assert repr(client) == f"<Client: not connected yet, {server.url}, connecting>"
    async with client:
        pending = await client.challenge(REPLICA)
        assert repr(pending) == f"<PendingSeek {pending.seek}: waiting>"
        table = await client.play_computer(REPLICA, "1")
        computer = table.players[1].player.name
        assert repr(table) == f"<Table {table.room}: replica, {client.you.name} against {computer}, move 0, playing>"
        assert repr(client) == f"<Client: {client.you.name}, {server.url}, connected, tables: {table.room}>"


def test_public_names() -> None:
    """Every public name can be imported from the package, and no other."""
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        package.nonsense  # type: ignore[attr-defined]  # noqa: B018


async def test_who_is_online(server: ServerProcess) -> None:
    """A player sees all players who are online, itself included."""
    async with connect(server.url, name="Hugo") as hugo, connect(server.url, name="Ines") as ines:

        async def sees_both() -> bool:
            rows = (await hugo.online_players()).rows
            return {hugo.you.name, ines.you.name} <= {row.player.name for row in rows}

        await until(sees_both)
        assert (await ines.online_players(after="zzz")).rows == ()


async def test_requests_survive_cuts(server: ServerProcess) -> None:
    """Whatever was asked is answered, and done once, wherever in the question or its answer the connection breaks."""
    fates = [Cut(after, to_server) for after in (0, 10, 60) for to_server in (False, True)]
    async with asyncio.timeout(WITHIN), Proxy(server.port) as proxy, connect(proxy.url) as ada:
        for fate in fates:
            assert proxy.newest is not None
            proxy.newest.cut_after(fate)
            await ada.play_computer(REPLICA, "1")
        assert proxy.cuts == len(fates)
        async with connect(server.url, token=ada.token) as again:
            reminders = again.notifications()
            reminded: set[str] = set()
            while len(reminded) < len(fates):
                told = await anext(reminders)
                if isinstance(told, Paired):
                    reminded.add(told.room)
            assert reminded == set(again.ongoing_games) == set(ada.tables)
        assert len(ada.tables) == len(fates)
