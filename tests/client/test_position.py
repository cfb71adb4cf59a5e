"""What a bot sees of a position."""

from __future__ import annotations

import asyncio

import pytest

from parlour.client import Bot, Clock, Position, Terms, connect
from parlour.client.bot_move import BotMove
from tests.client.bots import ScriptedBot, invite, running, tokens
from tests.client.playing import play_out
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN


async def test_a_position_is_complete(server: ServerProcess) -> None:
    """It has the game, options, moves, seat, clocks, opponent and legal turns, also in an async function."""
    seen: list[Position] = []

    class Careful(Bot):
        async def choose(self, position: Position) -> BotMove:
            seen.append(position)
            legal = await position.legal_turns_async()
            with pytest.raises(RuntimeError, match="await legal_turns_async"):
                position.legal_turns()
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


async def test_legal_turns_need_few_requests(make_server: MakeServer) -> None:
    """Listing hundreds of legal turns stays within the rate limits of a public server."""
    server = make_server("--message-rate", "2", "--message-burst", "60")
    await server.start()
    listed: list[int] = []

    def choose(position: Position) -> BotMove:
        legal = position.legal_turns()
        listed.append(len({turn.picks for turn in legal}))
        return legal[0]

    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(ScriptedBot(choose), server.url, token):
        table = await invite(ada, "Robbie", Terms("isaac"), seat=1)
        await play_out(table, 1, turns=1)
        assert listed[0] == 1200  # 600 placements, each from either end
