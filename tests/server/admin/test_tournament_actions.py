"""Operators' actions on tournaments, and the places of players who are suspended, banned or deleted."""

from __future__ import annotations

from math import inf
from time import time

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Join, JoinTournament, Paired, RoomEvent
from parlour.server.admin.player_actions import PlayerActions
from parlour.server.admin.tournament_actions import TournamentActions
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.tournaments.log_file import faults
from parlour.tournaments.state import TournamentState, fold
from tests.server.admin.conftest import ORDER, Nodes
from tests.server.running_node import RunningNode
from tests.server.tournaments.cups import create, enter, organiser
from tests.waiting import until

LATER = int(time() * 1000) + 86_400_000  # when a tournament begins that no test waits for


async def state_of(node: RunningNode, tournament: str) -> TournamentState:
    """Return a tournament as its log describes it, which is valid."""
    events = await node.node.tournaments.events(tournament)
    assert list(faults(events)) == []
    return fold(events)


async def put_away(node: RunningNode, tournament: str) -> bytes:
    """Archive a tournament that is over, and return what is there."""
    await node.node.tournaments.check(tournament)
    archived = await TournamentTable(node.node.database).find(tournament)
    assert archived is not None
    return archived


async def listed(node: RunningNode) -> list[bytes]:
    """Return how finished tournaments are listed."""
    return await node.store.tournaments.finished(inf, 10)


def text_of(summaries: list[bytes]) -> str:
    return b"".join(summaries).decode(errors="replace")


async def test_a_tournament_is_cancelled(nodes: Nodes, tournaments: TournamentActions) -> None:
    """Also one that is running on another node: its games are cancelled, and it is off the list."""
    north, south = nodes
    olga = await organiser(south)
    waiting = await create(olga, start=LATER)
    running = await create(olga, min_players=2, max_players=2)
    players = await enter(south, running, 2)
    paired = [await player.hears(Paired) for player in players]
    await players[0].ask(Join(id=0, room=paired[0].room))
    assert {row.tournament for row in await tournaments.list()} == {waiting, running}

    for tournament in (waiting, running):
        await tournaments.cancel(ORDER, tournament)
        assert tournament not in {row.tournament for row in await tournaments.list()}
        assert (await state_of(south, tournament)).status == "cancelled"

    ended = await players[0].hears(RoomEvent, lambda event: event.kind == "ended")
    assert ended.result is not None
    assert (ended.result.winner, ended.result.reason) == (None, "cancelled")
    with pytest.raises(Refusal) as refused:
        await tournaments.cancel(ORDER, running)
    assert refused.value.code is ErrorCode.TOURNAMENT_OVER
    entries = await north.store.audit.newest(9)
    assert [(entry.action, entry.target) for entry in entries] == [
        ("cancel-tournament", running), ("cancel-tournament", waiting),
    ]  # fmt: skip


@pytest.mark.parametrize("action", ["suspend", "delete"])
async def test_a_player_who_is_sent_away_leaves_all_tournaments(
    nodes: Nodes, players: PlayerActions, action: str
) -> None:
    """Where a game is running, the opponent wins it without playing, and the tournament goes on."""
    _, south = nodes
    olga = await organiser(south)
    waiting = await create(olga, start=LATER)
    running = await create(olga, min_players=2, max_players=2, games=2)
    ada, ben = await enter(south, running, 2)
    room = (await ben.hears(Paired)).room
    await ben.ask(Join(id=0, room=room))
    await ada.ask(JoinTournament(id=0, tournament=waiting))

    await (players.suspend(ORDER, "Ada", LATER) if action == "suspend" else players.delete(ORDER, "Ada"))

    async def is_over() -> bool:
        return (await state_of(south, running)).is_finished

    await until(is_over)
    state = await state_of(south, running)
    (match,) = state.rounds[0].matches
    assert (match.winners, match.forfeits) == (("Ben", "Ben"), (0, 1))
    assert (await state_of(south, waiting)).entries == ()


async def test_a_deleted_player_is_erased_from_finished_tournaments(
    nodes: Nodes, players: PlayerActions, tournaments: TournamentActions
) -> None:
    """From the list and from the archive, now and when the tournament is archived later."""
    north, south = nodes
    olga = await organiser(south)
    tournament = await create(olga, start=LATER)
    await enter(south, tournament, 2)
    await tournaments.cancel(ORDER, tournament)
    await put_away(north, tournament)
    assert "Olga" in text_of(await listed(north))

    await players.delete(ORDER, "Ada")  # who is in the archive already
    await players.delete(ORDER, "Olga")

    shelf = TournamentTable(north.node.database)
    archived = await shelf.find(tournament)
    assert archived is not None
    assert await put_away(north, tournament) == archived  # the store still has the names
    assert (b"Ben" in archived, b"Ada" in archived, b"Olga" in archived) == (True, False, False)
    assert "Olga" not in text_of(await listed(north))


async def test_a_player_who_was_deleted_before_the_end(
    nodes: Nodes, players: PlayerActions, tournaments: TournamentActions
) -> None:
    """The name does not get into the archive."""
    north, south = nodes
    tournament = await create(await organiser(south), start=LATER)
    await enter(south, tournament, 2)
    await players.delete(ORDER, "Ada")
    await tournaments.cancel(ORDER, tournament)
    archived = await put_away(north, tournament)
    assert (b"Ben" in archived, b"Ada" in archived) == (True, False)
