"""Servers that break a rule: the rule that they break reports them. The small server keeps all rules."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.conform.report import Verdict
from parlour.conform.rules import SERVER_RULES
from tests.conform.mutations import check_server_variant, check_small_server
from tests.conform.server_message_variants import ServerVariant
from tests.conform.server_variants import SERVER_VARIANTS
from tests.conform.small_server import SmallServer


@pytest.mark.parametrize("variant", SERVER_VARIANTS, ids=lambda variant: variant.name)
def test_a_broken_server_is_caught(variant: ServerVariant) -> None:
    """The rule that describes the mistake is reported as broken, with the frames that show it."""
    (finding,) = check_server_variant(variant).findings
    assert finding.verdict is Verdict.BROKEN, finding
    assert finding.detail
    assert finding.scenario
    assert finding.frames


@pytest.mark.parametrize("game", games.keys())
def test_the_unbroken_server_is_certified(game: str) -> None:
    """The server from which the broken ones differ keeps all rules, with every game."""
    report = check_small_server(SmallServer, game=game)
    assert report.certificate, report.table()
    left_out = [] if game == "mapello" else ["choose-first", "not-started"]
    assert report.of(Verdict.NOT_APPLICABLE) == left_out


def test_every_rule_can_be_broken() -> None:
    """For every server rule there is a server that breaks it, and there are enough of them."""
    assert {variant.rule for variant in SERVER_VARIANTS} == {rule.key for rule in SERVER_RULES}
    assert len({variant.name for variant in SERVER_VARIANTS}) == len(SERVER_VARIANTS) >= 60
