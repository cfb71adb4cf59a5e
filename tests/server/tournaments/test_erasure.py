"""Deleted players are removed from finished tournaments."""

from __future__ import annotations

from math import inf

import msgspec
from redis.asyncio import Redis

from parlour.protocol.messages import CancelTournament, Join, Paired, Resign, TournamentSummary
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.server.store.moderation import DELETED
from parlour.server.tournaments.erasure import TournamentErasure, without_deleted
from tests.server.running_node import Caller, RunningNode, running_node
from tests.server.tournaments.cups import create, enter, opened, organiser
from tests.waiting import WITHIN, until


async def listed(node: RunningNode) -> list[TournamentSummary]:
    """Return the finished tournaments."""
    found = await node.store.tournaments.finished(inf, 10)
    return [msgspec.msgpack.decode(each, type=TournamentSummary) for each in found]


async def finished(node: RunningNode, olga: Caller) -> str:
    """Return a tournament that Ada or Ben has won, and that is in the archive."""
    tournament = await create(olga, min_players=2, max_players=2)
    players = await enter(node, tournament, 2)
    paired = [await player.hears(Paired) for player in players]
    await players[0].ask(Join(id=0, room=paired[0].room))
    await players[0].ask(Resign(id=0, room=paired[0].room))

    async def is_over() -> bool:
        return any(row.tournament == tournament for row in await listed(node))

    await until(is_over)
    await node.node.tournaments.check(tournament)
    await node.node.drain(WITHIN)  # nothing lists it again
    return tournament


async def test_the_list_and_the_archive_name_the_player_no_more(valkey: str, redis: Redis) -> None:
    """The organiser and the winner are replaced; it can be repeated, and other players stay."""
    async with running_node(valkey) as node:
        shelf = TournamentTable(node.node.database)
        erasure = TournamentErasure(shelf, node.store.tournaments)
        tournament = await finished(node, await organiser(node))
        (row,) = await listed(node)
        assert row.winner is not None
        winner = row.winner.name
        for name in ("Olga", winner, winner):
            id = await node.store.players.id_of(name.lower())
            assert id is not None
            await erasure.erase(id)
        (row,) = await listed(node)
        assert row.winner is not None
        assert (row.organiser, row.winner.name) == (DELETED, DELETED)
        log = await shelf.find(tournament)
        assert log is not None
        other = "Ben" if winner == "Ada" else "Ada"
        assert [name.encode() in log for name in ("Olga", winner, other)] == [False, False, True]


async def test_what_is_not_listed_stays_so(valkey: str, redis: Redis) -> None:
    """Only the newest tournaments are on the list."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        tournament = await create(olga, start=node.store.clock.now() + 86_400_000)
        await olga.ask(CancelTournament(id=0, tournament=tournament))
        await node.node.tournaments.check(tournament)
        await node.node.drain(WITHIN)  # nothing lists it again
        await redis.delete(node.store.keys.tournament_summaries)
        id = await node.store.players.id_of("olga")
        assert id is not None
        await TournamentErasure(TournamentTable(node.node.database), node.store.tournaments).erase(id)
        assert not await redis.exists(node.store.keys.tournament_summaries)


async def test_only_deleted_players_are_left_out(valkey: str, redis: Redis) -> None:
    """A guest who has expired keeps the name: only a deletion asks for more."""
    async with running_node(valkey) as node:
        events = opened(2)
        assert await without_deleted(events, node.store.players) == events
        await node.call(name="Ada")
        id = await node.store.players.id_of("ada")
        assert id is not None
        events = [
            msgspec.structs.replace(event, account=id) if index else event for index, event in enumerate(events[:2])
        ]
        await node.store.moderation.delete(id)
        found = await without_deleted(events, node.store.players)
        assert (found[1].player, found[1].account) == (DELETED, "")  # type: ignore[union-attr]
