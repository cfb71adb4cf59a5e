"""Records, lists of games, profiles and ratings."""

from __future__ import annotations

import asyncio
from typing import Any

from parlour.conform.probe import NotApplicable, NotReached, Probe, expect, expect_refused, needs, supported
from parlour.conform.server_checks import check
from parlour.conform.server_checks.offers import both_moved, moved, other_of
from parlour.conform.table import Table
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Command,
    Games,
    GetProfile,
    GetRecord,
    ListGames,
    Profile,
    Rated,
    ReadRecord,
    Record,
    Resign,
    RoomEvent,
)
from parlour.protocol.types import Clock, Terms

POLL = 0.25  # seconds until the kit asks again for data that a server may store a little later
COUNTED = 12  # moves after which a game that a player resigns is surely rated


async def _finished(testbed: ServerTestbed) -> Table:
    table = await testbed.meet()
    await both_moved(table)
    await needs(table.me.ask(Resign(id=0, room=table.room)))
    return table


async def _eventually(testbed: ServerTestbed, probe: Probe, command: Command, fits: Any) -> Any:
    """Ask until the answer fits, or as long as the kit waits for a message. Return the last answer."""
    deadline = asyncio.get_running_loop().time() + testbed.timeout
    while not fits(answer := await probe.ask(command)):
        if asyncio.get_running_loop().time() >= deadline:
            return answer
        await asyncio.sleep(POLL)
    return answer


def _is_whole(answer: Any) -> bool:
    return isinstance(answer, Record) and bool(answer.ended)


@check("record", once=True)
async def record(testbed: ServerTestbed) -> None:
    table = await _finished(testbed)
    answer = await _eventually(testbed, table.me, GetRecord(id=0, room=table.room), _is_whole)
    answer = supported(answer, "records")
    expect(isinstance(answer, Record), f"get_record was answered by {answer}")
    moves = [move.move for move in answer.moves]
    expect(moves == table.replica.moves, f"the moves were {table.replica.moves}, and the record has {moves}")
    expect(
        answer.result == table.replica.result, f"the result was {table.replica.result}, in the record {answer.result}"
    )
    names = [seated.player.name for seated in table.replica.players]
    expect([player.name for player in answer.players] == names, f"{names} played, not {answer.players}")
    await table.close()


@check("read-record", once=True)
async def read_record(testbed: ServerTestbed) -> None:
    table = await _finished(testbed)
    whole = await _eventually(testbed, table.me, GetRecord(id=0, room=table.room), _is_whole)
    if not isinstance(whole, Record) or not whole.text:
        raise NotReached("there is no record as text")
    answer = supported(await table.me.ask(ReadRecord(id=0, text=whole.text)), "read_record")
    expect(isinstance(answer, Record), f"read_record of a record was answered by {answer}")
    expect(answer.moves == whole.moves, "the record that was read has other moves")
    damaged = whole.text.replace(whole.moves[0].move, whole.moves[1].move, 1)
    answer = await table.me.ask(ReadRecord(id=0, text=damaged))
    expect_refused(answer, ErrorCode.RECORD_BROKEN, "read_record of a record that was altered")
    await table.close()


@check("record-unknown", once=True)
async def record_unknown(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    answer = supported(await probe.ask(GetRecord(id=0, room="no-such-room")), "records")
    expect_refused(answer, ErrorCode.RECORD_UNKNOWN, "get_record of no room")


@check("games", once=True)
async def games(testbed: ServerTestbed) -> None:
    table = await _finished(testbed)
    assert table.me.welcome is not None
    name = table.me.welcome.you.name

    def is_listed(answer: Any) -> bool:
        return isinstance(answer, Games) and any(row.room == table.room for row in answer.rows)

    answer = supported(await _eventually(testbed, table.me, ListGames(id=0, player=name), is_listed), "list of games")
    expect(isinstance(answer, Games), f"list_games was answered by {answer}")
    rows = [row for row in answer.rows if row.room == table.room]
    expect(len(rows) == 1, f"the finished game is listed {len(rows)} times")
    expect(rows[0].plies == len(table.replica.moves), f"{len(table.replica.moves)} moves are listed as {rows[0].plies}")
    expect(rows[0].result == table.replica.result, f"the result is listed as {rows[0].result}")
    await table.close()


@check("profile", once=True)
async def profile(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    assert probe.welcome is not None
    name = probe.welcome.you.name
    answer = supported(await probe.ask(GetProfile(id=0, name=name)), "profiles")
    expect(isinstance(answer, Profile), f"get_profile was answered by {answer}")
    expect(answer.player.name == name, f"the profile of {name} is that of {answer.player.name}")
    answer = await probe.ask(GetProfile(id=0, name="No Such Player 47"))
    expect_refused(answer, ErrorCode.PLAYER_UNKNOWN, "get_profile of a player who does not exist")


@check("rated", once=True)
async def rated(testbed: ServerTestbed) -> None:
    terms = Terms(testbed.terms.game, clock=Clock("fischer", 300_000, 3_000), rated=True)
    table = await testbed.meet(terms)
    while (ply := len(table.replica.moves)) < COUNTED and (to_move := table.replica.scene.to_move) is not None:
        await moved(table, table.me if to_move == table.seat else other_of(table))
        await table.beyond(ply)
    if table.replica.scene.to_move is not None:
        await needs(table.me.ask(Resign(id=0, room=table.room)))
    ended = await needs(table.me.wait(RoomEvent, 0, "the result", lambda event: event.result is not None))
    assert ended.result is not None
    if ended.result.unrated:
        raise NotApplicable(f"the server does not count games of the kit: {ended.result.unrated}")
    told = await table.me.wait(Rated, 0, "rated after a rated game", lambda told: told.room == table.room)
    expect(len(told.ratings) == 2, f"there are {len(told.ratings)} ratings")
    winner = ended.result.winner
    if winner is not None:  # some games are over, even drawn, after a few moves
        # Players without a rating begin with the same one.
        before = [seated.player.rating or 0 for seated in table.replica.players]
        lost, won = (told.ratings[seat] - before[seat] for seat in (1 - winner, winner))
        expect(
            lost < won,
            f"the loser went from {before[1 - winner]} to {told.ratings[1 - winner]}, "
            f"and the winner from {before[winner]} to {told.ratings[winner]}",
        )
    await table.close()
