"""The report at the end of a check."""

from __future__ import annotations

import json

from parlour.conform.frames import Frame
from parlour.conform.profiles import Profile
from parlour.conform.report import Report, Subject, Verdict
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule
from parlour.conform.server_check import ALWAYS
from parlour.conform.server_checks import CHECKS

SUBJECT = Subject("server", "a server", "replica", Profile.PLAYER)
RULES = (Rule("first", "Comes first."), Rule("second", "Comes second."))


def test_only_kept_rules_yield_exit_code_0() -> None:
    """The exit code is 0 if every rule is kept, and 1 if one is broken, not reached or not decided."""
    report = Report(SUBJECT, RULES)
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
    report = Report(SUBJECT, RULES)
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
    report = Report(SUBJECT, RULES[:1])
    report.add("first", Verdict.KEPT)
    report.add("second", Verdict.BROKEN)
    assert report.exit_code == 0
    assert "second" not in report.table()


def test_the_table() -> None:
    """The table has a line for each rule with its detail below, then the totals and the rules that need work."""
    report = Report(SUBJECT, RULES)
    report.add("first", Verdict.BROKEN, "came last")
    assert report.table().splitlines() == [
        "broken          first   Comes first.",
        "                        → came last",
        "not reached     second  Comes second.",
        "                        → no observation",
        "",
        "a server: 0 kept, 1 broken, 1 not reached.",
        "Broken: first.",
        "Not reached: second.",
        "Conformance kit 2, protocol parlour.v1, player, game replica.",
    ]


def test_a_failed_rule_shows_its_frames() -> None:
    """The scenario and its last frames follow the table, and are in the JSON report; a kept rule shows none."""
    report = Report(SUBJECT, RULES)
    frames = (Frame(1.5, 2, "client", '{"t":"ping"}'),)
    report.add("first", Verdict.BROKEN, "came last", "a race", frames)
    report.add("second", Verdict.KEPT, "", "a race", frames)
    assert 'first, in the scenario “a race”:\n     1.500 #2 > {"t":"ping"}\n' in report.table()
    assert report.table().count("ping") == 1
    told = json.loads(report.json())["rules"]
    assert told[0]["frames"] == [{"at": 1.5, "connection": 2, "sender": "client", "text": '{"t":"ping"}'}]
    assert told[1]["frames"] == []


def test_a_rule_that_does_not_apply_is_no_failure() -> None:
    """It is neither kept nor broken, and the certificate names it; without any rule that is kept there is none."""
    report = Report(SUBJECT, RULES)
    report.add("first", Verdict.NOT_APPLICABLE, "there is no clock")
    report.add("second", Verdict.KEPT)
    assert report.exit_code == 0
    assert report.certificate == (
        "Certified: server “a server”, player, parlour.v1, conformance kit 2, replica: 1 rules kept, "
        "not applicable: first."
    )
    assert report.table().endswith(report.certificate)
    report = Report(SUBJECT, RULES[:1])
    report.add("first", Verdict.NOT_APPLICABLE)
    assert report.exit_code == 1
    assert not report.certificate


def test_only_a_whole_profile_is_certified() -> None:
    """A report on some rules is no certificate."""
    report = Report(SUBJECT, RULES[:1], is_complete=False)
    report.add("first", Verdict.KEPT)
    assert report.exit_code == 0
    assert not report.certificate


def test_no_line_is_too_wide() -> None:
    """Long sentences and details are wrapped and stay aligned."""
    report = Report(SUBJECT, SERVER_RULES)
    for rule in SERVER_RULES:
        report.add(rule.key, Verdict.BROKEN, "very " * 100)
    assert max(map(len, report.table().splitlines())) <= 116


def test_json_says_the_same() -> None:
    """The JSON report has every rule with its sentence, verdict and detail."""
    report = Report(SUBJECT, RULES)
    report.add("first", Verdict.KEPT)
    report.add("second", Verdict.BROKEN, "came first")
    told = json.loads(report.json())
    rules = told.pop("rules")
    assert told == {
        "kit": 2,
        "protocol": "parlour.v1",
        "kind": "server",
        "target": "a server",
        "profile": "player",
        "game": "replica",
        "ok": False,
        "certificate": "",
    }
    assert [(rule["rule"], rule["verdict"], rule["detail"]) for rule in rules] == [
        ("first", "kept", ""),
        ("second", "broken", "came first"),
    ]


def test_rules_have_keys_of_their_own() -> None:
    """No two rules of one kind have the same key or the same sentence."""
    for rules in (SERVER_RULES, CLIENT_RULES):
        assert len({rule.key for rule in rules}) == len(rules)
        assert len({rule.sentence for rule in rules}) == len(rules)


def test_every_server_rule_is_checked() -> None:
    """Every server rule has a check or is monitored throughout."""
    assert sorted([*CHECKS, *ALWAYS]) == sorted(rule.key for rule in SERVER_RULES)
