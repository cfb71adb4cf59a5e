"""The rule of quick match, as values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parlour.server.matchmaking.pairing import (
    SAME_NETWORK_AFTER,
    TOLERANCE,
    WaitingPlayer,
    accepts,
    can_pair,
    find_opponent,
)

INITIAL, PER_SECOND, UNLIMITED_AFTER = TOLERANCE

times = st.integers(0, 100_000)
people = st.builds(WaitingPlayer, st.sampled_from("abcdefgh"), st.integers(100, 4000), times)


def waiting(player: str, rating: int, since: int = 0) -> WaitingPlayer:
    return WaitingPlayer(player, rating, since)


def test_the_tolerance_grows() -> None:
    """A player accepts a small difference at first, a larger one with every second, and any after half a minute."""
    one = waiting("a", 1500)
    assert accepts(one, INITIAL, 0)
    assert not accepts(one, INITIAL + 1, 0)
    assert accepts(one, INITIAL + 10 * PER_SECOND, 10_000)
    assert not accepts(one, INITIAL + 10 * PER_SECOND, 9_999)
    assert not accepts(one, 3900, UNLIMITED_AFTER - 1)
    assert accepts(one, 3900, UNLIMITED_AFTER)


def test_both_must_agree() -> None:
    """A player who has waited for a long time is not paired with a new player of a very different rating."""
    old, new = waiting("a", 2000), waiting("b", 1500, since=UNLIMITED_AFTER)
    assert not can_pair(old, new, UNLIMITED_AFTER)
    assert can_pair(old, new, 2 * UNLIMITED_AFTER)


def test_blocked_players_are_never_paired() -> None:
    """However long they wait, and whichever of them has blocked the other."""
    one, other = WaitingPlayer("a", 1500, 0, frozenset("b")), waiting("b", 1500)
    assert not can_pair(one, other, 10 * UNLIMITED_AFTER)
    assert not can_pair(other, one, 10 * UNLIMITED_AFTER)


def test_players_of_the_same_network_wait_for_others_first() -> None:
    """Both have to wait; an unknown network is no reason to."""
    one, other = (WaitingPlayer(name, 1500, since, network="n") for name, since in (("a", 0), ("b", 1_000)))
    assert not can_pair(one, other, 1_000 + SAME_NETWORK_AFTER - 1)
    assert can_pair(one, other, 1_000 + SAME_NETWORK_AFTER)
    assert can_pair(waiting("a", 1500), waiting("b", 1500), 0)


@given(people, people, times)
def test_acceptance_is_mutual(one: WaitingPlayer, other: WaitingPlayer, now: int) -> None:
    """If one player accepts another, so does the other; no player is paired with themselves."""
    assert can_pair(one, other, now) == can_pair(other, one, now)
    assert not can_pair(one, one, now)


@given(people, people, times, times)
def test_acceptance_is_permanent(one: WaitingPlayer, other: WaitingPlayer, now: int, later: int) -> None:
    """Waiting never reduces the possible opponents."""
    assert can_pair(one, other, now + later) or not can_pair(one, other, now)


@given(people, people, times)
def test_no_player_waits_forever(one: WaitingPlayer, other: WaitingPlayer, now: int) -> None:
    """Any two players can be paired once both have waited for half a minute."""
    if one.player != other.player:
        assert can_pair(one, other, max(one.since, other.since, now) + UNLIMITED_AFTER)


@given(people, st.lists(people), times)
def test_the_first_acceptable_opponent(player: WaitingPlayer, queue: list[WaitingPlayer], now: int) -> None:
    """No acceptable opponent is passed over who came earlier."""
    found = find_opponent(player, queue, now)
    before = queue if found is None else queue[: queue.index(found)]
    assert found is None or can_pair(player, found, now)
    assert not any(can_pair(player, other, now) for other in before)
