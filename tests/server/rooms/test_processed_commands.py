"""A room remembers the commands that it has executed, so that it recognises one that is sent again."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.protocol.command_digest import command_digest
from parlour.protocol.types import Result
from parlour.server.rooms.events import Disconnected, Ended
from parlour.server.rooms.shared_list import shared_list
from parlour.server.rooms.state import REMEMBERED, Ply, ProcessedCommand, RoomState, unpack
from tests.server.rooms.sample_rooms import ADA, BEN, NOON, answer, commanded, fold, new_room, offer, play


def test_a_processed_command_is_recognised() -> None:
    """It is found by player, session and id, also after takebacks and in snapshots."""
    room = new_room()
    command = play(room, id=7)
    room = commanded(room, ADA, command, session="one")
    assert room.find_processed(ADA.id, "one", 7) == ProcessedCommand(
        ADA.id, 7, room.seq, "one", command_digest(command)
    )
    played = room.seq
    room = commanded(room, ADA, offer("takeback", id=8), session="two")
    room = commanded(room, BEN, answer("takeback", True, id=7), session="one")
    for same in (room, unpack(room.pack())):
        assert _seq(same, ADA.id, 7, "one") == played
        assert _seq(same, ADA.id, 8, "two") == played + 1
        assert _seq(same, BEN.id, 7, "one") == played + 2
        for player, id, session in ((BEN.id, 8, "two"), (ADA.id, 9, "one"), (ADA.id, 7, "two"), (ADA.id, 8, "one")):
            assert _seq(same, player, id, session) is None


def test_a_bounded_number_of_moves_is_remembered() -> None:
    """The newest moves of both players are remembered, each for its mover only."""
    plies = [Ply((0,), "a1", ply % 2, 0, id=1000 + ply, seq=ply) for ply in range(REMEMBERED + 10)]
    room = replace(new_room(), plies=shared_list(*plies))
    for ply in plies:
        mover, other = (ADA, BEN) if ply.seat == 0 else (BEN, ADA)
        assert _seq(room, mover.id, ply.id) == (ply.seq if ply.seq >= 10 else None)
        assert _seq(room, other.id, ply.id) is None


def test_the_highest_command_ids() -> None:
    """They cover moves, moves that were taken back and other commands, for each session of each player separately."""
    room = new_room()
    assert room.highest_command_ids() == {}
    command = play(room, id=7)
    room = commanded(room, ADA, command, session="one")
    assert room.highest_command_ids() == {(ADA.id, "one"): 7}
    room = commanded(room, ADA, offer("takeback", id=3), session="two")
    room = commanded(room, BEN, answer("takeback", True, id=5), session="one")
    for same in (room, unpack(room.pack())):
        assert same.highest_command_ids() == {(ADA.id, "one"): 7, (ADA.id, "two"): 3, (BEN.id, "one"): 5}


def test_events_without_a_command_are_not_remembered() -> None:
    """Events that no player caused belong to no command."""
    room = fold(new_room(), Disconnected(NOON, 0), Ended(NOON, Result(None, "aborted")))
    assert not room.processed
    assert _seq(room, "", -1) is None


def test_a_bounded_number_of_commands_is_remembered() -> None:
    """The newest commands of both players together are remembered, and no others."""
    room = new_room("mapello")
    ids: list[tuple[str, int, int]] = []
    while len(ids) < 2 * REMEMBERED + 20:
        player, other = (ADA, BEN) if room.to_move == 0 else (BEN, ADA)
        for who, command in (
            (player, offer("draw", id=len(ids))),
            (other, answer("draw", False, id=len(ids) + 1)),
            (player, play(room, id=len(ids) + 2)),
        ):
            room = commanded(room, who, command)
            ids.append((who.id, command.id, room.seq))
    assert len(room.processed) == REMEMBERED
    assert all(_seq(room, player, id) == seq for player, id, seq in ids[-REMEMBERED:])
    others = [command for number, command in enumerate(ids) if number % 3 != 2]  # moves are remembered separately
    assert all(_seq(room, player, id) is None for player, id, _ in others[:-REMEMBERED])


def _seq(room: RoomState, player: str, id: int, session: str = "") -> int | None:
    """Return the seq of a command that the room remembers."""
    done = room.find_processed(player, session, id)
    return None if done is None else done.seq
