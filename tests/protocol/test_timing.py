"""When a client pings, gives up on a server and reconnects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.timing import (
    COMMAND_TIMEOUT,
    GAME_COMMAND_TIMEOUT,
    MAX_OPEN_TIMEOUT,
    MAX_RECONNECT_DELAY,
    PING_INTERVAL,
    PROBE_DELAY,
    PROBE_ROUND_TRIPS,
    PROBE_TIMEOUT,
    SILENCE_LIMIT,
    SUSPENSION,
    Action,
    Liveness,
    Urgency,
    addresses_to_try,
    open_timeout,
    reconnect_delay,
)

TICK = 0.25


def run(liveness: Liveness, start: float, end: float, awaits_reply: bool) -> list[tuple[float, Action]]:
    """Tick four times a second and return everything but `NOTHING`, up to the moment it gives up."""
    actions: list[tuple[float, Action]] = []
    for number in range(int((end - start) / TICK) + 1):
        now = start + number * TICK
        action = liveness.tick(now, 1 if awaits_reply else None)
        if action is not Action.NOTHING:
            actions.append((now, action))
        if action is Action.GIVE_UP:
            break
    return actions


def test_an_unanswered_command_is_followed_by_a_ping_and_then_by_giving_up() -> None:
    """A client with a command under way gives up on a silent server after 1.5 seconds, not after 25."""
    assert run(Liveness(), 0.0, 30.0, awaits_reply=True) == [
        (PROBE_DELAY, Action.PING),
        (PROBE_DELAY + PROBE_TIMEOUT, Action.GIVE_UP),
    ]


def test_without_a_command_only_long_silence_counts() -> None:
    """An idle client pings every ten seconds and gives up after 25 seconds of silence."""
    assert run(Liveness(), 0.0, 30.0, awaits_reply=False) == [
        (PING_INTERVAL, Action.PING),
        (2 * PING_INTERVAL, Action.PING),
        (SILENCE_LIMIT, Action.GIVE_UP),
    ]


def test_any_message_ends_the_probe() -> None:
    """A server that is slow but responsive is probed again, not given up."""
    liveness = Liveness()
    run(liveness, 0.0, PROBE_DELAY, awaits_reply=True)
    liveness.received(1.0)

    assert run(liveness, 1.0, 1.0 + PROBE_DELAY, awaits_reply=True) == [(1.0 + PROBE_DELAY, Action.PING)]


def test_a_slow_reply_lengthens_the_next_probe() -> None:
    """A probe waits for as many round trips as a lost packet may cost, but never less than its minimum."""
    liveness = Liveness()
    run(liveness, 0.0, PROBE_DELAY, awaits_reply=True)
    liveness.received(PROBE_DELAY + 1.0)
    second = PROBE_DELAY + 1.0 + PROBE_DELAY

    assert run(liveness, PROBE_DELAY + 1.0, 30.0, awaits_reply=True) == [
        (second, Action.PING),
        (second + PROBE_ROUND_TRIPS * 1.0, Action.GIVE_UP),
    ]


def test_a_connection_that_was_given_up_earns_the_next_one_more_time() -> None:
    """On a slow network, a client does not reconnect in a loop."""
    liveness = Liveness()
    lifetimes = []
    for _ in range(6):
        liveness.connected(0.0)
        lifetimes.append(run(liveness, 0.0, 30.0, awaits_reply=True)[-1][0])

    assert lifetimes == sorted(lifetimes)
    assert lifetimes[1] == PROBE_DELAY + 2 * PROBE_TIMEOUT
    assert lifetimes[-1] == SILENCE_LIMIT


def test_a_quick_answer_restores_the_usual_limit() -> None:
    """Only a slow network earns more time, not a server that was lost."""
    liveness = Liveness()
    for _ in range(3):
        liveness.connected(0.0)
        liveness.answered(0.1, 7)
        assert run(liveness, 0.1, 30.0, awaits_reply=True)[-1][0] == pytest.approx(
            0.1 + PROBE_DELAY + PROBE_TIMEOUT, abs=TICK
        )


def test_a_slow_answer_earns_the_next_command_more_time() -> None:
    """Three times as long as the answer took."""
    liveness = Liveness()
    liveness.tick(0.0, 1)
    liveness.answered(1.0, 1)
    liveness.tick(1.0, None)
    assert run(liveness, 1.0, 30.0, awaits_reply=True)[-1][0] == pytest.approx(
        1.0 + PROBE_DELAY + PROBE_ROUND_TRIPS, abs=TICK
    )


def test_a_suspended_client_probes_before_it_gives_up() -> None:
    """Messages that arrived during a suspension have not been read yet, so silence proves nothing."""
    liveness = Liveness()
    run(liveness, 0.0, PROBE_DELAY, awaits_reply=True)

    assert liveness.tick(PROBE_DELAY + 2 * SUSPENSION, 1) is Action.NOTHING


@given(st.lists(st.tuples(st.floats(0.01, 0.4), st.booleans()), max_size=200))
def test_a_server_that_keeps_sending_is_never_given_up(script: list[tuple[float, bool]]) -> None:
    """Whether commands are unanswered or not, a message within half a second keeps the connection."""
    liveness, now = Liveness(), 0.0
    for number, (pause, awaits_reply) in enumerate(script):
        now += pause
        liveness.received(now)
        assert liveness.tick(now, number if awaits_reply else None) is not Action.GIVE_UP


def test_a_server_that_does_not_answer_a_command_is_given_up() -> None:
    """That it answers pings does not help; each command has its own time."""
    liveness = Liveness()

    def lives_until(start: float, end: float, oldest: int) -> float:
        now = start
        while now < end:
            now += TICK
            liveness.received(now)
            if liveness.tick(now, oldest) is Action.GIVE_UP:
                break
        return now

    assert lives_until(0.0, 9.0, oldest=1) == 9.0
    assert lives_until(9.0, 99.0, oldest=2) == 9.0 + TICK + COMMAND_TIMEOUT


def test_a_command_of_a_running_game_may_wait_less_long() -> None:
    """Each node that does not answer it earns the next one twice the time, until one does."""
    liveness = Liveness()

    def lifetime() -> float:
        liveness.connected(0.0)
        now = 0.0
        while liveness.tick(now, 1, is_urgent=True) is not Action.GIVE_UP:
            now += TICK
            liveness.received(now)
        return now

    assert [lifetime() for _ in range(5)] == [
        GAME_COMMAND_TIMEOUT,
        2 * GAME_COMMAND_TIMEOUT,
        4 * GAME_COMMAND_TIMEOUT,
        COMMAND_TIMEOUT,
        COMMAND_TIMEOUT,
    ]
    liveness.answered(0.1, 1)
    assert lifetime() == GAME_COMMAND_TIMEOUT


@pytest.mark.parametrize(("failures", "delay"), [(0, 0.1), (1, 0.2), (2, 0.4), (5, 3.2), (6, 5.0), (10_000, 5.0)])
def test_reconnect_delays_double_up_to_a_limit(failures: int, delay: float) -> None:
    """The first attempt follows almost at once; later ones are at most five seconds apart."""
    assert reconnect_delay(failures, 0.5, Urgency.COMMAND) == pytest.approx(delay)


def test_the_clients_that_wait_for_an_answer_reconnect_first() -> None:
    """When a node is lost, spectators and visitors of the lobby leave the first second to the players."""
    command, game, none = Urgency
    assert reconnect_delay(0, 1.0, command) < reconnect_delay(0, 0.0, game)
    assert reconnect_delay(0, 1.0, game) < reconnect_delay(0, 0.0, none)
    assert {reconnect_delay(10, 0.5, urgency) for urgency in Urgency} == {MAX_RECONNECT_DELAY}


@pytest.mark.parametrize(("failures", "timeout"), [(0, 3.0), (1, 6.0), (2, 12.0), (3, 20.0), (10_000, 20.0)])
def test_an_attempt_to_connect_gets_more_time_after_each_failure(failures: int, timeout: float) -> None:
    """One address that does not answer costs little, and a slow network is reached in the end."""
    assert open_timeout(failures, 1) == timeout
    assert open_timeout(failures, 3) == min(4 * timeout, MAX_OPEN_TIMEOUT)


@pytest.mark.parametrize(("known", "hurried"), [(1, 1), (2, 2), (3, 3), (9, 3)])
def test_a_player_in_a_hurry_tries_several_addresses_at_once(known: int, hurried: int) -> None:
    """Any other client tries one after the other: the nodes that remain take over many clients at once."""
    assert addresses_to_try(known, is_hurried=True) == hurried
    assert addresses_to_try(known, is_hurried=False) == 1


@given(st.integers(0, 50), st.floats(0, 1))
def test_chance_spreads_reconnects_by_a_quarter(failures: int, chance: float) -> None:
    """Clients of a lost node do not all reconnect at the same time."""
    middle = reconnect_delay(failures, 0.5, Urgency.COMMAND)
    spread = reconnect_delay(failures, chance, Urgency.COMMAND)
    assert 0.75 * middle <= spread <= min(1.25 * middle, 1.25 * MAX_RECONNECT_DELAY)
