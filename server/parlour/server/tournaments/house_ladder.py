"""The house ladder: regular rated arenas in which the levels of the computer and the bots of the players meet.

Each is a tournament like others. Its id follows from the game and the start, so that several nodes open it once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

from parlour.bots import levels
from parlour.games import find
from parlour.protocol.errors import Refusal
from parlour.protocol.types import Clock, Terms
from parlour.server.matchmaking.room_factory import short_hash
from parlour.server.players.ratings import Ratings
from parlour.server.rooms.commands import room_id
from parlour.server.sessions.session import Session
from parlour.server.store.store import Store
from parlour.server.store.tournaments import tournament_log
from parlour.server.tournaments.runner import CHECK_WITHIN, TournamentRunner
from parlour.server.tournaments.service import ID_LENGTH, enter_level, unused_name
from parlour.server.tournaments.tournament import create
from parlour.tournaments import commands
from parlour.tournaments.events import Event
from parlour.tournaments.settings import MAX_PLAYERS, Settings
from parlour.tournaments.state import TournamentState, evolve, fold

LOOK_EVERY = 10_000  # milliseconds
ENTER_BEFORE = 60_000  # milliseconds before the start, when the bots that are online enter
THREE_PLUS_TWO = Clock("fischer", 180_000, 2_000)


class HouseLadder:
    """Opens the arenas of some games, and enters the bots that are connected to this node."""

    def __init__(
        self,
        store: Store,
        runner: TournamentRunner,
        sessions: Callable[[], Iterable[Session]],
        games: Sequence[str],
        every: float,
        length: float,
    ) -> None:
        """`every` and `length` are in seconds. Raise Refusal for an unknown game."""
        self._store = store
        self._runner = runner
        self._sessions = sessions
        self._ratings = Ratings(store.ratings)
        self._games = tuple(find(game).info.key for game in games)
        self._every = int(every * 1000)
        self._length = int(min(length, every) * 1000)
        self._opened: dict[str, int] = {}  # by game: the start of the newest arena that is known to exist
        self._next_look = 0

    async def refresh(self) -> None:
        """Do what is due. Call this every second."""
        now = self._store.clock.now()
        if not self._games or now < self._next_look:
            return
        self._next_look = now + LOOK_EVERY
        last = now - now % self._every
        for game in self._games:
            await self._open_arena(game, last + self._every, now)
            for start in (last, last + self._every):
                if start - ENTER_BEFORE <= now < start + self._length:
                    await self._enter_bots(game, ladder_id(game, start))

    async def _open_arena(self, game: str, start: int, now: int) -> None:
        id = ladder_id(game, start)
        if self._opened.get(game) == start:
            return
        if await self._store.room_log.length(tournament_log(id)) == 0:
            await create(id, self._store.room_log, opening(game, start, self._length, now), now + CHECK_WITHIN)
        opened = await self._runner.open(id)
        await self._runner.put_on_list(opened.tournament)
        self._runner.carry_on_soon(opened)
        self._opened[game] = start

    async def _enter_bots(self, game: str, id: str) -> None:
        """Enter the bots that have played this game: others might not know its rules."""
        try:
            opened = await self._runner.open(id)
        except Refusal:
            return  # the server was not running when it would have been opened
        state = opened.tournament.state
        bots = {session.player: session.name for session in self._sessions() if session.kind == "bot"}
        for player, name in bots.items():
            if state.is_finished or state.entry_of(player) is not None:
                continue
            rating, _ = (await self._ratings.get(player, game)).shown(self._store.clock.now())
            if rating is not None:
                with suppress(Refusal):  # the arena is full, or over by now
                    await self._runner.change(opened, partial(_entering, player, name, rating))


def _entering(player: str, name: str, rating: int, state: TournamentState, now: int) -> list[Event]:
    if state.entry_of(player) is not None:
        return []
    return commands.enter(state, unused_name(state, name), name, rating, now, account=player, kind="bot")


def ladder_id(game: str, start: int) -> str:
    """Return the id of the arena of a game that begins at a time, the same on every node."""
    return room_id(int.from_bytes(short_hash(f"house ladder {game} {start}"), "big"), ID_LENGTH)


def opening(game: str, start: int, length: int, now: int) -> list[Event]:
    """Return the first events of an arena in which all levels of the computer take part."""
    rules = find(game)
    settings = Settings(
        name=f"{rules.info.name} house ladder",
        format="arena",
        terms=Terms(game, clock=THREE_PLUS_TWO, rated=True),
        start=start,
        duration=length,
        max_players=MAX_PLAYERS["arena"],
        entrants="bots",
    )
    events = commands.create(settings, now)
    state = fold(events)
    for level in levels.names(rules):
        events += enter_level(state, level, now)
        state = evolve(state, events[-1])
    return events
