"""Presses random keys in the full-screen client.

    python -m bench.keys                                 100,000 bursts of keys
    python -m bench.keys --bursts 5000 --seed 2

Starts a real server, and the real app again and again, without a terminal: at tables against an opponent who offers
draws, takebacks and rematches, with two players on one screen, as a spectator, in a tournament and in its games, in a
lesson, and on every other screen. Each burst arrives all at once, as a paste or a slow connection delivers it. No burst
answers a question after it could be read, so nothing is ever confirmed. The exit code is 1 if the app has raised an
exception or exited, if a player has resigned, agreed to a draw, aborted a game, left a table, halved the clock or
withdrawn from a tournament, or if a guest was signed out. The same seed presses the same keys.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random
from secrets import token_hex
from time import monotonic
from typing import Any

from msgspec import Struct, field
from textual import events
from textual.keys import _character_to_key
from textual.screen import Screen
from textual.worker import WorkerFailed

from parlour.client.client import Client, connect
from parlour.client.table import OfferKind, Table
from parlour.client.tokens import TokenFile
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Paired
from parlour.protocol.types import Clock, Terms, TournamentSettings
from parlour.terminal.drawing import Style
from parlour.terminal.full_screen.app import ParlourApp
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.question import PAUSE, Question
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.tournament_screen import TournamentScreen
from parlour.terminal.ui.player_session import PlayerSession
from parlour.terminal.ui.settings import Settings, SettingsFile
from tests.e2e.processes import ServerProcess

BURSTS = 100_000
BURSTS_PER_VISIT = 1000
PLACES_PER_VISIT = 10
BACK = 0.3  # of the bursts begin with Esc where the keys have left the place: most should arrive there
MEAN, LONGEST = 2.5, 20  # keys after the first, and altogether
SETTLED = 4  # turns of the event loop: from the app to the screen, to the widget, back to the screen, and once more
WITHIN = 60.0  # seconds

GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
SIZES = ((60, 24), (80, 24), (120, 40))
NAMED = ("enter", "escape", "tab", "shift+tab", "backspace", "space", "up", "down", "left", "right", "pagedown", "f1")
CONTROL = ("ctrl+s", "ctrl+p", "ctrl+q", "ctrl+c", "ctrl+z", "ctrl+r")
OFFERS = "QDYNATRWqyn" * 8  # keys that resign, offer, answer and leave
KEYS = (*NAMED * 4, *CONTROL, *map(chr, range(33, 127)), *OFFERS, "é", "棋")
CHARACTERS = {"enter": "\r", "tab": "\t", "space": " "}

TABLES = ("table", "hotseat", "spectator", "paired")
MENU = (
    "", "new", "computer", "here", "learn", "invite", "code", "players", "watch", "games", "leaderboard", "rules",
    "settings", "account", "quit", "quick:mapello", "tournaments",
)  # fmt: skip
PLACES = (*TABLES[:1] * 32, *TABLES[1:] * 4, *("tournament",) * 8, *("lesson",) * 3, *MENU)
CLOCK = Clock("fischer", 300_000, 3_000)
ANSWERED: tuple[OfferKind, ...] = ("takeback", "rematch")
UNASKED = ("resigned", "agreed", "aborted")  # reasons for the end of a game that only a confirmed question may give
# Limits that one address would reach. Hints stay limited: what is tried here are keys, not engines.
LIMITS = (
    "--max-connections-per-address", "1000", "--message-rate", "1000", "--message-burst", "5000",
    "--players-per-address", "10000", "--seeks-per-address", "500", "--seeks-per-player", "20",
    "--rooms-per-player", "500", "--guest-rate", "0", "--name-rate", "0", "--seek-rate", "0",
    "--challenge-rate", "0", "--chat-rate", "0", "--engine-rate", "1", "--tournaments", "10000",
    "--tournaments-per-player", "100", "--tournament-rate", "0",
)  # fmt: skip


class Tally(Struct):
    """What was pressed, and what came of it."""

    bursts: int = 0
    keys: int = 0
    questions: int = 0  # that were opened
    screens: Counter[str] = field(default_factory=Counter)  # on which bursts arrived
    violations: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.bursts += other.bursts
        self.keys += other.keys
        self.questions += other.questions
        self.screens += other.screens
        self.violations += other.violations


class Opponent:
    """A client that plays random turns, makes offers, and answers those of the player."""

    def __init__(self, client: Client, rng: Random) -> None:
        self.client = client
        self._rng = rng

    async def play(self, table: Table) -> None:
        """Play a game and its rematches, until the table is left."""
        with suppress(Refusal, ConnectionError):
            while True:
                async for _ in table:
                    with suppress(Refusal):  # the player was quicker
                        await self._react(table)
                    if table.next is not None or (table.tournament is not None and table.result is not None):
                        break
                if table.next is None:
                    return
                table = await self.client.join(table.next)

    async def compete(self, tournament: str) -> None:
        """Take part in a tournament, and play its games."""
        with suppress(Refusal, ConnectionError):
            notifications = self.client.notifications()
            await self.client.join_tournament(tournament)
            async for news in notifications:
                if isinstance(news, Paired) and news.tournament == tournament:
                    await self.play(await self.client.join(news.room))

    async def _react(self, table: Table) -> None:
        rng, seat = self._rng, table.seat
        assert seat is not None
        for kind in ANSWERED:
            if (1 - seat, kind) in table.offers:
                await table.answer(kind, rng.random() < 0.5)
        if table.result is not None:
            if (seat, "rematch") not in table.offers and table.next is None:
                await table.offer("rematch")
        elif (turn := table.turn) is not None:
            while not turn.complete:
                turn = rng.choice((await table.explore(turn)).children())
            await table.play(turn)
            if rng.random() < 0.7:
                await table.offer(rng.choice(("draw", "draw", "takeback")))


class Visit:
    """One start of the app."""

    def __init__(self, app: ParlourApp, opponent: Opponent, organiser: Client, rng: Random) -> None:
        self.app = app
        self.tally = Tally()
        self._opponent = opponent
        self._organiser = organiser
        self._entered: dict[str, str] = {}  # tournament -> the player's name there
        self._tournament = ""  # whose screen is the place
        self._rng = rng
        self._place: Screen[Any] = app.screen
        self._seated: list[TableScreen] = []  # where the player must stay
        self._you = app.session.client.you.name

    async def press(self, *keys: str) -> None:
        """Press keys all at once, and wait until they were handled."""
        driver = self.app._driver
        assert driver is not None
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 else key
            driver.send_message(events.Key(name, key if len(key) == 1 else CHARACTERS.get(key)))
        idle = 0
        while idle < SETTLED and self.app.is_running:
            await asyncio.sleep(0)
            pumps = (self.app, self.app.screen, self.app.focused)
            idle = 0 if any(pump is not None and pump.message_queue_size for pump in pumps) else idle + 1

    async def drawn(self, kind: type[Page] | None = None) -> None:
        """Wait until the screen, of this kind if given, is drawn. What is pressed before would be ignored."""
        until = monotonic() + WITHIN
        while self.app.is_running and not (self.app.is_drawn and (kind is None or isinstance(self.app.screen, kind))):
            if monotonic() > until:
                raise TimeoutError(f"waiting for {kind}, there is {self.app.screen_stack}, drawn is {self.app._drawn}")
            await asyncio.sleep(0.001)
            self.app.screen._on_timer_update()  # draw now and not with the next frame, as Textual's Pilot does

    async def go(self, place: str, terms: Terms) -> None:
        """Go to a place, wherever the keys before have led to."""
        app, session = self.app, self.app.session
        self._seated.clear()
        self._tournament = ""
        while not isinstance(app.screen, StartScreen) and app.is_running:  # an opponent may be found at any time
            app.show_new_table()
            await self.drawn()
            if isinstance(app.screen, NewTableScreen):
                app.pop_screen()
                await self.drawn()
        if place == "table":
            pending = await self._opponent.client.challenge(terms)
            app.show_table(await session.view(await session.client.accept(pending.seek)))
            app.run_worker(self._opponent.play(await pending.table()))
        elif place == "hotseat":
            app.show_table(await session.hotseat(terms))
        elif place == "spectator":
            table = await self._opponent.client.play_computer(terms, "1")
            app.run_worker(self._opponent.play(table))
            app.show_table(await session.open(table.room))
        elif place == "lesson":
            await app.open_lesson(terms.game)
        elif place in ("tournament", "paired"):
            await self._enter(terms, players=2 if place == "paired" else 3)
            self._tournament = "" if place in TABLES else [*self._entered][-1]
        elif isinstance(app.screen, StartScreen):
            app.screen.do(place)
        if place in TABLES:
            await self.drawn(TableScreen)
        self._place = app.screen

    async def _enter(self, terms: Terms, players: int) -> None:
        """Enter an arena with the opponent. With two players it begins at once, with three it waits for one more."""
        settings = TournamentSettings(
            name="Keys", format="arena", terms=Terms(terms.game, clock=CLOCK), duration=600_000, min_players=players,
            berserk=True,
        )  # fmt: skip
        id = await self._organiser.tournaments.create(settings)
        self._entered[id] = self.app.session.client.you.name
        await self.app.session.client.join_tournament(id)
        self.app.show_tournament(id)
        await self.drawn(TournamentScreen)
        self.app.run_worker(self._opponent.compete(id))

    @property
    def question(self) -> Question | None:
        """The question that takes the keys."""
        screen = self.app.screen
        return screen.input.question if isinstance(screen, TableScreen) else getattr(screen, "question", None)

    async def burst(self) -> None:
        """Press random keys. A question that they could answer in earnest is answered with no before."""
        await self.drawn()
        if self.app.screen is not self._place and self._rng.random() < BACK:
            await self.press("escape")
            await self.drawn()
        if self._tournament and isinstance(self.app.screen, StartScreen):
            self.app.show_tournament(self._tournament)
            await self.drawn(TournamentScreen)
        while (asked := self.question) is not None and asked.is_ready(monotonic() + PAUSE / 4):
            await self.press("escape")
            await self.drawn()
        keys = self._rng.choices(KEYS, k=min(LONGEST, 1 + int(self._rng.expovariate(1 / MEAN))))
        self._seated = [*{*self._seated, *self._tables()}]
        self.tally.screens[type(self.app.screen).__name__] += 1
        await self.press(*keys)
        self.tally.bursts += 1
        self.tally.keys += len(keys)
        self.tally.questions += self.question is not None and self.question is not asked
        self.tally.violations += [f"{found}, after {' '.join(keys)}" for found in self.violations()]

    def _tables(self) -> Iterator[TableScreen]:
        """Yield the tables on the screen whose game goes on and where the player has a seat."""
        for screen in self.app.screen_stack:
            if isinstance(screen, TableScreen) and screen.view.is_player and screen.view.table.result is None:
                yield screen

    def violations(self) -> Iterator[str]:
        """Yield what must not happen without a confirmation."""
        if not self.app.is_running or self.app.return_code is not None:
            yield "the app has exited"
            return
        for screen in self._seated:
            replica, result = screen.view.table.replica, screen.view.table.result
            if any(replica.berserk):
                yield f"the clock in {screen.view.table.room} was halved"
            if result is not None and result.reason in UNASKED:
                yield f"the game in {screen.view.table.room} is over: {result.reason}"
            elif result is None and screen not in self.app.screen_stack:
                yield f"the table {screen.view.table.room} was left"
        self._seated = [*self._tables()]
        you = self.app.session.client.you
        if you.name != self._you and you.guest:
            yield f"{self._you} has become {you.name}"
        self._you = you.name

    async def recorded(self) -> list[str]:
        """Return what the server has stored about the player and what needs a confirmation."""
        client = self.app.session.client
        found = [
            f"the server has recorded {game.room} as {game.result.reason}"
            async for game in client.records.games(self._you)
            if game.result.reason in UNASKED
        ]
        for id, name in self._entered.items():
            rows = (await client.tournaments.standings(id)).rows
            # Before the start, a player who withdraws is not listed any more.
            if not any(row.player.name == name and row.state != "withdrawn" for row in rows):
                found.append(f"the server has recorded a withdrawal from the tournament {id}")
        return found


@asynccontextmanager
async def visit(url: str, folder: Path, rng: Random) -> AsyncIterator[Visit]:
    """Start the app as a new guest, with an opponent. Raise what the app raises, when it is left."""
    file = SettingsFile(folder / "terminal.json")
    file.write(Settings(bell=False))
    async with AsyncExitStack() as stack:
        tokens = TokenFile(folder / "tokens.json")
        session = await stack.enter_async_context(PlayerSession(url, tokens=tokens))
        opponent = Opponent(await stack.enter_async_context(connect(url)), Random(rng.random()))
        organiser = await stack.enter_async_context(connect(url))
        await organiser.register(f"Olga {token_hex(4)}", token_hex(8))
        app = ParlourApp(session, drawing=Style(unicode=rng.random() < 0.8), settings=file)
        await stack.enter_async_context(app.run_test(size=rng.choice(SIZES)))
        yield Visit(app, opponent, organiser, rng)


async def press_keys(url: str, folder: Path, bursts: int, seed: str) -> Tally:
    """Start the app, press that many bursts of keys, and return what came of them."""
    rng = Random(seed)
    tally = Tally()
    try:
        async with visit(url, folder, rng) as visited:
            tally = visited.tally
            while tally.bursts < bursts and visited.app.is_running:
                await visited.go(rng.choice(PLACES), Terms(rng.choice(GAMES)))
                for _ in range(-(-bursts // PLACES_PER_VISIT)):
                    await visited.burst()
                    if not visited.app.is_running:
                        break
            if visited.app.is_running:
                tally.violations += await visited.recorded()
    except Exception as raised:  # whatever it is, it must not be raised
        cause = raised.error if isinstance(raised, WorkerFailed) else raised
        tally.violations.append("".join(traceback.format_exception(cause)[-4:]))
    tally.violations = [f"visit {seed}: {violation}" for violation in tally.violations]
    return tally


def press_keys_in_folder(url: str, bursts: int, seed: str) -> Tally:
    """Run `press_keys` in a process of its own, in a folder where the replay screen may save games."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000)  # collecting often would take a sixth of the time
    with tempfile.TemporaryDirectory(prefix="parlour-keys-") as folder:
        os.chdir(folder)
        return asyncio.run(press_keys(url, Path(folder), bursts, seed))


def run(folder: Path, bursts: int, seed: int, processes: int) -> Tally:
    """Return what came of that many bursts on a server in a folder."""
    server = ServerProcess(folder, *LIMITS)
    with asyncio.Runner() as runner:
        runner.run(server.start())
        try:
            return share(server.url, bursts, seed, processes)
        finally:
            runner.run(server.stop())


def share(url: str, bursts: int, seed: int, processes: int) -> Tally:
    """Share bursts between processes. After Ctrl-C, only the visits that have begun are finished."""
    tally, began = Tally(), monotonic()
    os.environ["TEXTUAL_FPS"] = "1"  # new screens are drawn at once anyway; between bursts there is nothing to look at
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        visits = [
            pool.submit(press_keys_in_folder, url, min(BURSTS_PER_VISIT, bursts - first), f"{seed} {first}")
            for first in range(0, bursts, BURSTS_PER_VISIT)
        ]
        try:
            for done in as_completed(visits):
                found = done.result()
                tally.add(found)
                show(tally, found.violations, bursts, monotonic() - began)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
    return tally


def show(tally: Tally, violations: Sequence[str], bursts: int, seconds: float) -> None:
    """Show how far it is, and new violations."""
    for violation in violations:
        print(violation, file=sys.stderr)
    rate = tally.bursts / seconds
    words = f"{tally.bursts:,} of {bursts:,} bursts, {rate:.0f} per second, {len(tally.violations)} violations"
    print(words, end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


def report(tally: Tally) -> str:
    """Return a summary for people."""
    screens = ", ".join(f"{name} {count:,}" for name, count in tally.screens.most_common())
    return "\n".join(
        [
            f"bursts: {tally.bursts:,} ({screens})",
            f"keys: {tally.keys:,}",
            f"questions opened: {tally.questions:,}, none of them confirmed",
            f"violations: {len(tally.violations)}",
            *tally.violations,
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.keys", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bursts", metavar="N", type=int, default=BURSTS, help="default: %(default)s")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the random keys (default: %(default)s)")
    parser.add_argument(
        "--processes",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="at the same time (default: %(default)s)",
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        tally = run(Path(folder), arguments.bursts, arguments.seed, arguments.processes)
    print(report(tally))
    return 1 if tally.violations else 0


if __name__ == "__main__":
    sys.exit(main())
