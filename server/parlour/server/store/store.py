"""The store: all of its parts, opened and closed together."""

from __future__ import annotations

from parlour.server.store.accounts import AccountStore
from parlour.server.store.address import Address, parse
from parlour.server.store.address_bans import AddressBanStore
from parlour.server.store.audit import AuditLog
from parlour.server.store.block_lists import BlockListStore
from parlour.server.store.budgets import BudgetStore
from parlour.server.store.clock import StoreClock
from parlour.server.store.command_ids import CommandIdStore
from parlour.server.store.deadlines import Deadlines
from parlour.server.store.emails import EmailStore
from parlour.server.store.format import StoreFormat
from parlour.server.store.health import StoreHealth
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.heartbeat_thread import HeartbeatThread
from parlour.server.store.jobs import JobQueue
from parlour.server.store.keys import DEFAULT_PREFIX, Keys
from parlour.server.store.live_games import LiveGameStore
from parlour.server.store.moderation import ModerationStore
from parlour.server.store.names import NameStore
from parlour.server.store.online import OnlineStore
from parlour.server.store.pairings import PairingStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from parlour.server.store.pubsub import PubSub
from parlour.server.store.push_subscriptions import PushSubscriptionStore
from parlour.server.store.queue import QueueStore
from parlour.server.store.ratings import RatingStore
from parlour.server.store.recovery_codes import RecoveryCodeStore
from parlour.server.store.reports import ReportStore
from parlour.server.store.room_log import RoomLog
from parlour.server.store.rules import RulesStore
from parlour.server.store.seat_nodes import SeatNodeStore
from parlour.server.store.seats import SeatStore
from parlour.server.store.seeks import SeekStore
from parlour.server.store.topology import Topology
from parlour.server.store.tournaments import TournamentStore


class Store:
    """All data in Redis: `pipeline` executes commands, `pubsub` carries messages between nodes."""

    def __init__(
        self,
        url: str,
        node: str,
        *,
        key_prefix: str = DEFAULT_PREFIX,
        wait_replicas: int = 0,
        serves_players: bool = True,
    ) -> None:
        """All keys and channels begin with `key_prefix`.

        `serves_players`: whether players can connect to this process. A write is confirmed to its caller once it is on
        `wait_replicas` replicas.
        """
        self.node = node
        self.keys = Keys(key_prefix)
        self.serves_players = serves_players
        self.health = StoreHealth()
        self.health.on_readonly = self._reconnect
        self._format = StoreFormat(self.keys)
        topology = Topology(parse(url), self.health.report)
        self.pipeline = Pipeline(topology, keys=self.keys, wait_replicas=wait_replicas, report=self.health.report)
        self.pipeline.before_use(self.keys.format_version, self._format.check)
        self.pubsub = PubSub(self.pipeline, node, report=self.health.report)
        self._blocking = Pipeline(topology)  # for commands that block, which would delay the others
        self.accounts = AccountStore(self.pipeline)
        self.address_bans = AddressBanStore(self.pipeline)
        self.audit = AuditLog(self.pipeline)
        self.block_lists = BlockListStore(self.pipeline)
        self.budgets = BudgetStore(self.pipeline)
        self.clock = StoreClock(self.pipeline)
        self.command_ids = CommandIdStore(self.pipeline)
        self.deadlines = Deadlines(self.pipeline)
        self.heartbeat = Heartbeat(self.pipeline, self.clock, self.health, node, serves_players=serves_players)
        self._heartbeat_thread = HeartbeatThread(self.heartbeat, self._heartbeat_server) if serves_players else None
        self.jobs = JobQueue(self.pipeline, self._blocking, self.clock.now)
        self.live_games = LiveGameStore(self.pipeline, node)
        self.moderation = ModerationStore(self.pipeline)
        self.online = OnlineStore(self.pipeline, node)
        self.pairings = PairingStore(self.pipeline)
        self.players = PlayerStore(self.pipeline)
        self.push_subscriptions = PushSubscriptionStore(self.pipeline)
        self.queue = QueueStore(self.pipeline)
        self.ratings = RatingStore(self.pipeline)
        self.recovery_codes = RecoveryCodeStore(self.pipeline)
        self.emails = EmailStore(self.pipeline)
        self.reports = ReportStore(self.pipeline)
        self.room_log = RoomLog(self.pipeline, node)
        self.rules = RulesStore(self.pipeline)
        self.seat_nodes = SeatNodeStore(self.pipeline, node)
        self.seats = SeatStore(self.pipeline)
        self.seeks = SeekStore(self.pipeline)
        self.tournaments = TournamentStore(self.pipeline)

    async def open(self) -> None:
        """Connect. Raise StoreUnavailable, with a sentence for the operator, if that is not possible."""
        await self.pipeline.open()
        await self._format.upgrade(self.pipeline)
        await NameStore(self.pipeline).index_looks()
        await self.pubsub.open()
        await self._blocking.open()
        await self.clock.open()
        await self.heartbeat.open()
        if self._heartbeat_thread is not None:
            self._heartbeat_thread.start()

    async def close(self) -> None:
        """Disconnect."""
        if self._heartbeat_thread is not None:
            self._heartbeat_thread.stop()
        await self.heartbeat.close()
        await self.clock.close()
        await self.pubsub.close()
        await self._blocking.close()
        await self.pipeline.close()

    def _reconnect(self) -> None:
        """After a fail-over, the same address may lead to the new master, or to this server once it is the master."""
        self.pipeline.reconnect()
        self.pubsub.reconnect()
        self._blocking.reconnect()

    def _heartbeat_server(self) -> Address | None:
        return self.pipeline.server_of(self.keys.last_beat)
