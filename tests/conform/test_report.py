"""What a check says at the end."""

from __future__ import annotations

import json

from parlour.conform.report import Report, Verdict
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule
from parlour.conform.server_check import ALWAYS
from parlour.conform.server_checks import CHECKS

RULES = (Rule("first", "Comes first."), Rule("second", "Comes second."))


def test_all_kept_is_the_only_way_to_0() -> None:
    """The exit code is 0 if every rule is kept, and 1 if one is broken, not reached or not decided."""
    report = Report("somebody", RULES)
    report.add("first", Verdict.KEPT)
    assert report.exit_code == 1
    report.add("second", Verdict.KEPT)
    assert report.exit_code == 0
    report.add("second", Verdict.NOT_REACHED)
    assert report.exit_code == 1
    report.add("second", Verdict.BROKEN)
    assert report.exit_code == 1


def test_the_worst_verdict_counts() -> None:
    """Of several verdicts on a rule the worst is told, with the detail of the first that was so bad."""
    report = Report("somebody", RULES)
    for verdict, detail in (
        (Verdict.NOT_REACHED, "one"),
        (Verdict.BROKEN, "two"),
        (Verdict.KEPT, "three"),
        (Verdict.BROKEN, "four"),
    ):
        report.add("first", verdict, detail)
    assert (report.findings[0].verdict, report.findings[0].detail) == (Verdict.BROKEN, "two")


def test_rules_that_were_not_asked_for_are_left_out() -> None:
    """A verdict on a rule that is not in the report changes nothing."""
    report = Report("somebody", RULES[:1])
    report.add("first", Verdict.KEPT)
    report.add("second", Verdict.BROKEN)
    assert report.exit_code == 0
    assert "second" not in report.table()


def test_the_table() -> None:
    """A line a rule, what was seen below it, then the numbers and the rules that need work."""
    report = Report("somebody", RULES)
    report.add("first", Verdict.BROKEN, "came last")
    assert report.table().splitlines() == [
        "broken        first   Comes first.",
        "                      → came last",
        "not reached   second  Comes second.",
        "                      → nothing that happened could tell",
        "",
        "somebody: 0 kept, 1 broken, 1 not reached.",
        "Broken: first.",
        "Not reached: second.",
    ]


def test_no_line_is_too_wide() -> None:
    """However long a sentence or a detail is, it is wrapped below itself."""
    report = Report("somebody", SERVER_RULES)
    for rule in SERVER_RULES:
        report.add(rule.key, Verdict.BROKEN, "very " * 100)
    assert max(map(len, report.table().splitlines())) <= 116


def test_json_says_the_same() -> None:
    """Programs get every rule with sentence, verdict and detail."""
    report = Report("somebody", RULES)
    report.add("first", Verdict.KEPT)
    report.add("second", Verdict.BROKEN, "came first")
    assert json.loads(report.json()) == {
        "target": "somebody",
        "ok": False,
        "rules": [
            {"rule": "first", "sentence": "Comes first.", "verdict": "kept", "detail": ""},
            {"rule": "second", "sentence": "Comes second.", "verdict": "broken", "detail": "came first"},
        ],
    }


def test_rules_have_keys_of_their_own() -> None:
    """No two rules of a kind have the same key or the same sentence."""
    for rules in (SERVER_RULES, CLIENT_RULES):
        assert len({rule.key for rule in rules}) == len(rules)
        assert len({rule.sentence for rule in rules}) == len(rules)


def test_every_rule_of_a_server_is_looked_at() -> None:
    """Every rule of a server has a check, or is watched all the time."""
    assert sorted([*CHECKS, *ALWAYS]) == sorted(rule.key for rule in SERVER_RULES)
