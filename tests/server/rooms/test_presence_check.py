"""A node asks the others for players it does not see, and concludes from silence that they are offline."""

from __future__ import annotations

from parlour.server.rooms.context import WhoHasPlayer
from parlour.server.rooms.events import Disconnected
from parlour.server.rooms.presence_check import (
    ANSWER_WITHIN,
    CHECK_EVERY,
    RECORDED_AT_ONCE,
    RECORDED_FOR,
    PresenceCheck,
)
from parlour.server.rooms.state import RoomState
from parlour.server.rooms.subscribers import Subscribers
from tests.server.rooms.sample_rooms import ADA, BEN, NOON, fold, new_room
from tests.server.rooms.scripted_context import ScriptedContext, ScriptedSubscriber


class Checked:
    """A presence check whose timers the test fires."""

    def __init__(self, state: RoomState, *players: ScriptedSubscriber) -> None:
        self.context = ScriptedContext(state)
        self.missing: list[int] = []
        subscribers = Subscribers(state, self.context)
        for player in players:
            subscribers.add(player)
        self.check = PresenceCheck(subscribers, self.context, self.missing.append)

    def fire(self) -> float:
        """Fire the newest timer; return how long it had to wait."""
        timer = self.context.timers[-1]
        timer.fire()
        return timer.seconds


def test_a_player_that_no_node_has_is_missing() -> None:
    """The other nodes are asked for the player that is not here, and have some time to answer."""
    checked = Checked(new_room(), ScriptedSubscriber(ADA))
    assert checked.fire() == CHECK_EVERY
    assert checked.context.told == [WhoHasPlayer(room="room", seat=1)]
    assert checked.missing == []
    assert checked.fire() == ANSWER_WITHIN
    assert checked.missing == [1]


def test_a_player_on_another_node_is_not_missing() -> None:
    """One answer is enough."""
    checked = Checked(new_room(), ScriptedSubscriber(ADA))
    checked.fire()
    checked.check.answered(1)
    checked.fire()
    assert checked.missing == []


def test_players_that_are_here_or_known_to_be_offline_are_not_asked_for() -> None:
    """The log says already that Ben is offline."""
    checked = Checked(fold(new_room(), Disconnected(NOON, 1)), ScriptedSubscriber(ADA))
    checked.fire()
    assert checked.context.told == []
    both = Checked(new_room(), ScriptedSubscriber(ADA), ScriptedSubscriber(BEN))
    both.fire()
    assert both.context.told == []


def test_the_check_is_repeated() -> None:
    """Each round asks again, whatever the last one found."""
    checked = Checked(new_room())
    for _ in range(2):
        checked.fire()
        checked.fire()
    assert checked.missing == [0, 1, 0, 1]


def test_closing_ends_the_check() -> None:
    """Its timer is cancelled."""
    checked = Checked(new_room())
    checked.check.close()
    assert checked.context.timers[-1].is_cancelled


def test_a_player_who_comes_and_goes_does_not_fill_the_log() -> None:
    """A few changes are recorded at once, all further ones as one when the first of them is some seconds old."""
    checked = Checked(new_room(), ScriptedSubscriber(ADA))
    for _ in range(20):
        checked.check.changed(0)
    assert checked.missing == [0] * RECORDED_AT_ONCE
    first = checked.context.timers[1]
    first.fire()
    assert first.seconds == RECORDED_FOR
    assert checked.missing == [0] * (RECORDED_AT_ONCE + 1)
    checked.context.timers[2].fire()
    assert checked.missing == [0] * (RECORDED_AT_ONCE + 1)
    checked.check.changed(0)
    assert checked.missing == [0] * (RECORDED_AT_ONCE + 2)


def test_a_player_who_comes_and_goes_does_not_delay_the_other() -> None:
    """Changes are counted for each player; closing forgets them."""
    checked = Checked(new_room())
    for _ in range(20):
        checked.check.changed(0)
    checked.check.changed(1)
    assert checked.missing[-1] == 1
    checked.check.close()
    assert all(timer.is_cancelled for timer in checked.context.timers)
