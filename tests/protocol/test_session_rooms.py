"""A client's replica equals the server's room, or the client notices the difference and asks for a sync."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.protocol.messages import (
    Cursor,
    Hello,
    Leave,
    Moved,
    Ok,
    Play,
    Pong,
    Sync,
)  # fmt: skip
from parlour.protocol.session import (
    ClientSession,
)
from tests.protocol.counted_table import ROOM, WELCOME, Table, welcomed


def in_a_room() -> tuple[ClientSession, int, Table, list[Moved]]:
    """Return a client that has joined a room, and five moves that it has not received yet."""
    session, number = welcomed()
    table = Table()
    session.receive(number, table.room(None), 0)
    return session, number, table, [table.play(f"move {n}") for n in range(5)]


def test_a_gap_is_asked_for_once() -> None:
    """An update that is not the next one makes the client ask once for the updates after its cursor."""
    session, number, _, moved = in_a_room()

    assert session.receive(number, moved[0], 0)
    assert not session.receive(number, moved[2], 0)
    assert not session.receive(number, moved[3], 0)
    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=1, seq=1)]
    assert session.rooms[ROOM].seq == 1


def test_a_repeated_update_is_ignored() -> None:
    """An update that is already known changes nothing."""
    session, number, _, moved = in_a_room()
    session.receive(number, moved[0], 0)
    scene = session.rooms[ROOM].scene

    assert not session.receive(number, moved[0], 0)
    assert session.rooms[ROOM].scene == scene
    assert session.outgoing() == []


def test_a_wrong_hash_makes_the_client_ask_for_the_whole_room() -> None:
    """A replica that differs from the server's room is replaced, and no update is applied to it meanwhile."""
    session, number, table, moved = in_a_room()

    assert not session.receive(number, replace(moved[0], hash=moved[0].hash ^ 1), 0)
    assert not session.receive(number, moved[1], 0)
    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=0, seq=0)]

    assert session.receive(number, table.room(1), 0)
    assert session.rooms[ROOM].scene == table.scene
    assert session.unanswered == ()


def test_a_copy_that_breaks_during_a_sync_is_replaced() -> None:
    """If the missed updates do not repair the replica, the client asks for the whole room."""
    session, number, _, moved = in_a_room()
    session.receive(number, moved[1], 0)
    session.outgoing()
    session.receive(number, replace(moved[0], hash=0), 0)
    session.receive(number, Ok(id=1, seq=5), 0)

    assert session.outgoing() == [Sync(id=2, room=ROOM, epoch=0, seq=0)]


def test_a_lost_last_update_shows_with_the_next_pong() -> None:
    """A client that misses the last update is out of step until the next pong at most."""
    session, number, _, _ = in_a_room()
    session.receive(number, Pong(rooms=(Cursor(ROOM, 1, 5),)), 0)

    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=1, seq=0)]


def test_a_new_epoch_makes_old_numbers_worthless() -> None:
    """An update of a later epoch is never applied to a room of an earlier one."""
    session, number, _, moved = in_a_room()

    assert not session.receive(number, replace(moved[0], epoch=2), 0)
    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=0, seq=0)]


def test_messages_of_an_old_connection_come_too_late() -> None:
    """Messages that arrive on a connection that was given up are ignored."""
    session, number, _, moved = in_a_room()
    session.disconnected()
    session.connected(1)

    assert not session.receive(number, moved[0], 1)
    assert session.rooms[ROOM].seq == 0


def test_hello_tells_where_the_client_stands() -> None:
    """After a reconnect the server knows which updates to send; a diverged replica sends a zero cursor."""
    session, number, _, moved = in_a_room()
    session.receive(number, moved[0], 0)
    session.disconnected()
    session.connected(1)

    assert session.outgoing() == [Hello("test", "secret", (Cursor(ROOM, 1, 1),), session="session")]

    session.rooms[ROOM].in_sync = False
    session.connected(2)

    assert session.outgoing() == [Hello("test", "secret", (Cursor(ROOM, 0, 0),), session="session")]


def test_a_room_that_was_left_is_forgotten() -> None:
    """After leave is answered, a reconnect no longer subscribes to the room."""
    session, number, _, _ = in_a_room()
    id = session.send(Leave(id=0, room=ROOM))
    session.receive(number, Ok(id=id), 0)
    session.disconnected()
    session.connected(1)

    assert session.outgoing() == [Hello("test", "secret", session="session")]


def test_after_a_play_the_next_one_waits_for_the_update() -> None:
    """Between the ok and the update the client does not know the position. Other commands and rooms do not wait."""
    session, number, _, moved = in_a_room()
    play = Play(id=0, room=ROOM, ply=0, move="move 0")
    session.send(play)
    session.outgoing()
    session.receive(number, Ok(id=1, seq=1, epoch=1), 0)
    session.send(play)
    session.send(Leave(id=0, room="other"))
    session.send(replace(play, room="other"))

    assert session.outgoing() == [Leave(id=3, room="other"), replace(play, id=4, room="other")]

    session.receive(number, moved[0], 0)

    assert session.outgoing() == [replace(play, id=2)]


def test_a_held_play_survives_a_reconnect() -> None:
    """It is sent when the missed update or the whole room arrives on the next connection."""
    for whole in (False, True):
        session, number, table, moved = in_a_room()
        play = Play(id=0, room=ROOM, ply=0, move="move 0")
        session.send(play)
        session.receive(number, Ok(id=1, seq=1, epoch=1), 0)
        session.send(play)
        session.disconnected()
        number = session.connected(1)
        session.receive(number, WELCOME, 1)

        assert [type(message) for message in session.outgoing()] == [Hello]

        session.receive(number, table.room(None) if whole else moved[0], 1)

        assert session.outgoing() == [replace(play, id=2)]


def test_an_update_that_came_before_the_ok_is_not_waited_for() -> None:
    """The order of the ok and the update does not matter."""
    session, number, _, moved = in_a_room()
    play = Play(id=0, room=ROOM, ply=0, move="move 0")
    session.send(play)
    session.receive(number, moved[0], 0)
    session.receive(number, Ok(id=1, seq=1, epoch=1), 0)
    session.outgoing()
    session.send(play)

    assert session.outgoing() == [replace(play, id=2)]
