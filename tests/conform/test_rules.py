"""The list of rules."""

from __future__ import annotations

import pytest

from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule


@pytest.mark.parametrize("rule", [*SERVER_RULES, *CLIENT_RULES], ids=lambda rule: rule.key)
def test_a_rule_has_a_key_and_a_sentence(rule: Rule) -> None:
    """Keys are lower case with hyphens, for the command line; descriptions are sentences that end with a full stop."""
    assert rule.key.replace("-", "").isalpha()
    assert rule.key.islower()
    assert rule.sentence[0].isupper()
    assert rule.sentence.endswith(".")
