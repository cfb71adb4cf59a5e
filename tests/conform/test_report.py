"""The report at the end of a check."""

from __future__ import annotations

import json

from parlour.conform.report import Report, Verdict
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule
from parlour.conform.server_check import ALWAYS
from parlour.conform.server_checks import CHECKS

RULES = (Rule("first", "Comes first."), Rule("second", "Comes second."))


def test_only_kept_rules_yield_exit_code_0() -> None:
    """The exit code is 0 if every rule is kept, and 1 if one is broken, not reached or not decided."""
    report = Report("a server", RULES)
    report.add("first", Verdict.KEPT)
    assert report.exit_code == 1
    report.add("second", Verdict.KEPT)
    assert report.exit_code == 0
    report.add("second", Verdict.NOT_REACHED)
    assert report.exit_code == 1
    report.add("second", Verdict.BROKEN)
    assert report.exit_code == 1


def test_the_worst_verdict_counts() -> None:
    """Of several verdicts on a rule the worst is reported, with the detail of the first such verdict."""
    report = Report("a server", RULES)
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
    report = Report("a server", RULES[:1])
    report.add("first", Verdict.KEPT)
    report.add("second", Verdict.BROKEN)
    assert report.exit_code == 0
    assert "second" not in report.table()


def test_the_table() -> None:
    """The table has a line for each rule with its detail below, then the totals and the rules that need work."""
    report = Report("a server", RULES)
    report.add("first", Verdict.BROKEN, "came last")
    assert report.table().splitlines() == [
        "broken        first   Comes first.",
        "                      → came last",
        "not reached   second  Comes second.",
        "                      → no observation",
        "",
        "a server: 0 kept, 1 broken, 1 not reached.",
        "Broken: first.",
        "Not reached: second.",
    ]


def test_no_line_is_too_wide() -> None:
    """Long sentences and details are wrapped and stay aligned."""
    report = Report("a server", SERVER_RULES)
    for rule in SERVER_RULES:
        report.add(rule.key, Verdict.BROKEN, "very " * 100)
    assert max(map(len, report.table().splitlines())) <= 116


def test_json_says_the_same() -> None:
    """The JSON report has every rule with its sentence, verdict and detail."""
    report = Report("a server", RULES)
    report.add("first", Verdict.KEPT)
    report.add("second", Verdict.BROKEN, "came first")
    assert json.loads(report.json()) == {
        "target": "a server",
        "ok": False,
        "rules": [
            {"rule": "first", "sentence": "Comes first.", "verdict": "kept", "detail": ""},
            {"rule": "second", "sentence": "Comes second.", "verdict": "broken", "detail": "came first"},
        ],
    }


def test_rules_have_keys_of_their_own() -> None:
    """No two rules of one kind have the same key or the same sentence."""
    for rules in (SERVER_RULES, CLIENT_RULES):
        assert len({rule.key for rule in rules}) == len(rules)
        assert len({rule.sentence for rule in rules}) == len(rules)


def test_every_server_rule_is_checked() -> None:
    """Every server rule has a check or is monitored throughout."""
    assert sorted([*CHECKS, *ALWAYS]) == sorted(rule.key for rule in SERVER_RULES)
