"""The profiles."""

from __future__ import annotations

from parlour.conform.profiles import EVERY, Profile
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, listing, of_profile


def test_a_profile_is_found_by_its_name() -> None:
    """The command line names profiles by their values."""
    assert [Profile.named(profile.value) for profile in EVERY] == list(EVERY)


def test_every_profile_has_rules() -> None:
    """Every profile has rules of its own for clients and for servers, and the list shows them."""
    for rules in (CLIENT_RULES, SERVER_RULES):
        for profile in EVERY:
            own = of_profile(rules, profile)
            assert len(own) >= 10
            listed = listing(rules, profile)
            assert listed.startswith(f"{profile}: {profile.purpose} ({len(own)} rules)")
            assert all(rule.sentence in listed for rule in own)
