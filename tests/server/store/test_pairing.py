"""The rule of quick match, as values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parlour.server.store.pairing import ANYBODY_AFTER, NEAR, WIDER, Waiting, accepts, fit, opponent

times = st.integers(0, 100_000)
people = st.builds(Waiting, st.sampled_from("abcdefgh"), st.integers(100, 4000), times)


def waiting(player: str, rating: int, since: int = 0) -> Waiting:
    return Waiting(player, rating, since)


def test_what_somebody_puts_up_with_grows() -> None:
    """Little at first, more with every second, everything after half a minute."""
    one = waiting("a", 1500)
    assert accepts(one, NEAR, 0)
    assert not accepts(one, NEAR + 1, 0)
    assert accepts(one, NEAR + 10 * WIDER, 10_000)
    assert not accepts(one, NEAR + 10 * WIDER, 9_999)
    assert not accepts(one, 3900, ANYBODY_AFTER - 1)
    assert accepts(one, 3900, ANYBODY_AFTER)


def test_both_must_agree() -> None:
    """Somebody who has waited for long does not get a newcomer who is far away."""
    old, new = waiting("a", 2000), waiting("b", 1500, since=ANYBODY_AFTER)
    assert not fit(old, new, ANYBODY_AFTER)
    assert fit(old, new, 2 * ANYBODY_AFTER)


@given(people, people, times)
def test_fitting_is_mutual(one: Waiting, other: Waiting, now: int) -> None:
    """If one may play the other, the other may play the one; nobody fits himself."""
    assert fit(one, other, now) == fit(other, one, now)
    assert not fit(one, one, now)


@given(people, people, times, times)
def test_who_fits_once_fits_for_good(one: Waiting, other: Waiting, now: int, later: int) -> None:
    """Waiting never makes the choice smaller."""
    assert fit(one, other, now + later) or not fit(one, other, now)


@given(people, people, times)
def test_nobody_waits_for_ever(one: Waiting, other: Waiting, now: int) -> None:
    """Any two fit once both have waited for half a minute."""
    if one.player != other.player:
        assert fit(one, other, max(one.since, other.since, now) + ANYBODY_AFTER)


@given(people, st.lists(people), times)
def test_the_first_that_fits(asker: Waiting, queue: list[Waiting], now: int) -> None:
    """Nobody is passed over who came earlier and fits."""
    found = opponent(asker, queue, now)
    before = queue if found is None else queue[: queue.index(found)]
    assert found is None or fit(asker, found, now)
    assert not any(fit(asker, other, now) for other in before)
