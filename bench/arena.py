"""An arena of many bots while nodes are killed. Run `python -m bench.arena`, from the root of the repository.

The bots play on several nodes that share a store, and every few seconds one of the nodes is killed with SIGKILL and
started again. At the end, every pairing must have been played exactly once, no player may have been in two games at a
time, and the standings must be those that follow from the log, and also those that follow from the records of the
games. Reported is how long players waited from the end of a game to the next pairing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from time import monotonic

from msgspec import Struct

from bench.load import processes
from parlour.chaos.processes import NodeProcess
from parlour.client import Client, Clock, Refusal, Table, Terms, connect
from parlour.protocol.messages import Paired, Record, Tournament, TournamentChanged
from parlour.protocol.types import TournamentSettings
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.tournaments.games import game_room
from parlour.tournaments.arena import DRAW, STREAK, WIN
from parlour.tournaments.events import Event, GameEnded, RoundStarted
from parlour.tournaments.log_file import faults, read
from parlour.tournaments.standings import standings
from parlour.tournaments.state import fold

TERMS = Terms("replica", clock=Clock("fischer", 180_000, 2_000))
BOTS_OF_ACCOUNT = 10
FINISH_WITHIN = 240.0  # seconds after the end of the arena
RESTART_AFTER = 2.0  # seconds
CONNECT_AT_ONCE = 25  # bots


class Outcome(Struct):
    """The results of a run, and its faults."""

    games: int
    forfeits: int  # of players who did not come within a minute
    kills: int
    idle: list[float]  # seconds from the end of a game to the player's next pairing, in the log
    waits: list[float]  # the same as players see it: until they are told, which a lost connection delays
    faults: list[str]


class Player:
    """A bot that plays some random moves in each game and then resigns."""

    def __init__(self, addresses: Sequence[str], token: str, seed: int, think: float) -> None:
        self.waits: list[float] = []
        self._addresses = addresses
        self._token = token
        self._random = random.Random(seed)
        self._think = think
        self._free_since: float | None = None
        self._rooms: set[str] = set()

    async def run(self, tournament: str, connecting: asyncio.Semaphore) -> None:
        """Enter the tournament, and play until cancelled."""
        async with AsyncExitStack() as stack:
            async with connecting:
                client = await stack.enter_async_context(connect(self._addresses, token=self._token, timeout=120))
                await client.join_tournament(tournament)
            async with asyncio.TaskGroup() as tasks:
                async for notification in client.notifications():
                    if isinstance(notification, Paired) and notification.room not in self._rooms:
                        self._rooms.add(notification.room)
                        if self._free_since is not None:
                            self.waits.append(monotonic() - self._free_since)
                        tasks.create_task(self._play(client, notification.room))

    async def _play(self, client: Client, room: str) -> None:
        with suppress(Refusal):
            table = await client.join(room)
            with suppress(Refusal):
                await self._moves(table)
            self._free_since = monotonic()
            await table.leave()

    async def _moves(self, table: Table) -> None:
        left = self._random.randrange(2, 6)
        while turn := await table.my_turn():
            await asyncio.sleep(self._think * self._random.uniform(0.5, 1.5))
            if left == 0:
                await table.resign()
                return
            left -= 1
            while not turn.complete:
                turn = self._random.choice((await table.explore(turn)).children())
            await table.play(turn)


async def run(bots: int, nodes: int, seconds: float, kill_every: float, think: float) -> Outcome:
    """Hold an arena."""
    processes.raise_file_limit()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parlour-arena-")))
        store = await stack.enter_async_context(EmbeddedStore(folder / "store"))
        running = [_node(number, store.url, folder) for number in range(nodes)]
        for node in running:
            stack.push_async_callback(node.kill)
            await node.start()
        for node in running:
            await node.ready()
        addresses = [f"http://127.0.0.1:{node.port}" for node in running]
        return await _arena(addresses, running, bots, seconds, kill_every, think)


def _node(number: int, store: str, folder: Path) -> NodeProcess:
    port = processes.free_port()
    command = [
        sys.executable, "-m", "parlour.cli", "serve", "--port", str(port), "--redis", store, "--node-name",
        f"node-{number}", "--archive", f"sqlite:///{folder}/archive.sqlite3", "--data", str(folder / "data"),
        "--bot-workers", "0", "--log-level", "warning", "--unlimited-networks", "127.0.0.0/8",
        "--max-connections-per-address", "10000", "--message-rate", "1000",  # for the records of all games
    ]  # fmt: skip
    return NodeProcess(f"node-{number}", command, port, folder / f"node-{number}.log", os.environ)


async def _arena(
    addresses: list[str], nodes: list[NodeProcess], bots: int, seconds: float, kill_every: float, think: float
) -> Outcome:
    async with connect(addresses, timeout=60) as organiser:
        await organiser.register("Organiser", "wooden bishop")
        tokens = await _tokens(addresses, bots)
        settings = TournamentSettings(
            name="Arena", format="arena", terms=TERMS, duration=int(seconds * 1000), min_players=bots, max_players=bots,
        )  # fmt: skip
        tournament = await organiser.tournaments.create(settings)
        players = [
            Player(addresses[number % len(addresses) :] + addresses[: number % len(addresses)], token, number, think)
            for number, token in enumerate(tokens)
        ]
        connecting = asyncio.Semaphore(CONNECT_AT_ONCE)
        tasks = [asyncio.create_task(player.run(tournament, connecting)) for player in players]
        try:
            kills = await _until_over(organiser, tournament, nodes, seconds, kill_every)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [repr(each) for each in ended if not isinstance(each, asyncio.CancelledError)]
        found = await _check(organiser, tournament)
        events = read("".join([f"{event}\n" async for event in organiser.tournaments.log(tournament)]))
        games = sum(isinstance(event, GameEnded) for event in events)
        waits = sorted(wait for player in players for wait in player.waits)
        forfeits = sum(isinstance(event, GameEnded) and event.forfeit for event in events)
        return Outcome(
            games, forfeits, kills, idle_times(events), waits, [*(f"a bot failed: {each}" for each in failed), *found]
        )


async def _tokens(addresses: Sequence[str], bots: int) -> list[str]:
    """Return the tokens of new bots, of as many accounts as that takes."""
    tokens: list[str] = []
    while len(tokens) < bots:
        async with connect(addresses, timeout=60) as owner:
            await owner.register(f"Owner {len(tokens)}", "wooden bishop")
            numbers = range(len(tokens), min(len(tokens) + BOTS_OF_ACCOUNT, bots))
            tokens += [(await owner.create_bot(f"Robot {number}")).token for number in numbers]
    return tokens


async def _until_over(
    organiser: Client, tournament: str, nodes: list[NodeProcess], seconds: float, kill_every: float
) -> int:
    """Kill nodes until the tournament is over; return how many were killed."""
    started = asyncio.Event()
    over = asyncio.Event()

    async def follow() -> None:
        async for news in await organiser.tournaments.follow(tournament):
            if isinstance(news, Tournament | TournamentChanged) and news.summary is not None:
                if news.summary.status == "running":
                    started.set()
                if news.summary.status in ("finished", "cancelled"):
                    started.set()
                    over.set()

    following = asyncio.create_task(follow())
    kills = 0
    try:
        async with asyncio.timeout(seconds + 2 * FINISH_WITHIN):
            await started.wait()
            end = monotonic() + seconds
            while not over.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(kill_every):
                        await over.wait()
                if not over.is_set() and monotonic() < end:
                    node = nodes[kills % len(nodes)]
                    kills += 1
                    await node.kill()
                    await asyncio.sleep(RESTART_AFTER)
                    await node.start()
    except TimeoutError:
        pass  # the checks say what is unfinished
    finally:
        following.cancel()
    return kills


# -- the checks


async def _check(client: Client, tournament: str) -> list[str]:
    """Return the faults of a tournament that should be over."""
    events = read("".join([f"{event}\n" async for event in client.tournaments.log(tournament)]))
    found = [*faults(events), *pairing_faults(events)]
    state = fold(events)
    if state.status != "finished":
        found.append(f"the tournament is {state.status}")
    folded = {row.name: round(row.points * 100) for row in standings(state)}
    shown: dict[str, int] = {}
    while len(shown) < len(folded):
        page = await client.tournaments.standings(tournament, len(shown))
        shown |= {row.player.name: row.points for row in page.rows}
    if shown != folded:
        found.append("the standings do not follow from the log")
    recorded = await _points_of_records(client, tournament, events)
    if recorded != {name: points // 100 for name, points in folded.items() if points}:
        found.append("the standings do not follow from the records of the games")
    return found


def pairing_faults(events: Sequence[Event]) -> list[str]:
    """Return pairings that were lost, played twice or never finished, and players in two games at a time."""
    found: list[str] = []
    playing: dict[str, tuple[int, int]] = {}
    pairs: dict[tuple[int, int], tuple[str, str]] = {}
    for event in events:
        if isinstance(event, RoundStarted):
            for match, pair in enumerate(event.pairs):
                found += [f"{player} was paired while playing" for player in pair if player in playing]
                playing |= dict.fromkeys(pair, (event.round, match))
                pairs[event.round, match] = pair
        elif isinstance(event, GameEnded):
            pair = pairs.get((event.round, event.match), ("", ""))
            if any(playing.pop(player, None) != (event.round, event.match) for player in pair):
                found.append(f"game {event.match} of round {event.round} ended without having begun, or twice")
    return [*found, *(f"{player} never finished a game" for player in playing)]


def idle_times(events: Sequence[Event]) -> list[float]:
    """Return how long players were free before they were paired again, in seconds, in order."""
    free: dict[str, int] = {}
    pairs: dict[tuple[int, int], tuple[str, str]] = {}
    found: list[float] = []
    for event in events:
        if isinstance(event, RoundStarted):
            for match, pair in enumerate(event.pairs):
                found += [(event.at - free.pop(player)) / 1000 for player in pair if player in free]
                pairs[event.round, match] = pair
        elif isinstance(event, GameEnded):
            free |= dict.fromkeys(pairs[event.round, event.match], event.at)
    return sorted(found)


async def _points_of_records(client: Client, tournament: str, events: Sequence[Event]) -> Counter[str]:
    """Return the points that follow from the records of all games, in the order in which they were counted."""
    ended = [event for event in events if isinstance(event, GameEnded) and not event.forfeit]
    at_once = asyncio.Semaphore(8)

    async def record(event: GameEnded) -> Record:
        async with at_once:
            return await client.records.record(game_room(tournament, event.round, event.match, 0))

    points: Counter[str] = Counter()
    streaks: Counter[str] = Counter()
    records = dict(zip(ended, await asyncio.gather(*map(record, ended)), strict=True))
    for event in events:
        if not isinstance(event, GameEnded):
            continue
        pairs = next(each for each in events if isinstance(each, RoundStarted) and each.round == event.round).pairs
        pair = pairs[event.match]
        played = records.get(event)
        if played is None:
            winner = event.winner
        else:
            assert played.result is not None
            names = tuple(player.name for player in played.players)
            winner = None if played.result.winner is None else names[played.result.winner]
        for player in pair:
            factor = 2 if streaks[player] >= STREAK else 1
            if winner == player:
                points[player] += WIN * factor
                streaks[player] += 1
            else:
                points[player] += DRAW * factor if winner is None and played is not None else 0
                streaks[player] = 0
    return Counter({player: each for player, each in points.items() if each})


def report(outcome: Outcome) -> str:
    """Return the outcome in words."""
    return (
        f"{outcome.games} games, {outcome.forfeits} of them without a move, {outcome.kills} nodes killed."
        f" From idle to paired: {_spread(outcome.idle)}; until the player was told: {_spread(outcome.waits)}."
    )


def _spread(seconds: Sequence[float]) -> str:
    if not seconds:
        return "never"
    late = seconds[min(len(seconds) - 1, len(seconds) * 99 // 100)]
    return f"median {seconds[len(seconds) // 2]:.2f} s, p99 {late:.2f} s, longest {seconds[-1]:.2f} s"


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.arena", description="Hold an arena while nodes are killed.")
    parser.add_argument("--bots", type=int, default=500, metavar="N", help="default: 500")
    parser.add_argument("--nodes", type=int, default=3, metavar="N", help="default: 3")
    parser.add_argument("--seconds", type=float, default=120.0, metavar="S", help="duration (default: 120)")
    parser.add_argument("--kill-every", type=float, default=20.0, metavar="S", help="default: 20")
    parser.add_argument("--think", type=float, default=2.0, metavar="S", help="time for each move (default: 2)")
    given = parser.parse_args()
    outcome = asyncio.run(run(given.bots, given.nodes, given.seconds, given.kill_every, given.think))
    print(report(outcome))
    for fault in outcome.faults[:20]:
        print(f"wrong: {fault}")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
