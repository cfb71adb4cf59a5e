"""Challenges by name and by code, and games against the computer."""

from __future__ import annotations

from typing import Any

from parlour.conform.probe import NotApplicable, Probe, expect, expect_refused, needs, supported
from parlour.conform.server_checks import check
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    Cancel,
    Challenge,
    ChallengeClosed,
    Challenged,
    Create,
    Join,
    Moved,
    Ok,
    Paired,
    Refused,
    Resign,
    Room,
    name_of,
)

CLOSED = (ErrorCode.INVITE_UNKNOWN, ErrorCode.SEEK_GONE)


async def _challenge(testbed: ServerTestbed, host: Probe, to: str | None) -> str:
    answer = supported(await host.ask(Challenge(id=0, terms=testbed.terms, to=to)), "challenges")
    expect(isinstance(answer, Ok), f"challenge was answered by {answer}")
    expect(answer.seek is not None, "the ok of a challenge has no seek")
    return str(answer.seek)


def _name(probe: Probe) -> str:
    assert probe.welcome is not None
    return probe.welcome.you.name


async def _told(probe: Probe, seek: str) -> Challenged:
    return await probe.wait(Challenged, 0, "challenged", lambda told: told.seek == seek)


async def _resign(probe: Probe, room: str) -> None:
    await needs(probe.ask(Join(id=0, room=room)))
    await needs(probe.ask(Resign(id=0, room=room)))


def _expect_closed(answer: Any, what: str) -> None:
    seen = answer.code if isinstance(answer, Refused) else name_of(type(answer))
    expect(seen in CLOSED, f"{what} was answered by {seen}, not {' or '.join(CLOSED)}")


@check("challenge", once=True)
async def challenge(testbed: ServerTestbed) -> None:
    host, guest = await testbed.guest(), await testbed.guest()
    seek = await _challenge(testbed, host, _name(guest))
    told = await _told(guest, seek)
    expect(told.player.name == _name(host), f"the challenge of {_name(host)} was told as that of {told.player.name}")
    expect(told.terms == testbed.terms, f"the terms of the challenge were told as {told.terms}")
    answer = await guest.ask(Accept(id=0, seek=seek))
    expect(isinstance(answer, Ok), f"accept of a challenge was answered by {answer}")
    for probe in (host, guest):
        paired = await probe.wait(Paired, 0, "paired")
        expect(paired.room == answer.room, f"{answer.room} was accepted, and {paired} came")
    await _resign(guest, answer.room)


@check("challenge-waits", once=True)
async def challenge_waits(testbed: ServerTestbed) -> None:
    host, guest = await testbed.guest(), await testbed.guest()
    name = _name(guest)
    await guest.cut()
    seek = await _challenge(testbed, host, name)
    guest = await testbed.again(guest)
    await _told(guest, seek)
    await needs(host.ask(Cancel(id=0, seek=seek)))


@check("challenge-code", once=True)
async def challenge_code(testbed: ServerTestbed) -> None:
    host, guest = await testbed.guest(), await testbed.guest()
    code = await _challenge(testbed, host, None)
    answer = await guest.ask(Accept(id=0, seek=code))
    expect(isinstance(answer, Ok), f"accept with the code of a challenge was answered by {answer}")
    await _resign(guest, answer.room)


@check("challenge-other", once=True)
async def challenge_other(testbed: ServerTestbed) -> None:
    host, guest, stranger = await testbed.guest(), await testbed.guest(), await testbed.guest()
    seek = await _challenge(testbed, host, _name(guest))
    answer = await stranger.ask(Accept(id=0, seek=seek))
    expect_refused(answer, ErrorCode.INVITE_UNKNOWN, "accept of a challenge to another player")
    await needs(host.ask(Cancel(id=0, seek=seek)))


@check("challenge-declined", once=True)
async def challenge_declined(testbed: ServerTestbed) -> None:
    host, guest = await testbed.guest(), await testbed.guest()
    seek = await _challenge(testbed, host, _name(guest))
    await needs(_told(guest, seek))
    answer = await guest.ask(Cancel(id=0, seek=seek))
    expect(isinstance(answer, Ok), f"cancel by the challenged player was answered by {answer}")
    closed = await host.wait(ChallengeClosed, 0, "challenge_closed")
    expect((closed.seek, closed.declined) == (seek, True), f"a declined challenge was told as {closed}")
    _expect_closed(await guest.ask(Accept(id=0, seek=seek)), "accept of a challenge that was declined")


@check("challenge-withdrawn", once=True)
async def challenge_withdrawn(testbed: ServerTestbed) -> None:
    host, guest = await testbed.guest(), await testbed.guest()
    seek = await _challenge(testbed, host, _name(guest))
    await needs(_told(guest, seek))
    answer = await host.ask(Cancel(id=0, seek=seek))
    expect(isinstance(answer, Ok), f"cancel of a challenge was answered by {answer}")
    closed = await guest.wait(ChallengeClosed, 0, "challenge_closed")
    expect((closed.seek, closed.declined) == (seek, False), f"a withdrawn challenge was told as {closed}")
    _expect_closed(await guest.ask(Accept(id=0, seek=seek)), "accept of a challenge that was withdrawn")


@check("player-unknown", once=True)
async def player_unknown(testbed: ServerTestbed) -> None:
    host = await testbed.guest()
    answer = supported(await host.ask(Challenge(id=0, terms=testbed.terms, to="No Such Player 47")), "challenges")
    expect_refused(answer, ErrorCode.PLAYER_UNKNOWN, "challenge of a player who does not exist")


def _level(testbed: ServerTestbed, probe: Probe) -> str:
    assert probe.welcome is not None
    levels = [level.key for card in probe.welcome.games if card.key == testbed.terms.game for level in card.levels]
    if not levels:
        raise NotApplicable(f"the server lists no computer for {testbed.terms.game}")
    return levels[0]


@check("create", once=True)
async def create(testbed: ServerTestbed) -> None:
    player = await testbed.guest()
    answer = await player.ask(Create(id=0, terms=testbed.terms, levels=(None, _level(testbed, player))))
    expect(isinstance(answer, Ok), f"create was answered by {answer}")
    expect(answer.room is not None, "the ok of create has no room")
    room = await player.ask(Join(id=0, room=answer.room))
    expect(isinstance(room, Room), f"join was answered by {room}")
    expect(room.seat == 0, f"the player took seat 0 and has seat {room.seat}")
    expect(room.players[1].player.bot, "the computer is not labelled as a bot")
    table = await testbed.sit_down(answer.room, player, None)
    if room.status == "playing":
        await needs(table.play(player, await needs(table.turn())))
        await player.until(lambda: len(player.since(0, Moved, table.room)) >= 2, "the computer's turn")
    await player.ask(Resign(id=0, room=answer.room))


@check("level-unknown", once=True)
async def level_unknown(testbed: ServerTestbed) -> None:
    player = await testbed.guest()
    _level(testbed, player)
    answer = await player.ask(Create(id=0, terms=testbed.terms, levels=(None, "no such level")))
    expect_refused(answer, ErrorCode.LEVEL_UNKNOWN, "create with an unknown level")
