"""Two nodes on one store, and what an operator does on the first."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.admin.api import AdminApi
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.admin.game_actions import GameActions
from parlour.server.admin.player_actions import PlayerActions
from parlour.server.admin.tournament_actions import TournamentActions
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.server.archive.erasure import Erasure
from parlour.server.tournaments.erasure import TournamentErasure
from tests.server.running_node import RunningNode, running_node

Nodes = tuple[RunningNode, RunningNode]

ORDER = ActionContext("nora", "Insults in three games")


@pytest.fixture
async def nodes(valkey: str, redis: Redis) -> AsyncIterator[Nodes]:
    """Two nodes: operators use the first, and players are on either."""
    async with running_node(valkey, "north") as north, running_node(valkey, "south") as south:
        yield north, south


@pytest.fixture
def api(nodes: Nodes) -> AdminApi:
    return AdminApi(nodes[0].node, nodes[0].store)


@pytest.fixture
def games(nodes: Nodes) -> GameActions:
    north = nodes[0]
    return GameActions(north.store, north.registry, AuditWriter(north.store))


@pytest.fixture
def tournaments(nodes: Nodes, games: GameActions) -> TournamentActions:
    north = nodes[0]
    erasure = TournamentErasure(TournamentTable(north.node.database), north.store.tournaments)
    return TournamentActions(north.store, north.node.tournaments, games, erasure, AuditWriter(north.store))


@pytest.fixture
def players(nodes: Nodes, games: GameActions, tournaments: TournamentActions) -> PlayerActions:
    north = nodes[0]
    erasure = Erasure(north.node.database)
    audit = AuditWriter(north.store)
    sessions, accounts = north.node.player_sessions, north.node.accounts
    return PlayerActions(north.store, sessions, accounts, games, tournaments, erasure, audit)
