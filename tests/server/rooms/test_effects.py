"""Effects are plain values, so a test can be the outside world of a room's work."""

from __future__ import annotations

from parlour.server.rooms.effects import Append, Effect, LearnOutages, ReadLog, Reload, Sleep, Step, Work
from parlour.server.rooms.events import Disconnected, encode
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.room_log import Appended
from tests.server.rooms.sample_rooms import NOON


def test_equal_effects_are_equal() -> None:
    """A test can compare what a room yields with what it expects."""
    entries = (encode(Disconnected(NOON, 0)),)
    effects: list[Effect] = [Append(5, entries, None), ReadLog(4), Reload(), LearnOutages(9), Sleep(0.1)]
    assert effects == [Append(5, entries, None), ReadLog(4), Reload(), LearnOutages(9), Sleep(0.1)]
    assert Append(5, entries, None) != Append(6, entries, None)
    assert Sleep(0.1) != Sleep(0.2)


def test_work_is_resumed_with_outcomes() -> None:
    """A generator yields effects, is sent their outcomes, and sees a failed effect as an exception."""
    seen: list[object] = []

    def part() -> Step[str]:
        outcome = yield Append(1, (), None)
        return f"append: {outcome}"

    def work() -> Work:
        seen.append((yield from part()))
        try:
            yield ReadLog(0)
        except StoreUnavailable:
            seen.append("unavailable")
        yield Sleep(1.0)

    running = work()
    assert next(running) == Append(1, (), None)
    assert running.send(Appended.OK) == ReadLog(0)
    assert running.throw(StoreUnavailable("away")) == Sleep(1.0)
    assert seen == [f"append: {Appended.OK}", "unavailable"]
