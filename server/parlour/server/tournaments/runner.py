"""Runs tournaments: pairs players, opens the rooms of games, records their results, and archives finished tournaments.

All of it can be repeated and done by several nodes at a time: a room has the id that its game has on every node, a
result is recorded only if it is awaited, and an append fails if another node was first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Message, TournamentSaid, TournamentSummary
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.compute import ComputeThread
from parlour.server.matchmaking.room_factory import RoomFactory, paired_message
from parlour.server.rooms.outline import AnyRoom
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.state import RoomState
from parlour.server.store.moderation import DELETED
from parlour.server.store.store import Store
from parlour.server.store.tournaments import tournament_log
from parlour.server.tournaments.erasure import without_deleted, without_winner
from parlour.server.tournaments.games import (
    Game,
    current_games,
    following_tournament,
    participant,
    result_of,
)
from parlour.server.tournaments.open_tournament import OpenTournament
from parlour.server.tournaments.tournament import (
    Tournament,
    TournamentArchive,
    create,
    events_of,
    load,
    put_away,
    unknown,
)
from parlour.server.tournaments.view import TournamentView
from parlour.tournaments import commands
from parlour.tournaments.events import Event, RoundStarted
from parlour.tournaments.recurring import following, goes_on
from parlour.tournaments.state import TournamentState

logger = logging.getLogger(__name__)

CHECK_WITHIN = 2_000  # milliseconds after a change until another node makes sure that its games have begun
CHECK_EVERY = 10_000  # milliseconds between two checks of a tournament that is running
LOOK_AGAIN_AFTER = 60_000  # milliseconds until the next check of a game that should have ended long ago
LOOK_AT_OPEN = 24 * 3_600_000  # milliseconds between two checks of an open tournament: its log may have expired
KEEP_FINISHED = 3_600_000  # milliseconds that the log of a finished tournament stays in the store
ARCHIVE_AGAIN_AFTER = 60_000  # milliseconds, if the archive cannot be used
CLOSE_AFTER = 120_000  # milliseconds without a change, a follower or a question
AT_ONCE = 16  # rooms that are opened together
BEGINNING = 8  # entries of a room; with more of them, its players know about the game
SIMUL_FIRST_MOVES = 5  # times as long for the first moves of a simul: the host has to make many of them
SHORTEST_WAIT = 0.25  # seconds between two attempts to pair

encode = msgspec.msgpack.Encoder().encode


class Chatted(msgspec.Struct, frozen=True):
    """Between nodes: a line of a tournament's chat."""

    player: str
    said: TournamentSaid


_decode_chatted = msgspec.msgpack.Decoder(Chatted).decode


def _has_moved(room: AnyRoom, player: str) -> bool:
    """Return whether a player has made a move, and thus knows about the game."""
    return isinstance(room, RoomState) and room.seat_of(player) in room.movers


class TournamentRunner:
    """The tournaments that are open on this node."""

    def __init__(
        self,
        store: Store,
        registry: RoomRegistry,
        room_factory: RoomFactory,
        archive: TournamentArchive,
        compute: ComputeThread,
        send: Callable[[str, Message], None],
        run: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`send` sends to a player on every node, `run` runs a task."""
        self._store = store
        self._registry = registry
        self._room_factory = room_factory
        self._archive = archive
        self.on_start: Callable[[str, TournamentState], Coroutine[Any, Any, None]] | None = None
        self._compute = compute
        self._send = send
        self._run = run
        self._open: dict[str, OpenTournament] = {}
        self._opening: dict[str, asyncio.Task[OpenTournament]] = {}
        self._at_once = asyncio.Semaphore(AT_ONCE)
        registry.create_awaited = self._create_awaited

    # -- opening

    async def open(self, id: str) -> OpenTournament:
        """Return a tournament. Raise Refusal if there is none."""
        if id in self._open:
            self._open[id].used_at = self._store.clock.now()
            return self._open[id]
        if id not in self._opening:
            self._opening[id] = asyncio.create_task(self._load(id))
        return await asyncio.shield(self._opening[id])

    async def _load(self, id: str) -> OpenTournament:
        try:
            now = self._store.clock.now
            tournament = await load(id, self._store.room_log, self._archive, now, partial(self._compute.run, id))
            if tournament is None:
                raise unknown(id)
            opened = self._open[id] = OpenTournament(tournament, self._compute, self._run)
            opened.used_at = now()
            tournament.on_change = opened.followers.changed
            keys, name = self._store.keys, tournament_log(id)
            catch_up = partial(self._catch_up, opened)
            self._store.pubsub.subscribe(keys.room_events(name), partial(self._receive, opened), catch_up)
            self._store.pubsub.subscribe(keys.room_messages(name), partial(self._chatted, opened), lambda: None)
            return opened
        finally:
            del self._opening[id]

    async def current_of(self, player: str) -> list[OpenTournament]:
        """Return the tournaments that are not over and that a player, by id, has entered or organised."""
        found = []
        for id in await self._store.tournaments.current_ids():
            try:
                opened = await self.open(id)
            except Refusal:
                continue  # its log is gone
            state = opened.tournament.state
            if player == state.organiser_account or state.entry_of(player) is not None:
                found.append(opened)
        return found

    async def of(self, player: str) -> list[str]:
        """Return the tournaments that a player has entered or organised, and that are stored."""
        current = [opened.tournament.id for opened in await self.current_of(player)]
        return [*current, *(each for each in await self._archive.of(player) if each not in current)]

    async def events(self, id: str) -> list[Event]:
        """Return everything that has happened in a tournament. Raise Refusal if there is none."""
        events = await events_of(id, self._store.room_log, self._archive)
        if not events:
            raise unknown(id)
        return events

    def _receive(self, opened: OpenTournament, message: bytes) -> None:
        if opened.tournament.receive(message):
            self._catch_up(opened)

    def _catch_up(self, opened: OpenTournament) -> None:
        self._run(opened.tournament.catch_up())

    def close_idle(self) -> None:
        """Close idle tournaments. Call this periodically."""
        now = self._store.clock.now()
        for opened in list(self._open.values()):
            is_idle = now - max(opened.used_at, opened.tournament.state.changed) > CLOSE_AFTER
            if is_idle and not opened.is_busy and not opened.followers and not opened.results:
                self._close(opened)

    def close(self) -> None:
        """Close all tournaments."""
        for opened in list(self._open.values()):
            self._close(opened)

    def _close(self, opened: OpenTournament) -> None:
        id = opened.tournament.id
        del self._open[id]
        opened.followers.close()
        if opened.timer is not None:
            opened.timer.cancel()
        self._store.pubsub.unsubscribe(self._store.keys.room_events(tournament_log(id)))
        self._store.pubsub.unsubscribe(self._store.keys.room_messages(tournament_log(id)))

    # -- chat

    def say(self, opened: OpenTournament, player: str, said: TournamentSaid) -> None:
        """Show a line of chat to all followers, on every node."""
        opened.followers.say(player, said)
        channel = self._store.keys.room_messages(tournament_log(opened.tournament.id))
        self._store.pubsub.publish(channel, encode(Chatted(player, said)))

    def _chatted(self, opened: OpenTournament, message: bytes) -> None:
        chatted = _decode_chatted(message)
        opened.followers.say(chatted.player, chatted.said)

    # -- changes

    async def change(
        self, opened: OpenTournament, decide: Callable[[TournamentState, int], list[Event]]
    ) -> list[Event]:
        """Execute a command in a tournament, and what follows from it. Raise Refusal or StoreUnavailable."""
        events = await opened.tournament.change(decide, check_at=self._store.clock.now() + CHECK_WITHIN)
        if events:
            self.carry_on_soon(opened)
        return events

    async def game_over(self, room: AnyRoom) -> None:
        """Record the result of a game. Raise StoreUnavailable; a result that is not awaited any more is ignored."""
        try:
            opened = await self.open(room.tournament)
        except Refusal:
            return  # the tournament was removed long ago
        if opened.game_in(room.id) is None:
            await opened.tournament.catch_up()
        game = opened.game_in(room.id)
        if game is not None:
            opened.results[room.id] = result_of(room, game, opened.tournament.state)
            try:
                await self.change(opened, partial(self._decide_results, opened))
            finally:
                opened.results.pop(room.id, None)  # what could not be recorded is due again, see `Deadlines`

    def _decide_results(self, opened: OpenTournament, state: TournamentState, now: int) -> list[Event]:
        """Return the results of all games that have ended lately, so that one append is enough for them."""
        games = {game.room: game for game in current_games(opened.tournament.id, state)}
        events: list[Event] = []
        for room, result in list(opened.results.items()):
            game = games.get(room)
            if game is None:
                del opened.results[room]  # the result is recorded
                continue
            events += commands.report(
                state, game.round, game.match, game.game, result.winner, now,
                forfeit=result.forfeit, berserk=result.berserk,
            )  # fmt: skip
        return events

    # -- carrying on

    def carry_on_soon(self, opened: OpenTournament) -> None:
        """Do what is due, in a separate task."""
        if opened.timer is not None:
            opened.timer.cancel()
            opened.timer = None
        self._run(self._carry_on(opened))

    async def check(self, id: str) -> None:
        """Do what is due in a tournament that the deadline sweep has found."""
        try:
            opened = await self.open(id)
        except Refusal:
            self._store.deadlines.clear(tournament_log(id))
            await self._store.tournaments.remove(id)
            return
        await opened.tournament.catch_up()
        await self._carry_on(opened)
        self._store.deadlines.settle(tournament_log(id), await self._next_check(opened))

    async def _carry_on(self, opened: OpenTournament) -> None:
        """Pair, open the rooms of all games, and list the tournament; again if something has changed meanwhile."""
        opened.is_behind = True
        if opened.is_busy:
            return
        opened.is_busy = True
        try:
            while opened.is_behind:
                opened.is_behind = False
                await self._advance(opened.tournament)
                try:
                    # First of all: followers learn of a round within a second, and go to the rooms of their games.
                    await self._begin_games(opened)
                finally:
                    await self.put_on_list(opened.tournament)
                await self._begin_following(opened)
        finally:
            opened.is_busy = False
        self._set_timer(opened)

    async def _advance(self, tournament: Tournament) -> None:
        """Do what is due. The pairings of a large Swiss tournament take seconds, so another thread finds them."""
        is_slow = tournament.state.settings.format == "swiss"
        compute = partial(self._compute.run, tournament_log(tournament.id)) if is_slow else None
        check_at = self._store.clock.now() + CHECK_WITHIN
        events = await tournament.change(commands.advance, check_at=check_at, compute=compute)
        self._tell_start(tournament, events)

    def _tell_start(self, tournament: Tournament, events: list[Event]) -> None:
        """Call `on_start` on the one node that has started the first round."""
        is_start = any(isinstance(event, RoundStarted) and event.round == 1 for event in events)
        if is_start and self.on_start is not None:
            self._run(self.on_start(tournament.id, tournament.state))

    def _set_timer(self, opened: OpenTournament) -> None:
        due = commands.deadline(opened.tournament.state)
        if opened.timer is not None:
            opened.timer.cancel()
            opened.timer = None
        if due is not None:
            wait = max(SHORTEST_WAIT, (due - self._store.clock.now()) / 1000)
            opened.timer = asyncio.get_running_loop().call_later(wait, self.carry_on_soon, opened)

    async def _next_check(self, opened: OpenTournament) -> int | None:
        """Return when a node has to look at a tournament again."""
        state, now = opened.tournament.state, self._store.clock.now()
        if state.is_finished:
            remove_at = state.changed + KEEP_FINISHED
            try:
                is_done = await put_away(
                    opened.tournament, self._store.room_log, self._archive,
                    partial(without_deleted, players=self._store.players), remove=now >= remove_at,
                )  # fmt: skip
            except ArchiveUnavailable:  # which the database has logged
                return now + ARCHIVE_AGAIN_AFTER
            return None if is_done else max(remove_at, now + CHECK_WITHIN)
        due = commands.deadline(state)
        if state.status == "open":
            return now + LOOK_AT_OPEN if due is None else min(due, now + LOOK_AT_OPEN)
        return now + CHECK_EVERY if due is None else max(now + CHECK_WITHIN // 2, min(due, now + CHECK_EVERY))

    async def put_on_list(self, tournament: Tournament) -> None:
        """List a tournament with its current summary."""
        summary, seq = None, -1
        while summary is None or seq != tournament.seq:  # the tournament may change while its summary is computed
            state, seq = tournament.state, tournament.seq
            summary = await self._compute.run(tournament.id, TournamentView(tournament.id, state, seq).summary)
        if state.is_finished:
            summary = await self._without_deleted(summary, state)
        at = summary.end if state.is_finished else summary.start or state.changed
        await self._store.tournaments.put(tournament.id, at, encode(summary), is_over=state.is_finished)

    async def _without_deleted(self, summary: TournamentSummary, state: TournamentState) -> TournamentSummary:
        """Return the summary of a tournament without players who were deleted while its log was in the store."""
        name = None if summary.winner is None else summary.winner.name
        winner = next((entry.account for entry in state.entries if entry.name == name), "")
        players = await self._store.players.get([state.organiser_account, winner])
        organiser, won = (player is not None and player.kind == "deleted" for player in players)
        if organiser:
            summary = replace(summary, organiser=DELETED)
        return without_winner(summary) if won else summary

    async def _begin_following(self, opened: OpenTournament) -> None:
        """Make sure that the successor of a recurring tournament exists.

        It may be over already, and in the archive. If the organiser's account is gone, so that no one could cancel it,
        there is no successor.
        """
        state = opened.tournament.state
        if opened.is_followed or not goes_on(state):
            return
        id = following_tournament(opened.tournament.id)
        now = self._store.clock.now()
        if (
            await self._may_go_on(state)
            and await load(id, self._store.room_log, self._archive, self._store.clock.now) is None
        ):
            await create(id, self._store.room_log, following(state, now), now + CHECK_WITHIN)
            begun = await self.open(id)
            await self.put_on_list(begun.tournament)
            self.carry_on_soon(begun)
        opened.is_followed = True

    async def _may_go_on(self, state: TournamentState) -> bool:
        """Return whether the organiser of a recurring tournament still has an account, or is the operator."""
        if not state.organiser_account:
            return True
        (organiser,) = await self._store.players.get([state.organiser_account])
        return organiser is not None and organiser.kind != "deleted"

    async def _begin_games(self, opened: OpenTournament) -> None:
        """Make sure that every game that is to be played has a room, and record those that are over."""
        now = self._store.clock.now()
        games = list(current_games(opened.tournament.id, opened.tournament.state))
        rooms = {game.room for game in games}
        opened.begun = {room: at for room, at in opened.begun.items() if room in rooms}
        due = [game for game in games if now - opened.begun.get(game.room, 0) > LOOK_AGAIN_AFTER]
        outcomes = await asyncio.gather(*(self._begin_game(opened, game) for game in due), return_exceptions=True)
        # A game that cannot begin does not hold up the others; the next check tries again.
        failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        if failures:
            raise failures[0]

    async def _begin_game(self, opened: OpenTournament, game: Game) -> None:
        async with self._at_once:
            is_new = game.room not in opened.begun
            # The node that created a room with few entries may have died before it told the players. One of them may
            # have come all the same: followers of the tournament know the room.
            if is_new and await self._store.room_log.length(game.room) > BEGINNING:
                opened.begun[game.room] = self._store.clock.now()
                return
            room = (
                await self._open_room(opened.tournament, game) if is_new else await self._registry.find_live(game.room)
            )
            opened.begun[game.room] = self._store.clock.now()
        if room is None:
            return
        if room.is_over:
            self._run(self.game_over(room))
        elif is_new:
            for player in room.people:
                if not _has_moved(room, player):
                    self._send(player, paired_message(room, player))
            if len(room.people) < len(room.players):
                await self._wake_bots(room.id)

    async def _open_room(self, tournament: Tournament, game: Game) -> AnyRoom:
        state = tournament.state
        entries = {entry.player: entry for entry in state.entries}
        first, second = (participant(entries[player]) for player in game.players)
        settings = state.settings
        return await self._room_factory.open_tournament_game(
            game.room, settings.terms, (first, second), tournament.id,
            berserk=settings.berserk, first_move_factor=SIMUL_FIRST_MOVES if state.host is not None else 1,
        )  # fmt: skip

    async def _create_awaited(self, room: str) -> AnyRoom | None:
        """Create the room of a game that is paired; return None if no tournament that is open here awaits it.

        Followers may learn of a pairing, and come to the table, before the node that has paired has created the room.
        """
        for opened in self._open.values():
            game = opened.game_in(room)
            if game is not None:
                return await self._open_room(opened.tournament, game)
        return None

    async def _wake_bots(self, room: str) -> None:
        """Open a room in which the computer may be the first to move."""
        try:
            (await self._registry.open(room)).check_deadlines()
        except Refusal as refusal:
            if refusal.code is not ErrorCode.RULES_UNSUPPORTED:
                raise
