"""A node: its parts and how they are connected, and the services that its rooms use."""

from __future__ import annotations

import asyncio
import logging
from asyncio import TimerHandle
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from random import SystemRandom
from typing import Any, NamedTuple

import msgspec

from parlour import games
from parlour.protocol.errors import CloseCode, Refusal
from parlour.protocol.messages import Assess, AssessPosition, Create, Hello, Join, Rated
from parlour.server.admin.control import Control
from parlour.server.archive.analysis import StoredAnalysis
from parlour.server.archive.archive import Archive
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.database.rating_history import RatingHistory
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.server.archive.reviews import Reviews
from parlour.server.archive.storage import restore
from parlour.server.archive.unsupported_rooms import UnsupportedRooms
from parlour.server.bots.service import BotService, owners
from parlour.server.bots.worker import Worker
from parlour.server.compute import ComputeThread
from parlour.server.configuration.settings import Settings
from parlour.server.game_queries import game_info, lessons, position_editing
from parlour.server.game_queries.study import AnalysisBoard
from parlour.server.limits.accounting import Accounting
from parlour.server.limits.address_bans import AddressBans
from parlour.server.mailer import Mailer
from parlour.server.matchmaking.lobby import Lobby
from parlour.server.metrics import Metrics
from parlour.server.players.account_export import AccountExport
from parlour.server.players.accounts import Accounts
from parlour.server.players.blocking import Blocking
from parlour.server.players.emails import Emails
from parlour.server.players.online_players import OnlinePlayers
from parlour.server.players.profiles import Profiles
from parlour.server.players.recovery import Recovery
from parlour.server.players.reporting import Reporting
from parlour.server.push.notifications import PushNotifications
from parlour.server.rooms import absent_players
from parlour.server.rooms.context import RoomMessage
from parlour.server.rooms.events import AnyEvent
from parlour.server.rooms.outline import AnyRoom, Outline
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState
from parlour.server.sessions.command_ids import with_claimed_id
from parlour.server.sessions.dispatch import Dispatcher
from parlour.server.sessions.hello import HelloHandler
from parlour.server.sessions.player_sessions import PlayerSessions
from parlour.server.sessions.session import Session
from parlour.server.sessions.subscriptions import Subscriptions
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.jobs import Job
from parlour.server.store.live_games import NodeReport
from parlour.server.store.store import Store
from parlour.server.store.tournaments import tournament_of
from parlour.server.tournaments.house_ladder import HouseLadder
from parlour.server.tournaments.runner import TournamentRunner
from parlour.server.tournaments.service import TournamentService

logger = logging.getLogger(__name__)

encode = msgspec.msgpack.Encoder().encode

DUE_ROOMS = 8  # of each shard, checked in one sweep at most
LATER = 60_000  # milliseconds until the next check of a room that only the archive may know
DRAIN_POLL = 0.01  # seconds


class PartTypes(NamedTuple):
    """The types of the parts that exist in two versions: one that records traces, and one without tracing."""

    room: type[Room] = Room
    dispatcher: type[Dispatcher] = Dispatcher
    archive: type[Archive] = Archive
    worker: type[Worker] = Worker


class Node:
    """Everything between the connections and the store. Implements `RoomContext`."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        database: Database,
        metrics: Metrics,
        version: str,
        types: PartTypes = PartTypes(),  # noqa: B008 - it is immutable
    ) -> None:
        self.types = types
        self.metrics = metrics
        self.database = database
        self.room_log = store.room_log
        self.heartbeat = store.heartbeat
        self.seat_nodes = store.seat_nodes
        self.now = store.clock.now
        self.is_stopping = False  # load balancers should send no more clients
        self.is_draining = False  # an operator has sent the clients to other nodes
        self._started = store.clock.now()
        self._version = version
        self._store = store
        self._tasks: set[asyncio.Task[None]] = set()
        self.compute = ComputeThread()
        table = GameTable(database)
        self.registry = RoomRegistry(store.room_log, store.pubsub, self, table, self._restore, types.room)
        self.accounting = Accounting(store.budgets, store.clock, settings)
        self.player_sessions = PlayerSessions(store.pubsub, store.keys, self.run)
        self.address_bans = AddressBans(store.address_bans, store.clock.now)
        self.accounts = Accounts(store, self.player_sessions.send, self.accounting, self.address_bans)
        self.archive = types.archive(store, table, self.registry, metrics, self._announce_ratings, self.compute)
        self._unsupported_rooms = UnsupportedRooms(
            store, self.registry, self.archive.finish_outline, int(settings.rules_grace * 1000)
        )
        blocking = Blocking(store, self.player_sessions.send)
        self.lobby = Lobby(
            store, self.registry, settings,
            blocking=blocking, owner_of=self.accounting.owner, network_of=self.accounting.network_of,
            send=self.player_sessions.send, run=self.run,
            describe_node=self.describe,
        )  # fmt: skip
        self.push_notifications = PushNotifications(store, settings, metrics, self.run, self._open_state)
        self.lobby.seeks.on_challenge = lambda player, challenge, id: self.push_notifications.challenged(
            player, challenge.host.id, challenge.host.player, challenge.terms.game, id
        )
        self.player_sessions.on_paired = self.lobby.paired
        self.player_sessions.refreshers = (
            self.accounts.refresh_session,
            blocking.refresh_session,
            self.lobby.refresh_session,
        )
        self.profiles = Profiles(store, RatingHistory(database))
        self._online_players = OnlinePlayers(store, self.player_sessions)
        self._evaluations = store.keys.evaluations(store.node)
        self._mailer = (
            None if settings.smtp_url is None else Mailer(settings.smtp_url, settings.mail_from or "", self.run)
        )
        emails = Emails(store, self.accounts, self._mailer, settings.public_url or "", self.run)
        self.analysis_board = AnalysisBoard(self.compute)
        self.tournaments = TournamentRunner(
            store,
            self.registry,
            self.lobby.room_factory,
            TournamentTable(database),
            self.compute,
            self.player_sessions.send,
            self.run,
        )
        self.tournaments.on_start = self.push_notifications.tournament_began
        self.tournament_service = TournamentService(
            store,
            self.tournaments,
            self.lobby.room_factory,
            self.accounting.limited_network,
            most=settings.tournaments,
            per_player=settings.tournaments_per_player,
        )
        self._house_ladder = HouseLadder(
            store,
            self.tournaments,
            lambda: self.dispatcher.sessions,
            settings.house_ladder,
            settings.house_ladder_every,
            settings.house_ladder_length,
        )
        self._bots = BotService(
            self.registry,
            store.jobs,
            store.clock.now,
            self._evaluations,
            self.lobby.room_factory,
            SystemRandom(),
            Reviews(database, self.run),
            self.analysis_board,
        )
        store.pubsub.subscribe(self._evaluations, self._bots.receive, lambda: None)
        self.heartbeat.on_outage = self.registry.check_deadlines
        self.subscriptions = Subscriptions(self.registry, settings.spectators_per_room)
        self.hello = HelloHandler(
            self.accounts, self.registry, self.player_sessions, self.subscriptions, store.block_lists,
            is_healthy=lambda: self.heartbeat.is_healthy, now=self.now,
            games=tuple(game_info.game_card(key) for key in games.keys()), nodes=settings.nodes, version=version,
        )  # fmt: skip
        self.dispatcher = types.dispatcher(
            {
                Hello: self.hello.hello,
                Join: self.subscriptions.join,
                Create: with_claimed_id(store.command_ids, self._bots.create),
                Assess: self._bots.assess,
                AssessPosition: self._bots.assess_position,
                **game_info.HANDLERS,
                **lessons.HANDLERS,
                **position_editing.HANDLERS,
                **self.accounts.handlers,
                **self.analysis_board.handlers,
                **Recovery(store, self.accounts).handlers,
                **emails.handlers,
                **blocking.handlers,
                **self.push_notifications.handlers,
                **Reporting(store, self.registry.rooms, self.tournament_service.said).handlers,
                **self.lobby.handlers,
                **self.tournament_service.handlers,
                **self.archive.handlers,
                **StoredAnalysis(self.registry, database, self.compute).handlers,
                **self.profiles.handlers,
                **AccountExport(store, database, blocking, self.tournaments.of).handlers,
                **self._online_players.handlers,
            },
            self.subscriptions,
            self.player_sessions,
            self.lobby,
            metrics,
            self.accounting,
            blocking,
            run=self.run,
            session_closed=self.tournament_service.session_closed,
            hello_timeout=settings.hello_timeout,
        )
        self.control = Control(store, lambda: self.dispatcher.sessions)
        self.control.on_bans_changed = lambda: self.run(self._bans_changed())

    # -- the services of rooms (see `RoomContext`)

    def call_later(self, seconds: float, callback: Callable[[], None]) -> TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, callback)

    def tell_nodes(self, message: RoomMessage) -> None:
        self._store.pubsub.publish(self._store.keys.room_messages(message.room), encode(message))

    def tell_absent_players(self, state: RoomState, event: AnyEvent) -> None:
        for player, message in absent_players.news(state, event):
            self.player_sessions.send(player, message)
        seat = absent_players.seat_to_notify(state, event)
        if seat is not None:
            self.push_notifications.turn_began(state, seat)

    def schedule_check(self, room: str, at: int | None) -> None:
        self._store.deadlines.settle(room, at)

    def request_move(self, state: RoomState) -> None:
        room = self.registry.rooms.get(state.id)
        # A player at the table pays for the bot's turn, otherwise a spectator; if both have left, the room does.
        here = () if room is None else [each for each in room.subscribers.all if isinstance(each, Session)]
        payer = next((each for each in here if state.seat_of(each.player) is not None), next(iter(here), None))
        by = (f"room:{state.id}",) if payer is None else owners(payer)
        self.run(self._store.jobs.enqueue(Job(state.id, state.ply), by), state.id)

    def start_rematch(self, state: RoomState) -> None:
        assert state.next is not None
        self.run(self.registry.while_creating(state.next, self.lobby.room_factory.rematch(state)), state.id)

    def finish(self, state: RoomState) -> None:
        self.run(self._finish(state), state.id)

    async def _finish(self, state: RoomState) -> None:
        """Tell the tournament of a finished game, then rate and archive the game."""
        if state.tournament:
            await self.tournaments.game_over(state)
        await self.archive.finish(state)

    def save_snapshot(self, state: RoomState) -> None:
        self.run(self._save_snapshot(state), state.id)

    async def _save_snapshot(self, state: RoomState) -> None:
        await self.room_log.save_snapshot(state.id, state.seq, state.pack())

    # -- what the parts tell each other

    def publish_evaluation(self, channel: str, evaluation: bytes) -> None:
        """Send an evaluation to the node that requested it, which may be this one."""
        if channel == self._evaluations:
            self._bots.receive(evaluation)  # a node's own messages do not come back to it
        else:
            self._store.pubsub.publish(channel, evaluation)

    def _open_state(self, room: str) -> RoomState | None:
        """Return the state of a room that is open here."""
        found = self.registry.rooms.get(room)
        return None if found is None else found.state

    async def _restore(self, room: str, record: bytes) -> AnyRoom:
        return await self.compute.run(room, partial(restore, record))

    def _announce_ratings(self, rated: Rated) -> None:
        self.tell_nodes(rated)
        if rated.room in self.registry.rooms:
            self.registry.rooms[rated.room].receive(rated)

    async def _bans_changed(self) -> None:
        """Reload the banned addresses, and close their connections: the next hello is refused with the reason."""
        await self.address_bans.load()
        for session in tuple(self.dispatcher.sessions):
            if self.address_bans.refusal(session.connection.address) is not None:
                session.connection.close(CloseCode.SUSPENDED)

    # -- life

    def describe(self) -> NodeReport:
        """Return what this node reports about itself."""
        return NodeReport(
            connections=len(self.dispatcher.sessions),
            rooms=len(self.registry.rooms),
            waiting=self.lobby.waiting,
            started=self._started,
            version=self._version,
            draining=self.is_draining,
        )

    def current_metrics(self) -> Metrics:
        """Return the metrics, after updating the gauges."""
        self.metrics.connections = len(self.dispatcher.sessions)
        self.metrics.rooms = len(self.registry.rooms)
        self.metrics.store_up = self.heartbeat.is_healthy
        self.metrics.store_errors = self._store.health.errors
        self.metrics.outages = self.heartbeat.outage_counts
        self.metrics.queued_players = self.lobby.waiting
        self.metrics.open_seeks = self.lobby.open_seeks
        self.metrics.archive_up = not self.database.problem
        self.metrics.archive_errors = self.database.errors
        return self.metrics

    async def sweep(self) -> None:
        """Check the rooms of all nodes that are due, and close idle ones. Call this periodically.

        Each part may need another master of a cluster: while one is down, the rest is done.
        """
        self.registry.close_idle()
        self.tournaments.close_idle()
        parts = (
            self._unsupported_rooms.announce, self.lobby.refresh, self._online_players.report, self._check_due_rooms,
            self._house_ladder.refresh,
        )  # fmt: skip
        failures = []
        for part in parts:
            try:
                await part()
            except StoreUnavailable as error:
                failures.append(error)
        if failures:
            raise failures[0]

    async def _check_due_rooms(self) -> None:
        due = await self._store.deadlines.claim_due(self.now(), DUE_ROOMS)
        # Concurrently, so that the games that are archived share a transaction. A room that fails is due again when its
        # claim expires.
        outcomes = await asyncio.gather(*map(self._check_due_room, due), return_exceptions=True)
        for id, outcome in zip(due, outcomes, strict=True):
            if isinstance(outcome, StoreUnavailable):
                raise outcome
            if isinstance(outcome, Exception):
                logger.error("a room that is due cannot be checked", exc_info=outcome, extra={"room": id})

    async def _check_due_room(self, id: str) -> None:
        try:
            if (tournament := tournament_of(id)) is not None:
                await self.tournaments.check(tournament)
                return
            room = self.registry.rooms.get(id)
            state = await self.registry.find(id) if room is None else room.state
            if isinstance(state, Outline):
                await self._unsupported_rooms.check(state)
            elif state is not None and state.is_over:
                await self._finish(state)
            else:
                (await self.registry.open(id)).check_deadlines()
        except Refusal:
            self._store.deadlines.clear(id)
        except ArchiveUnavailable:  # the room has no log, so nothing is urgent
            self._store.deadlines.settle(id, self.now() + LATER)

    def close(self) -> None:
        """Close all rooms, and stop computing."""
        self.push_notifications.close()
        if self._mailer is not None:
            self._mailer.close()
        self.tournaments.close()
        self.registry.close()
        self.compute.close()

    async def drain(self, within: float) -> None:
        """Wait until no room and no task has work left, but no longer than `within` seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                while self._tasks or not all(room.is_idle for room in self.registry.rooms.values()):
                    await asyncio.sleep(DRAIN_POLL)

    def run(self, work: Coroutine[Any, Any, None], room: str = "") -> None:
        """Run a coroutine as a task and log its failure.

        If the store is down, the next sweep repeats the work. `room` is for the log.
        """
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(partial(self._finished, room))

    def _finished(self, room: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        fault = task.exception()
        if isinstance(fault, StoreUnavailable):
            self._store.health.report(fault)
        elif fault is not None:
            logger.error("a task failed", exc_info=fault, extra={"room": room})
