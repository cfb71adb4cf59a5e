"""Bots of others, on a real server: they find games, play several at once, and go on after whatever happens."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from parlour.client import Bot, Clock, Parlour, Position, Table, Terms, connect
from parlour.client.bot import Wishes
from parlour.client.choice import Choice, NoChoice
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Challenged
from tests.client.playing import play_out, rated
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Cut, Proxy
from tests.waiting import WITHIN

REPLICA = Terms("replica")
INVITED = Wishes(queue=False)


class Random(Bot):
    """Plays by chance, and remembers how its games ended."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.over = asyncio.Event()  # the first of them

    def choose(self, position: Position) -> Choice:
        return position.random()

    def finished(self, table: Table) -> None:
        self.tables.append(table)
        self.over.set()


class Scripted(Bot):
    """Does what a function says, and counts how often it was asked."""

    def __init__(self, choose: Callable[[Position], Choice]) -> None:
        self.asked = 0
        self._choose = choose

    def choose(self, position: Position) -> Choice:
        self.asked += 1
        return self._choose(position)


async def tokens(url: str, *names: str) -> list[str]:
    """The tokens of bots that somebody has made."""
    async with connect(url) as ann:
        await ann.register("Ann", "wooden bishop")
        return [(await ann.make_bot(name)).token for name in names]


class Arrival(logging.Handler):
    """Waits for a bot to say that it is here."""

    def __init__(self) -> None:
        super().__init__()
        self.here = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if "is here" in record.getMessage():
            self.here.set()


@asynccontextmanager
async def running(bot: Bot, urls: str | Sequence[str], token: str, wishes: Wishes = INVITED) -> AsyncIterator[None]:
    """A bot that is there, and plays as long as it is needed."""
    arrival, log = Arrival(), logging.getLogger("parlour.bot")
    log.setLevel(logging.INFO)
    log.addHandler(arrival)
    async with asyncio.TaskGroup() as tasks:  # if it fails, so does the test
        playing = tasks.create_task(bot.play(urls, token, wishes))
        try:
            await arrival.here.wait()
        finally:
            log.removeHandler(arrival)
        yield
        playing.cancel()


async def invite(person: Parlour, bot: str, terms: Terms = REPLICA, seat: int = 0) -> Table:
    """A table with the bot."""
    return await (await person.challenge(terms, to=bot, seat="second" if seat else "first")).table()


# -- finding games


async def test_two_bots_play_a_rated_game(server: ServerProcess) -> None:
    """They meet in the queue, play to the end, and both ratings change."""
    one, two = await tokens(server.url, "Robbie", "Dora")
    wishes = Wishes(games=("replica",), games_in_all=1)
    robbie, dora = Random(), Random()
    async with asyncio.timeout(WITHIN):
        await asyncio.gather(robbie.play(server.url, one, wishes), dora.play(server.url, two, wishes))
        [table] = robbie.tables
        assert table.terms.rated
        assert table.opponent is not None
        assert (table.opponent.name, table.opponent.bot) == ("Dora", True)
        async with connect(server.url) as eve:
            ratings = [(await rated(eve, name)).ratings[0] for name in ("Robbie", "Dora")]
    assert [each.games for each in ratings] == [1, 1]
    assert ratings[0].rating != ratings[1].rating
    assert sum(each.rating for each in ratings) == 3000


async def test_several_games_at_once(server: ServerProcess) -> None:
    """It waits for every game there is, plays what comes at the same time, and stops after so many."""
    one, two = await tokens(server.url, "Robbie", "Dora")
    wishes = Wishes(games_in_all=4, rated=False, clock=Clock())
    robbie, dora = Random(), Random()
    async with asyncio.timeout(2 * WITHIN):
        await asyncio.gather(robbie.play(server.url, one, wishes), dora.play(server.url, two, wishes))
    assert sorted(table.terms.game for table in robbie.tables) == ["isaac", "mapello", "mitsudomoe", "replica"]


async def test_invitations(server: ServerProcess) -> None:
    """It accepts those for its games, if it likes them, and declines all others."""

    class Choosy(Random):
        def accepts(self, invitation: Challenged) -> bool:
            return invitation.player.name == "Ada"

    [token] = await tokens(server.url, "Robbie")
    wishes = Wishes(queue=False, games=("replica",), at_once=1)
    bot = Choosy()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(WITHIN))
        ada = await stack.enter_async_context(connect(server.url, name="Ada"))
        ben = await stack.enter_async_context(connect(server.url))
        await stack.enter_async_context(running(bot, server.url, token, wishes))
        table = await invite(ada, "Robbie")
        assert table.opponent is not None
        assert table.opponent.name == "Robbie"
        for person, terms in ((ben, REPLICA), (ada, Terms("mapello")), (ada, REPLICA)):  # the last: it is full
            with pytest.raises(Refusal, match="declined"):
                await (await person.challenge(terms, to="Robbie")).table()
        await table.abort()
        await bot.over.wait()
        await (await ada.challenge(REPLICA, to="Robbie")).table()


async def test_who_cannot_play_is_told(server: ServerProcess) -> None:
    """A token of nobody, and a game that is not there, end it with a sentence."""
    [token] = await tokens(server.url, "Robbie")
    for given, wishes, code in (
        ("nobody's", Wishes(), ErrorCode.TOKEN_UNKNOWN),
        (token, Wishes(games=("chess",)), ErrorCode.GAME_UNKNOWN),
        (token, Wishes(clock=Clock()), ErrorCode.RATED_REFUSED),
    ):
        with pytest.raises(Refusal) as refused:
            await Random().play(server.url, given, wishes)
        assert refused.value.code == code


# -- at the table


async def test_a_position_tells_everything(server: ServerProcess) -> None:
    """The bot sees game, options, moves, seat, clocks, opponent and all legal turns, also from an async function."""
    seen: list[Position] = []

    class Careful(Bot):
        async def choose(self, position: Position) -> Choice:
            seen.append(position)
            legal = await position.legal_async()
            with pytest.raises(RuntimeError, match="await legal_async"):
                position.legal()
            return legal[-1]

    [token] = await tokens(server.url, "Robbie")
    clock = Clock("fischer", 60_000, 2_000)
    rows = (
        "####J#####/##.*..O.##/#.O..O#..#/J*#OOOXOOJ/J..OOXXX.#/#.OOOXXX*#/#OOOOXO#.J/JOX#XOOOO#/##.X..OX##/###J###J##"
    )
    start = f"{rows} b 9,6"
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada, running(Careful(), server.url, token):
        table = await invite(ada, "Robbie", Terms("mapello", clock=clock))
        await play_out(table, 1, turns=2)
        await table.my_turn()
        await table.resign()
        invitation = await ada.challenge(Terms("mapello"), to="Robbie", seat="second", position=start)
        await (await invitation.table()).until(lambda table: table.ply == 1)
    first, *_, last = seen
    assert (first.game, first.seat, first.moves, first.start) == ("mapello", 1, first.moves[:1], None)
    assert (first.clock, first.rated, first.options["board"]) == (clock, False, "default")
    assert first.time_left is not None
    assert first.seconds is not None
    assert 1 < first.seconds < 10
    assert first.opponent is not None
    assert first.opponent.name == "Ada"
    assert (last.start, last.moves, last.seat, last.seconds) == (start, (), 0, None)


async def test_all_turns_are_found_with_few_questions(make_server: MakeServer) -> None:
    """Where a turn can be made in hundreds of ways, listing them stays within the limits of a public server."""
    server = make_server("--message-rate", "2", "--message-burst", "60")
    await server.start()
    listed: list[int] = []

    def choose(position: Position) -> Choice:
        legal = position.legal()
        listed.append(len({turn.picks for turn in legal}))
        return legal[0]

    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(Scripted(choose), server.url, token):
        table = await invite(ada, "Robbie", Terms("isaac"), seat=1)
        await play_out(table, 1, turns=1)
        assert listed[0] == 1200  # 600 placements, each from either end


async def test_offers_are_answered_while_it_thinks(server: ServerProcess) -> None:
    """However long a plain function takes, the connection lives: draws are declined, and moves taken back."""
    go_on = threading.Event()

    def slowly(position: Position) -> Choice:
        assert go_on.wait(WITHIN)
        return position.random()

    bot = Scripted(slowly)
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(bot, server.url, token):
        table = await invite(ada, "Robbie")
        await play_out(table, 1, turns=1)
        await table.offer("draw")
        await table.until(lambda table: not table.offers)
        assert table.result is None
        await table.offer("takeback")
        await table.until(lambda table: table.ply == 0)
        await play_out(table, 1, turns=1)  # the same position as before: it must be thought about anew
        go_on.set()
        await table.until(lambda table: table.ply == 2)
        assert bot.asked == 2


async def test_rematches(server: ServerProcess) -> None:
    """It plays on with whoever offers another game."""
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(Random(), server.url, token):
        table = await invite(ada, "Robbie")
        await table.resign()
        await table.offer("rematch")
        await table.until(lambda table: table.next is not None)
        assert table.next is not None
        following = await ada.join(table.next)
        assert await play_out(following, 1) is not None


async def test_it_chooses_who_is_first(server: ServerProcess) -> None:
    """Where the choice is the bot's, it begins."""
    land, rim = "#........#", "##########"
    rows = "/".join([rim, land, land, land, "#...XO...#", "#...OX...#", land, land, land, rim])
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(Random(), server.url, token):
        table = await invite(ada, "Robbie", Terms("mapello", {"board": rows}))
        await table.until(lambda table: table.ply == 1)
        assert table.seat == 1


async def test_who_leaves_loses(make_server: MakeServer) -> None:
    """It claims the win when an opponent has been away for long enough."""
    server = make_server("--claim-after", "1")
    await server.start()
    [token] = await tokens(server.url, "Robbie")
    bot = Random()
    async with asyncio.timeout(WITHIN), running(bot, server.url, token):
        async with connect(server.url) as ada:
            table = await invite(ada, "Robbie")
            await play_out(table, 1, turns=2)
        await bot.over.wait()
    assert bot.tables[0].result is not None
    assert bot.tables[0].result.reason == "abandoned"


# -- what goes wrong


def _fails(position: Position) -> Choice:
    raise NoChoice("there is nothing to play")


def _breaks(position: Position) -> Choice:
    return [1 // len(position.moves[99:])]


@pytest.mark.parametrize(
    "choose", [_fails, _breaks, lambda _: "nonsense", lambda _: [9999]], ids=["no choice", "bug", "text", "picks"]
)
async def test_a_game_is_given_up_after_the_second_failure(
    server: ServerProcess, choose: Callable[[Position], Choice]
) -> None:
    """It is asked once more. A game that has not really begun is called off then; otherwise it is resigned."""

    def begins_well(position: Position) -> Choice:
        return choose(position) if terms.clock.kind == "none" or position.moves[1:] else position.random()

    bot = Scripted(begins_well)
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(bot, server.url, token):
        for terms, reason, asked in (
            (REPLICA, "aborted", 2),
            (Terms("replica", clock=Clock("move", 60_000)), "resigned", 3),
        ):
            bot.asked = 0
            table = await invite(ada, "Robbie", terms)
            await play_out(table, 1, turns=2)
            assert (await table.over()).reason == reason
            assert bot.asked == asked


async def test_nothing_means_resigning(server: ServerProcess) -> None:
    """A bot that chooses None gives up without being asked again."""
    bot = Scripted(lambda position: None if len(position.moves) > 2 else position.random())
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(bot, server.url, token):
        table = await invite(ada, "Robbie")
        await play_out(table, 1, turns=2)
        assert (await table.over()).reason == "resigned"
        assert bot.asked == 2


# -- going on


async def test_bots_survive_cuts(server: ServerProcess) -> None:
    """With connections that break again and again, in the middle of messages, all games come to their end."""
    one, two = await tokens(server.url, "Robbie", "Dora")
    fates = [Cut(after) for after in range(14_000, 24_000, 1_001)]
    wishes = Wishes(games=("replica", "mapello", "isaac"), games_in_all=3, rated=False, clock=Clock())
    robbie, dora = Random(), Random()
    async with asyncio.timeout(2 * WITHIN), Proxy(server.port, fates) as proxy:
        await asyncio.gather(robbie.play(proxy.url, one, wishes), dora.play(server.url, two, wishes))
        assert proxy.cuts > 1
    ends = [{table.room: (table.result, tuple(table.moves)) for table in bot.tables} for bot in (robbie, dora)]
    assert ends[0] == ends[1]
    assert len(ends[0]) == 3


async def test_a_game_goes_on_after_a_restart_of_the_bot(server: ServerProcess) -> None:
    """A bot that was ended in mid-game finds its game when it is started again, even if it does not look for games."""
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada:
        async with running(Random(), server.url, token):
            table = await invite(ada, "Robbie")
            await play_out(table, 1, turns=3)
        async with running(Random(), server.url, token):
            assert await play_out(table, 2) is not None


async def test_a_game_goes_on_after_the_death_of_the_server(make_server: MakeServer) -> None:
    """The server is killed in mid-game; bot and opponent go on when it is back."""
    server = make_server()
    await server.start()
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(Random(), server.url, token):
        table = await invite(ada, "Robbie", Terms("mapello"))
        await play_out(table, 1, turns=5)
        await server.kill()
        await server.start()
        assert await play_out(table, 2) is not None
