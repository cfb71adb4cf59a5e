"""What operators see: the deployment, its rooms and its players."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.types import Clock, Player
from parlour.server.matchmaking.live_games import decode_description
from parlour.server.node import Node
from parlour.server.outages import Outage
from parlour.server.players.ratings import Ratings
from parlour.server.restrictions import Restriction
from parlour.server.rooms.state import RoomState
from parlour.server.store.audit import AuditEntry
from parlour.server.store.live_games import NodeReport
from parlour.server.store.players import StoredPlayer
from parlour.server.store.store import Store

PAGE = 50  # rows of a list


class NodeRow(Struct, frozen=True):
    """A node that is alive."""

    name: str
    connections: int
    rooms: int
    waiting: int  # in its queues
    started: int
    version: str
    draining: bool


class Part(Struct, frozen=True):
    """A part of the infrastructure."""

    up: bool
    problem: str
    errors: int  # since this node started


class Overview(Struct, frozen=True):
    """The state of the deployment, as the node that answers sees it. Times are in milliseconds since 1970."""

    time: int
    node: str  # that answers
    nodes: Sequence[NodeRow]
    connections: int
    rooms: int  # open on nodes; a room whose players are on two nodes counts twice
    waiting: int
    jobs: int  # turns and positions that wait for the computer
    store: Part
    archive: Part
    outages: Sequence[Outage]  # newest first
    reports: int  # by players, not handled yet


class RoomRow(Struct, frozen=True, omit_defaults=True):
    """A game in progress, or a room that was looked up by its id."""

    room: str
    game: str
    players: tuple[Player, ...]
    ply: int
    rated: bool = False
    clock: Clock = Clock()
    status: str = "playing"
    private: bool = False


class RatingRow(Struct, frozen=True):
    """A player's rating in a game."""

    game: str
    rating: int
    deviation: int
    games: int


class PlayerRow(Struct, frozen=True):
    """A player in a list."""

    id: str
    name: str
    kind: str
    suspended: Restriction | None
    muted: Restriction | None


class PlayerFile(Struct, frozen=True):
    """Everything an operator needs to know about a player."""

    player: PlayerRow
    created: int
    online: bool
    devices: int
    owner: PlayerRow | None
    bots: Sequence[PlayerRow]
    ratings: Sequence[RatingRow]
    rooms: Sequence[RoomRow]
    history: Sequence[AuditEntry]  # what operators did about this player, newest first


class Overviews:
    """Builds the views of operators. The coroutines raise Refusal and StoreUnavailable."""

    def __init__(self, node: Node, store: Store) -> None:
        self._node = node
        self._store = store
        self._ratings = Ratings(store.ratings)

    async def overview(self) -> Overview:
        """Return the state of the deployment."""
        store, database = self._store, self._node.database
        nodes = await self.nodes()
        problem = "" if store.heartbeat.is_healthy else f"{store.health.problem.reason}: {store.health.problem.detail}"
        return Overview(
            time=store.clock.now(),
            node=store.node,
            nodes=nodes,
            connections=sum(node.connections for node in nodes),
            rooms=sum(node.rooms for node in nodes),
            waiting=sum(node.waiting for node in nodes),
            jobs=await store.jobs.length(),
            store=Part(not problem, problem, sum(store.health.errors.values())),
            archive=Part(not database.problem, database.problem, database.errors),
            outages=store.heartbeat.outages[::-1][:PAGE],
            reports=await store.reports.count_open(),
        )

    async def nodes(self) -> list[NodeRow]:
        """Return the live nodes."""
        reports = await self._store.live_games.nodes(self._store.clock.now())
        reports.setdefault(self._store.node, self._node.describe())
        return [_node_row(name, report) for name, report in sorted(reports.items())]

    async def rooms(self) -> list[RoomRow]:
        """Return the public games in progress that are listed in the lobby, best first."""
        listed = await self._store.live_games.rooms(self._store.clock.now())
        found = await self._store.live_games.descriptions(listed)
        games = [decode_description(found[room]).game for room in listed if room in found]
        return [RoomRow(game.room, game.game, game.players, game.ply, game.rated, game.clock) for game in games]

    async def rooms_of(self, player: StoredPlayer) -> list[RoomRow]:
        """Return the games of a player, private ones as well."""
        rooms = [await self._node.registry.find_live(id) for id in await self._store.seats.rooms(player.id)]
        return [_room_row(room) for room in rooms if isinstance(room, RoomState)]

    async def players(self, after: str) -> list[PlayerRow]:
        """Return some of the players who are online, in alphabetical order."""
        names = await self._store.online.list(self._store.clock.now(), after, PAGE)
        return [_player_row(each) for each in await self._store.players.get([name.id for name in names]) if each]

    async def file(self, player: StoredPlayer) -> PlayerFile:
        """Return everything about a player."""
        store, now = self._store, self._store.clock.now()
        bots = await store.players.get(await store.players.bots(player.id))
        owners = [] if player.owner is None else await store.players.get([player.owner])
        ratings = await self._ratings.all(player.id)
        return PlayerFile(
            player=_player_row(player),
            created=player.created,
            online=await store.players.is_online(player.id),
            devices=len(await store.accounts.devices(player.id)),
            owner=next((_player_row(owner) for owner in owners if owner is not None), None),
            bots=[_player_row(bot) for bot in bots if bot is not None],
            ratings=[
                RatingRow(game, round(each.rating), round(each.aged(now).deviation), each.games)
                for game, each in ratings.items()
            ],
            rooms=await self.rooms_of(player),
            history=await self.named(await store.audit.about(player.id, PAGE)),
        )

    async def audit(self, before: str) -> list[AuditEntry]:
        """Return some entries of the audit log, newest first."""
        return await self.named(await self._store.audit.newest(PAGE, before))

    async def named(self, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
        """Return entries with the current names of the players."""
        players = await self._store.players.get([entry.player for entry in entries if entry.player])
        names = {player.id: player.name for player in players if player is not None}
        return [
            replace(entry, target=names.get(entry.player, entry.player)) if entry.player else entry for entry in entries
        ]


def _node_row(name: str, report: NodeReport) -> NodeRow:
    return NodeRow(
        name, report.connections, report.rooms, report.waiting, report.started, report.version, report.draining
    )


def _room_row(room: RoomState) -> RoomRow:
    players = tuple(participant.player for participant in room.players)
    return RoomRow(room.id, room.game, players, room.ply, room.rated, room.clock, room.status, room.private)


def _player_row(player: StoredPlayer) -> PlayerRow:
    return PlayerRow(player.id, player.name, player.kind, player.suspended, player.muted)
