"""The table of costs."""

from __future__ import annotations

from parlour.protocol.errors import Retry
from parlour.protocol.messages import AssessPosition, Cursor, Hello, Play, ReadRecord, Seek, Study
from parlour.protocol.types import Terms
from parlour.server.configuration.settings import SETTINGS, Settings
from parlour.server.connections.limits import Limits
from parlour.server.limits.costs import MESSAGES, SHARED_COSTS, Resource, cost, games_cost, hello_messages


def test_every_resource_has_a_setting_and_a_code() -> None:
    """The code of every limit allows a retry, and its default allows something."""
    for resource in Resource:
        assert resource.code.retry is Retry.LATER
        assert resource.setting in SETTINGS
        assert getattr(Settings(), resource.setting) > 0


def test_every_resource_is_used() -> None:
    """Each is used by some command, and every amount is positive."""
    assert {resource for costs in SHARED_COSTS.values() for resource in costs} == set(Resource)
    assert all(amount > 0 for costs in SHARED_COSTS.values() for amount in costs.values())
    assert all(messages > 1 for messages in MESSAGES.values())


def test_a_move_is_one_message_and_nothing_else() -> None:
    """So a move never waits for a budget in the store."""
    assert Play not in MESSAGES
    assert cost(Play(id=1, room="room", ply=0, move="a1")) == {}


def test_what_costs_depend_on() -> None:
    """A hello with a token creates no guest; a long record or line costs more than a short one."""
    assert cost(Hello("test")) == {Resource.GUESTS: 1}
    assert cost(Hello("test", "token")) == {}
    assert cost(ReadRecord(id=1, text="")) == {Resource.PROCESSOR: 5}
    assert cost(ReadRecord(id=1, text="x" * 8_000)) == {Resource.PROCESSOR: 45}
    assert cost(Study(id=1, terms=Terms("isaac"))) == {}
    assert cost(Study(id=1, terms=Terms("isaac"), moves=("a1",) * 400)) == {Resource.PROCESSOR: 40}
    assert cost(AssessPosition(id=1, terms=Terms("isaac"), moves=("a1",) * 20))[Resource.PROCESSOR] == 2
    assert games_cost(0)[Resource.PROCESSOR] < games_cost(50)[Resource.PROCESSOR]
    assert cost(Seek(id=1, terms=Terms("isaac"))).keys() == {Resource.SEEKS, Resource.STORAGE}


def test_a_hello_with_many_rooms_counts_as_several_messages() -> None:
    """But as fewer than a connection may send at once, so that commands can follow."""
    assert hello_messages(Hello("test", "token")) == 1
    rooms = tuple(Cursor(f"room{number}", 1, 1) for number in range(64))
    assert 1 < hello_messages(Hello("test", "token", rooms)) <= Limits().burst - 20
