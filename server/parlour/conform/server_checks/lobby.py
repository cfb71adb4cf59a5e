"""Seeks, and the lobby that lists them."""

from __future__ import annotations

from typing import Any

from parlour.conform.probe import NotApplicable, NotReached, Probe, expect, expect_refused, needs, supported
from parlour.conform.server_checks import check
from parlour.conform.server_checks.offers import both_moved
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    Cancel,
    Join,
    Lobby,
    LobbyChanged,
    Ok,
    Paired,
    Queue,
    Resign,
    Room,
    Seek,
    WatchLobby,
)  # fmt: skip


async def _posted(testbed: ServerTestbed, host: Probe) -> str:
    answer = supported(await host.ask(Seek(id=0, terms=testbed.terms)), "seeks")
    expect(isinstance(answer, Ok), f"seek was answered by {answer}")
    expect(answer.seek is not None, "the ok of a seek has no seek")
    return str(answer.seek)


async def _watcher(testbed: ServerTestbed) -> Probe:
    watcher = await testbed.guest()
    answer = supported(await watcher.ask(WatchLobby(id=0)), "lobby")
    expect(isinstance(answer, Ok), f"watch_lobby was answered by {answer}")
    await watcher.wait(Lobby, 0, "lobby after watch_lobby")
    return watcher


def _open_seeks(watcher: Probe) -> dict[str, Any]:
    """Return the seeks of the last lobby, with all changes since."""
    seeks: dict[str, Any] = {}
    for message in watcher.log:
        if isinstance(message, Lobby):
            seeks = {seek.seek: seek for seek in message.seeks}
        elif isinstance(message, LobbyChanged):
            seeks = {key: seek for key, seek in seeks.items() if key not in message.seeks_removed}
            seeks |= {seek.seek: seek for seek in message.seeks}
    return seeks


async def _appears(watcher: Probe, seek: str) -> None:
    await watcher.until(lambda: seek in _open_seeks(watcher), "lobby_changed with the seek")


async def _gone(watcher: Probe, seek: str, when: str) -> None:
    await watcher.until(lambda: seek not in _open_seeks(watcher), f"a lobby without the seek {when}")


@check("lobby", once=True)
async def lobby(testbed: ServerTestbed) -> None:
    host = await testbed.guest()
    seek = await _posted(testbed, host)
    watcher = await _watcher(testbed)
    await watcher.until(lambda: seek in _open_seeks(watcher), "a lobby with the open seek")
    listed = _open_seeks(watcher)[seek]
    expect(listed.terms == testbed.terms, f"the terms of the seek are {listed.terms}")
    assert host.welcome is not None
    expect(listed.player.name == host.welcome.you.name, f"the seek is listed as that of {listed.player.name}")
    await host.close()


@check("lobby-numbers", once=True)
async def lobby_numbers(testbed: ServerTestbed) -> None:
    watcher, host = await _watcher(testbed), await testbed.guest()
    for _ in range(2):
        seek = await _posted(testbed, host)
        await _appears(watcher, seek)
        await needs(host.ask(Cancel(id=0, seek=seek)))
        await _gone(watcher, seek, "after cancel")
    n = None
    for message in watcher.log:
        if isinstance(message, Lobby):
            n = message.n
        elif isinstance(message, LobbyChanged):
            expect(n is not None, "lobby_changed came before lobby")
            expect(message.n == (n or 0) + 1, f"lobby_changed {message.n} came after {n}")
            n = message.n
    await host.close()


@check("lobby-live", once=True)
async def lobby_live(testbed: ServerTestbed) -> None:
    watcher = await _watcher(testbed)
    table = await testbed.meet()

    def is_listed() -> bool:
        live = False
        for message in watcher.log:
            if isinstance(message, Lobby | LobbyChanged):
                live = live or any(game.room == table.room for game in message.live)
                live = live and table.room not in getattr(message, "live_removed", ())
        return live

    await both_moved(table)
    await watcher.until(is_listed, "the running game in the lobby")
    await needs(table.me.ask(Resign(id=0, room=table.room)))
    await watcher.until(lambda: not is_listed(), "a lobby without the game that is over")
    await table.close()


@check("lobby-off", once=True)
async def lobby_off(testbed: ServerTestbed) -> None:
    watcher, second, host = await _watcher(testbed), await _watcher(testbed), await testbed.guest()
    answer = await watcher.ask(WatchLobby(id=0, on=False))
    expect(isinstance(answer, Ok), f"watch_lobby with on false was answered by {answer}")
    mark = watcher.mark()
    seek = await _posted(testbed, host)
    await _appears(second, seek)
    await needs(watcher.settle())
    expect(not watcher.since(mark, LobbyChanged), "lobby_changed came after watch_lobby with on false")
    await host.close()


@check("seek", once=True)
async def seek(testbed: ServerTestbed) -> None:
    host, guest = await testbed.guest(), await testbed.guest()
    posted = await _posted(testbed, host)
    answer = await guest.ask(Accept(id=0, seek=posted))
    expect(isinstance(answer, Ok), f"accept was answered by {answer}")
    expect(answer.room is not None, "the ok of accept has no room")
    pairs = [await probe.wait(Paired, 0, "paired") for probe in (host, guest)]
    expect(all(paired.room == answer.room for paired in pairs), f"{answer.room} was accepted, and {pairs} came")
    expect(all(paired.seek == posted for paired in pairs), f"the seek was {posted}, and {pairs} came")
    expect({paired.seat for paired in pairs} == {0, 1}, "both players were paired into one seat")
    for probe in (host, guest):
        room = await probe.ask(Join(id=0, room=answer.room))
        expect(isinstance(room, Room), f"join was answered by {room}")
    await needs(host.ask(Resign(id=0, room=answer.room)))


@check("seek-seat", once=True)
async def seek_seat(testbed: ServerTestbed) -> None:
    for seat in ("first", "second"):
        table = await testbed.meet(seat=seat)
        wanted = ("first", "second").index(seat)
        expect(table.seat == wanted, f"the creator of a seek wanted the {seat} seat and got seat {table.seat}")
        await table.close()


@check("own-seek", once=True)
async def own_seek(testbed: ServerTestbed) -> None:
    host = await testbed.guest()
    posted = await _posted(testbed, host)
    answer = await host.ask(Accept(id=0, seek=posted))
    expect_refused(answer, ErrorCode.OWN_SEEK, "accept of the player's own seek")
    await host.close()


@check("seek-gone", once=True)
async def seek_gone(testbed: ServerTestbed) -> None:
    host, guest, late = await testbed.guest(), await testbed.guest(), await testbed.guest()
    posted = await _posted(testbed, host)
    accepted = await needs(guest.ask(Accept(id=0, seek=posted)))
    answer = await late.ask(Accept(id=0, seek=posted))
    expect_refused(answer, ErrorCode.SEEK_GONE, "accept of a seek that another player has accepted")
    if isinstance(accepted, Ok) and accepted.room:
        await guest.ask(Join(id=0, room=accepted.room))
        await guest.ask(Resign(id=0, room=accepted.room))


@check("cancel", once=True)
async def cancel(testbed: ServerTestbed) -> None:
    watcher, host, guest = await _watcher(testbed), await testbed.guest(), await testbed.guest()
    posted = await _posted(testbed, host)
    await _appears(watcher, posted)
    answer = await host.ask(Cancel(id=0, seek=posted))
    expect(isinstance(answer, Ok), f"cancel was answered by {answer}")
    await _gone(watcher, posted, "after cancel")
    answer = await guest.ask(Accept(id=0, seek=posted))
    expect_refused(answer, ErrorCode.SEEK_GONE, "accept of a seek that was withdrawn")


@check("queue-cancel", once=True)
async def queue_cancel(testbed: ServerTestbed) -> None:
    first, second = await testbed.guest(), await testbed.guest()
    place = await needs(first.ask(Queue(id=0, terms=testbed.terms)))
    await needs(first.settle())
    if first.since(0, Paired):
        raise NotApplicable("the server pairs with an opponent of its own at once")
    if not isinstance(place, Ok) or place.seek is None:
        raise NotReached(f"queue was answered by {place}")
    answer = await first.ask(Cancel(id=0, seek=place.seek))
    expect(isinstance(answer, Ok), f"cancel of a place in the queue was answered by {answer}")
    other = await needs(second.ask(Queue(id=0, terms=testbed.terms)))
    third = await testbed.guest()
    await needs(third.ask(Queue(id=0, terms=testbed.terms)))
    paired = await second.wait(Paired, 0, "paired with the player who queues next")
    await needs(first.settle())
    expect(not first.since(0, Paired), "a player who had left the queue was paired")
    assert isinstance(other, Ok)
    await second.ask(Join(id=0, room=paired.room))
    await second.ask(Resign(id=0, room=paired.room))


@check("seek-ends", once=True)
async def seek_ends(testbed: ServerTestbed) -> None:
    watcher, host = await _watcher(testbed), await testbed.guest()
    posted = await _posted(testbed, host)
    await _appears(watcher, posted)
    await host.cut()
    await _gone(watcher, posted, "of a player who has disconnected")


@check("seek-again", once=True)
async def seek_again(testbed: ServerTestbed) -> None:
    host, guest = await testbed.guest(), await testbed.guest()
    command = Seek(id=next(host.ids), terms=testbed.terms)
    posted = supported(await needs(host.repeat(command)), "seeks")
    host = await testbed.again(host)
    answer = await host.repeat(command)
    expect(isinstance(answer, Ok), f"seek was sent again after a reconnect and answered by {answer}")
    expect(answer.seek == posted.seek, f"the seek was {posted.seek}, and after a reconnect {answer.seek}")
    accepted = await guest.ask(Accept(id=0, seek=answer.seek))
    expect(isinstance(accepted, Ok), f"accept of a seek that was sent again was answered by {accepted}")
    await needs(host.wait(Paired, 0, "paired"))
    await guest.ask(Join(id=0, room=accepted.room))
    await guest.ask(Resign(id=0, room=accepted.room))
