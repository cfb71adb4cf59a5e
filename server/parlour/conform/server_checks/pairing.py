"""Finding an opponent and joining the room."""

from __future__ import annotations

from typing import Any

from parlour.conform.probe import NotReached, expect, expect_refused, needs
from parlour.conform.server_checks import check
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Choices, Join, Ok, Paired, Play, Queue, Room, name_of
from parlour.protocol.scene import Scene
from parlour.protocol.types import GameCard, Terms


@check("game-unknown")
async def game_unknown(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    answer = await probe.ask(Queue(id=0, terms=Terms("no such game")))
    expect_refused(answer, ErrorCode.GAME_UNKNOWN, "queue for a game that is not there")


@check("option-refused")
async def option_refused(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    game = testbed.terms.game
    answer = await probe.ask(Queue(id=0, terms=Terms(game, {"no such option": 1})))
    expect_refused(answer, ErrorCode.OPTION_UNKNOWN, "queue with an unknown option")
    assert probe.welcome is not None
    for key in _closed_options(probe.welcome.games, game):
        answer = await probe.ask(Queue(id=0, terms=Terms(game, {key: "no such value"})))
        expect_refused(answer, ErrorCode.OPTION_INVALID, f"queue with an unknown value of {key}")


def _closed_options(games: tuple[GameCard, ...], game: str) -> list[str]:
    """Return options that do not accept every text."""
    return [spec.key for card in games if card.key == game for spec in card.options if spec.kind != "layout"]


@check("queue")
async def queue(testbed: ServerTestbed) -> None:
    me, mine, other = await testbed.pair()
    for probe, seat in ((me, mine.seat), (other, 1 - mine.seat)):
        if probe is not None:
            ok = probe.since(0, Ok)[0]
            paired = probe.since(0, Paired)[0]
            expect(ok.seek is not None, "the ok has no seek")
            expect(paired.seek in (None, ok.seek), f"the seek was {ok.seek}, but {paired.seek} was paired")
            expect(paired.seat == seat, "both players were paired into one seat")
            await probe.close()


@check("paired-again")
async def paired_again(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    table.me = await testbed.again(table.me, table.replica.cursor)
    paired = await table.me.wait(Paired, 0, "paired", lambda paired: paired.room == table.room)
    expect(paired.seat == table.seat, f"seat {table.seat} has become seat {paired.seat}")


@check("join")
async def join(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    room = await table.me.ask(Join(id=0, room=table.room))
    expect(isinstance(room, Room), f"join was answered by {room}")
    expect(room.room == table.room, f"the room is {room.room}, not {table.room}")
    expect(room.epoch > 0, "the epoch is 0, which a client sends to get the whole room")
    expect(room.seat == table.seat, f"the seat is {room.seat}, but paired said {table.seat}")
    expect(room.terms.game == testbed.terms.game == room.board.game, f"the game is {room.terms.game}")
    expect(len(room.players) == 2, f"there are {len(room.players)} players")
    expect(len(room.moves) == len(table.replica.moves), f"there are {len(room.moves)} moves in it")
    wrong = _wrong_places(room)
    expect(not wrong, f"the scene shows what the board does not have: {wrong}")


def _wrong_places(room: Room) -> list[Any]:
    scene: Scene = room.scene
    places, glyphs = range(room.board.places), range(len(room.board.glyphs))
    return [
        (place, *stack)
        for place, *stack in scene.pieces
        if place not in places or not stack or any(glyph not in glyphs for glyph in stack)
    ]


@check("room-unknown")
async def room_unknown(testbed: ServerTestbed) -> None:
    probe = await testbed.guest()
    for command in (Join(id=0, room="no-such-room"), Play(id=0, room="no-such-room", ply=0, picks=(0,))):
        answer = await probe.ask(command)
        expect_refused(answer, ErrorCode.ROOM_UNKNOWN, f"{name_of(type(command))} for no room")


@check("not-in-room")
async def not_in_room(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    stranger = await testbed.guest()
    answer = await stranger.ask(Play(id=0, room=table.room, ply=len(table.replica.moves), picks=(0,)))
    expect_refused(answer, ErrorCode.NOT_IN_ROOM, "play without join")


@check("watch")
async def watch(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    spectator = await testbed.guest()
    room = await spectator.ask(Join(id=0, room=table.room))
    expect(isinstance(room, Room), f"join was answered by {room}")
    expect(room.seat is None, f"the spectator has seat {room.seat}")
    for _ in range(2):
        played = await needs(table.play(table.me, await needs(table.turn())))
        await spectator.told(table.room, played.seq)
    await needs(table.turn())
    await spectator.settle()
    expect(not spectator.since(0, Choices), "the spectator got choices")


@check("not-a-player")
async def not_a_player(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    spectator = await testbed.guest()
    if not isinstance(await needs(spectator.ask(Join(id=0, room=table.room))), Room):
        raise NotReached("a spectator cannot join")
    answer = await spectator.ask(Play(id=0, room=table.room, ply=len(table.replica.moves), picks=(0,)))
    expect_refused(answer, ErrorCode.NOT_A_PLAYER, "play by a spectator")
