"""Any live node can run a tournament."""

from __future__ import annotations

import asyncio
from time import time
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    Abort,
    Berserk,
    CancelTournament,
    FollowTournament,
    Join,
    JoinTournament,
    ListTournaments,
    Offer,
    Ok,
    Paired,
    Resign,
    Room,
    Tournament,
    TournamentChanged,
    WithdrawTournament,
    YourTournament,
)  # fmt: skip
from parlour.protocol.types import Terms
from parlour.server.archive.database.tournaments import TournamentTable
from parlour.server.rooms.commands import FIRST_MOVE_WITHIN, abort_in
from parlour.server.rooms.state import RoomState
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.tournaments import tournament_log
from parlour.server.tournaments.games import current_games, following_tournament, game_room, participant
from parlour.server.tournaments.tournament import load
from parlour.tournaments import commands
from parlour.tournaments.events import GameEnded, RoundStarted
from parlour.tournaments.log_file import faults
from parlour.tournaments.standings import standings
from parlour.tournaments.state import TournamentState, fold
from tests.server.running_node import Caller, RunningNode, running_node
from tests.server.tournaments.cups import BLITZ, NAMES, create, enter, organiser
from tests.waiting import until

TERMS = Terms("replica", clock=BLITZ)
LATER = int(time() * 1000) + 86_400_000  # when a tournament begins that the test begins itself


async def play(caller: Caller) -> None:
    """Play every game of a tournament: the player who moves first resigns at once."""
    rooms: set[str] = set()
    while True:
        paired = await caller.hears(Paired)
        if paired.room not in rooms:
            rooms.add(paired.room)
            await caller.ask(Join(id=0, room=paired.room))
            if paired.seat == 0:
                await caller.ask(Resign(id=0, room=paired.room))


async def state_of(node: RunningNode, tournament: str) -> TournamentState:
    return fold(await node.node.tournaments.events(tournament))


async def play_to_the_end(node: RunningNode, tournament: str, callers: list[Caller]) -> TournamentState:
    async def is_over() -> bool:
        return (await state_of(node, tournament)).is_finished

    playing = [asyncio.create_task(play(caller)) for caller in callers]
    try:
        await until(is_over)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return await state_of(node, tournament)


@pytest.mark.parametrize(
    "values",
    [{"format": "round_robin"}, {"format": "swiss", "games": 2}, {"format": "knockout", "third_place": True}],
    ids=lambda values: values["format"],
)
async def test_a_whole_tournament(valkey: str, redis: Redis, values: dict[str, Any]) -> None:
    """It begins when enough players have entered; each game has one result, and the log is valid."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), min_players=4, max_players=4, **values)
        callers = await enter(node, tournament, 4)
        state = await play_to_the_end(node, tournament, callers)
        assert state.status == "finished"
        assert list(faults(await node.node.tournaments.events(tournament))) == []


async def test_a_simul(valkey: str, redis: Redis) -> None:
    """The organiser takes part from the start, and plays all games at once."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        tournament = await create(olga, format="simul", min_players=4, max_players=4, host_side="alternating")
        assert await olga.code(JoinTournament(id=0, tournament=tournament)) == "already_entered"
        assert await olga.code(WithdrawTournament(id=0, tournament=tournament)) == "entry_refused"
        callers = await enter(node, tournament, 3)
        paired = [await olga.hears(Paired) for _ in range(3)]
        assert sorted(each.seat for each in paired) == [0, 0, 1]
        room = await node.registry.find(paired[0].room)
        assert isinstance(room, RoomState)
        assert abort_in(room, room.turn_began) == 5 * FIRST_MOVE_WITHIN
        for each in paired:
            await olga.ask(Join(id=0, room=each.room))
            assert isinstance(await olga.ask(Resign(id=0, room=each.room)), Ok)
        state = await play_to_the_end(node, tournament, callers)
        assert [sum(row.points for row in standings(state) if row.player == name) for name in ("Olga", "Ada")] == [0, 1]
        assert list(faults(await node.node.tournaments.events(tournament))) == []


async def test_a_node_dies_between_pairing_and_start(valkey: str, redis: Redis) -> None:
    """Another node creates the rooms of the pairings in the log, and tells the players."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), start=LATER)
        callers = await enter(node, tournament, 4)
        dead = await load(tournament, node.store.room_log, TournamentTable(node.node.database), node.store.clock.now)
        assert dead is not None
        await dead.change(commands.start_round, check_at=node.store.clock.now())
        rooms = {game.room for game in current_games(tournament, dead.state)}
        await node.node.sweep()
        assert {(await caller.hears(Paired)).room for caller in callers} == rooms
        assert isinstance(await callers[0].ask(Join(id=0, room=min(rooms))), Room)


async def test_a_player_comes_to_the_table_before_the_room_is_created(valkey: str, redis: Redis) -> None:
    """Followers know the pairings as soon as they are in the log, and the first of them finds the room nevertheless."""
    async with running_node(valkey, "one") as node, running_node(valkey, "two") as other:
        tournament = await create(await organiser(node), start=LATER)
        [ada, ben] = await enter(node, tournament, 2)
        await ada.ask(FollowTournament(id=0, tournament=tournament))
        archive = TournamentTable(other.node.database)
        pairing = await load(tournament, other.store.room_log, archive, other.store.clock.now)
        assert pairing is not None
        await pairing.change(commands.start_round)
        [game] = current_games(tournament, pairing.state)
        await ada.hears(YourTournament, lambda news: news.room == game.room)
        assert await node.store.room_log.length(game.room) == 0
        whole = await ada.ask(Join(id=0, room=game.room))
        assert isinstance(whole, Room)
        assert (whole.seat, whole.tournament) == (game.players.index("Ada"), tournament)
        await node.node.tournaments.check(tournament)
        assert (await ben.hears(Paired)).room == game.room
        assert await ada.code(Join(id=0, room=game_room(tournament, 2, 0, 0))) == "room_unknown"


async def test_a_player_who_was_not_told_learns_of_the_game(valkey: str, redis: Redis) -> None:
    """The node died after it had created the room, and the other player has moved already."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), start=LATER)
        [ada, ben] = await enter(node, tournament, 2)
        dead = await load(tournament, node.store.room_log, TournamentTable(node.node.database), node.store.clock.now)
        assert dead is not None
        await dead.change(commands.start_round, check_at=node.store.clock.now())
        [game] = current_games(tournament, dead.state)
        entries = {entry.player: entry for entry in dead.state.entries}
        first, second = (participant(entries[player]) for player in game.players)
        await node.node.lobby.room_factory.open_tournament_game(game.room, TERMS, (first, second), tournament)
        mover, other = (ada, ben) if game.players[0] == "Ada" else (ben, ada)
        await mover.ask(Join(id=0, room=game.room))
        await node.play(game.room, mover, other, moves=1)
        await node.node.sweep()
        assert (await other.hears(Paired)).room == game.room
        assert mover.has_heard(Paired) == []


async def test_a_game_that_cannot_begin_keeps_no_other_from_it(valkey: str, redis: Redis) -> None:
    """The others are played, and it begins as soon as that is possible."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), start=LATER)
        callers = dict(zip(NAMES, await enter(node, tournament, 4), strict=False))
        dead = await load(tournament, node.store.room_log, TournamentTable(node.node.database), node.store.clock.now)
        assert dead is not None
        opened = await node.node.tournaments.open(tournament)
        await until(lambda: not opened.is_busy)
        await dead.change(commands.start_round, check_at=node.store.clock.now())
        broken, whole = current_games(tournament, dead.state)
        await redis.set(node.store.keys.log(broken.room), "not a log")
        with pytest.raises(StoreUnavailable):
            await node.node.tournaments.check(tournament)
        for player in whole.players:
            assert (await callers[player].hears(Paired)).room == whole.room
        await redis.delete(node.store.keys.log(broken.room))
        await node.node.tournaments.check(tournament)
        for player in broken.players:
            assert (await callers[player].hears(Paired)).room == broken.room


async def test_a_room_that_exists_is_not_created_again(valkey: str, redis: Redis) -> None:
    """Two nodes that begin the same games begin each of them once."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        tournament = await create(await organiser(one), min_players=2)
        callers = await enter(one, tournament, 2)
        room = (await callers[0].hears(Paired)).room
        await two.node.tournaments.check(tournament)
        assert await two.store.room_log.length(room) == 1
        assert game_room(tournament, 1, 0, 0) == room


async def test_a_result_that_was_not_recorded(valkey: str, redis: Redis) -> None:
    """A game that ended while its node died is counted once another node finishes it, and only once."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        tournament = await create(await organiser(one), min_players=2)
        callers = await enter(one, tournament, 2)
        await play_to_the_end(one, tournament, callers)
        room = await two.registry.find(game_room(tournament, 1, 0, 0))
        assert room is not None
        await two.node.tournaments.game_over(room)
        ended = [event for event in await two.node.tournaments.events(tournament) if isinstance(event, GameEnded)]
        assert len(ended) == 1


async def test_a_result_that_is_recorded_is_forgotten(valkey: str, redis: Redis) -> None:
    """A node closes a tournament in which nothing happens any more, unless a result still has to be recorded."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), min_players=2)
        callers = await enter(node, tournament, 2)
        await play_to_the_end(node, tournament, callers)
        opened = await node.node.tournaments.open(tournament)
        await until(lambda: opened.results == {})


async def test_the_rules_of_a_tournament_game(valkey: str, redis: Redis) -> None:
    """It cannot be aborted, has no rematch, names its tournament, and in an arena the clock can be halved."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), format="arena", duration=60_000, berserk=True, min_players=2)
        [ada, ben] = await enter(node, tournament, 2)
        paired = await ada.hears(Paired)
        assert paired.tournament == tournament
        whole = await ada.ask(Join(id=0, room=paired.room))
        await ben.ask(Join(id=0, room=paired.room))
        assert (whole.tournament, whole.berserk) == (tournament, (False, False))
        assert await ada.code(Abort(id=0, room=paired.room)) == "too_late_to_abort"
        assert isinstance(await ada.ask(Berserk(id=0, room=paired.room)), Ok)
        assert await ada.code(Berserk(id=0, room=paired.room)) == "berserk_refused"
        await ben.ask(Resign(id=0, room=paired.room))
        assert await ada.code(Offer(id=0, room=paired.room, kind="rematch")) == "offer_refused"

        async def is_recorded() -> bool:
            return any(isinstance(event, GameEnded) for event in await node.node.tournaments.events(tournament))

        await until(is_recorded)
        assert (await state_of(node, tournament)).arena["Ada"].points == 3


async def test_levels_of_the_computer_play(valkey: str, redis: Redis) -> None:
    """Their games begin without any subscriber."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        tournament = await create(olga, levels=("1", "2"), min_players=2)
        whole = await olga.ask(FollowTournament(id=0, tournament=tournament))
        assert isinstance(whole, Tournament)
        if not whole.games:
            await olga.hears(TournamentChanged, lambda changed: bool(changed.games))
        room = game_room(tournament, 1, 0, 0)
        await node.until(lambda: room in node.registry.rooms)
        waiting = node.store.keys.jobs
        await until(lambda: has_job(redis, waiting))


async def has_job(redis: Redis, key: str) -> bool:
    return bool(await redis.zcard(key))


async def test_too_few_players(valkey: str, redis: Redis) -> None:
    """A tournament without enough players at its start is cancelled."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        tournament = await create(olga, start=node.store.clock.now() + 2_000, min_players=3)
        await enter(node, tournament, 2)

        async def is_cancelled() -> bool:
            await node.node.sweep()
            return (await state_of(node, tournament)).status == "cancelled"

        await until(is_cancelled)
        events = await node.node.tournaments.events(tournament)
        assert not any(isinstance(event, RoundStarted) for event in events)


async def test_a_recurring_tournament(valkey: str, redis: Redis) -> None:
    """When it is over, the next one opens, once, on whichever node, and ends the series if it is cancelled."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        olga = await organiser(one)
        tournament = await create(olga, start=LATER, every=3_600_000, levels=("1",), format="swiss")
        callers = await enter(one, tournament, 1)
        loaded = await load(tournament, one.store.room_log, TournamentTable(one.node.database), one.store.clock.now)
        assert loaded is not None
        await loaded.change(commands.start_round)
        [game] = current_games(tournament, loaded.state)
        await loaded.change(lambda state, now: commands.report(state, 1, 0, 0, game.players[0], now))
        await loaded.change(commands.start_round)
        await asyncio.gather(one.node.tournaments.check(tournament), two.node.tournaments.check(tournament))
        [row] = (await callers[0].ask(ListTournaments(id=0, status="finished"))).rows
        [following] = (await callers[0].ask(ListTournaments(id=0, status="open"))).rows
        assert following.tournament == row.next == following_tournament(tournament)
        assert (following.players, following.start) == (1, LATER + 3_600_000)
        await olga.ask(CancelTournament(id=0, tournament=following.tournament))
        await two.node.tournaments.check(following.tournament)
        assert (await olga.ask(ListTournaments(id=0, status="open"))).rows == ()


async def test_a_tournament_whose_log_has_expired_is_off_the_list(valkey: str, redis: Redis) -> None:
    """Logs are kept for 90 days without an event; open tournaments are looked at every day."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node))
        await node.node.tournaments.check(tournament)
        name, keys = tournament_log(tournament), node.store.keys
        await until(lambda: is_due(redis, keys.due(name), name))
        opened = await node.node.tournaments.open(tournament)
        await until(lambda: not opened.is_busy)
        node.node.tournaments.close()
        await redis.delete(keys.log(name))
        await node.node.tournaments.check(tournament)
        assert await node.store.tournaments.current() == []
        for key in (keys.tournament_networks, keys.tournament_summaries):
            assert not await redis.exists(key)


async def is_due(redis: Redis, key: str, name: str) -> bool:
    return await redis.zscore(key, name) is not None
