"""Observations are collected with the time of the run."""

from __future__ import annotations

from parlour import games
from parlour.chaos.faults import Fault
from parlour.chaos.observations import Stall
from parlour.chaos.recorder import Recorder
from parlour.protocol.messages import Moved, Room
from parlour.protocol.replica import RoomReplica
from parlour.protocol.scene import SceneDiff, scene_hash
from parlour.protocol.types import Player, Result, SeatedPlayer, Terms


def replica() -> RoomReplica:
    game = games.find("replica")
    options = game.options({})
    scene = game.scene(game.initial(options))
    players = tuple(SeatedPlayer(Player(name)) for name in ("ada", "bob"))
    return RoomReplica(
        Room(
            room="abc", epoch=1, seq=5, hash=scene_hash(scene), board=game.board(options), scene=scene,
            terms=Terms("replica"), players=players, status="over", moves=("f8-d6",), result=Result(0, "resigned"),
        )
    )  # fmt: skip


def test_times_are_in_order(recorder: Recorder) -> None:
    """What is noted later has a later time."""
    attempt = recorder.begin("ada", "abc", 3)
    run = recorder.fault(Fault("node-kill", 1.0, 0), "ws://one")
    recorder.place("ada", "ws://one")
    (placement,) = recorder.seen.placements

    assert 0 <= attempt.began <= run.began <= placement.at <= recorder.now
    assert recorder.seen.attempts == [attempt]
    assert recorder.seen.faults == [run]


def test_moves_that_clients_are_shown(recorder: Recorder) -> None:
    """The same move shown to many clients is one observation, another move at the same place is another."""
    for move in ("e4", "e4", "d5"):
        recorder.show(Moved("abc", 1, 7, 0, move, None, SceneDiff((), (), 0)))

    assert recorder.seen.shown == {("abc", 7): {"e4", "d5"}}


def test_the_final_view(recorder: Recorder) -> None:
    """It has the moves, the hash of the scene and the result."""
    room = replica()
    recorder.view("eve", room)
    (view,) = recorder.seen.views

    assert (view.client, view.room, view.moves, view.result) == ("eve", "abc", ("f8-d6",), Result(0, "resigned"))
    assert view.hash == scene_hash(room.scene)


def test_a_stall(recorder: Recorder) -> None:
    """It ended just now."""
    recorder.stall(2.0)
    (stall,) = recorder.seen.stalls

    assert isinstance(stall, Stall)
    assert abs(stall.ended - stall.began - 2.0) < 0.1


def test_a_failure(recorder: Recorder) -> None:
    """It is kept as a sentence."""
    recorder.fail("A client stopped.")

    assert recorder.seen.failures == ["A client stopped."]
