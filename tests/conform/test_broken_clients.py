"""Clients that break a rule: the rule that they break reports them. The small client keeps all rules."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.conform.client_check import FAULTS, faults_of
from parlour.conform.profiles import EVERY, Profile
from parlour.conform.report import Verdict
from parlour.conform.rules import CLIENT_RULES, of_profile
from tests.conform.client_variants import CLIENT_VARIANTS, ClientVariant
from tests.conform.mutations import check_client_variant, check_small_client
from tests.conform.small_client import SmallClient


@pytest.mark.parametrize("variant", CLIENT_VARIANTS, ids=lambda variant: variant.name)
def test_a_broken_client_is_caught(variant: ClientVariant) -> None:
    """The rule that describes the mistake is reported as broken, with the frames that show it."""
    (finding,) = check_client_variant(variant).findings
    assert finding.verdict is Verdict.BROKEN, finding
    assert finding.detail
    assert finding.scenario
    assert finding.frames


def test_the_frames_show_the_fault() -> None:
    """Those around it are shown, though the client goes on for a whole game before the mistake is certain."""
    variant = next(variant for variant in CLIENT_VARIANTS if variant.rule == "checks-hash")
    (finding,) = check_client_variant(variant).findings
    texts = [frame.text for frame in finding.frames]
    assert finding.scenario in texts[1:-1]
    assert any(text.startswith("frames left out") for text in texts)


@pytest.mark.parametrize("profile", EVERY, ids=str)
def test_the_unbroken_client_is_certified(profile: Profile) -> None:
    """The client from which the broken ones differ keeps all rules of every profile."""
    report = check_small_client(SmallClient, profile)
    assert report.certificate, report.table()


@pytest.mark.parametrize("game", games.keys())
def test_every_game_can_pass(game: str) -> None:
    """No rule is out of reach because of the game that is played."""
    report = check_small_client(SmallClient, Profile.PLAYER, game=game)
    assert report.certificate, report.table()


def test_every_rule_can_be_broken() -> None:
    """For every client rule there is a client that breaks it, and there are enough of them."""
    assert {variant.rule for variant in CLIENT_VARIANTS} == {rule.key for rule in CLIENT_RULES}
    assert len({variant.name for variant in CLIENT_VARIANTS}) == len(CLIENT_VARIANTS) >= 60


@pytest.mark.parametrize("profile", EVERY, ids=str)
def test_every_rule_is_checked(profile: Profile) -> None:
    """Every client rule of a profile is decided by a fault of the profile or observed during one."""
    decided = {rule for fault in faults_of(profile) for rule in (fault.rule, *fault.shows)}
    assert {rule.key for rule in of_profile(CLIENT_RULES, profile)} <= decided


def test_every_fault_decides_a_rule() -> None:
    """Every fault decides a rule of the list."""
    assert {fault.rule for fault in FAULTS} <= {rule.key for rule in CLIENT_RULES}
