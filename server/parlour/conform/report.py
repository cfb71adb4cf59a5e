"""The result of a check: one verdict per rule, as a table, as JSON and as an exit code."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

import msgspec
from msgspec import Struct

from parlour.conform.rules import Rule

WIDTH = 116


class Verdict(StrEnum):
    KEPT = "kept"
    NOT_REACHED = "not reached"
    BROKEN = "broken"


_WORSE = tuple(Verdict)


class Finding(Struct, frozen=True):
    """The verdict on one rule."""

    rule: str
    sentence: str
    verdict: Verdict
    detail: str


class Report:
    """The verdicts on all rules. Of several verdicts on one rule the worst counts, with its first detail."""

    def __init__(self, target: str, rules: Sequence[Rule]) -> None:
        self.target = target
        self._rules = {rule.key: rule for rule in rules}
        self._verdicts: dict[str, tuple[Verdict, str]] = {}

    def add(self, rule: str, verdict: Verdict, detail: str = "") -> None:
        if rule not in self._rules:  # the user asked for other rules
            return
        before = self._verdicts.get(rule)
        if before is None or _WORSE.index(verdict) > _WORSE.index(before[0]):
            self._verdicts[rule] = verdict, detail

    @property
    def findings(self) -> list[Finding]:
        nothing = (Verdict.NOT_REACHED, "no observation")
        return [Finding(*_texts(rule), *self._verdicts.get(rule.key, nothing)) for rule in self._rules.values()]

    def of(self, verdict: Verdict) -> list[str]:
        """Return the keys of the rules with this verdict."""
        return [finding.rule for finding in self.findings if finding.verdict is verdict]

    @property
    def exit_code(self) -> int:
        """0 if every rule is kept, otherwise 1."""
        return 1 if self.of(Verdict.BROKEN) or self.of(Verdict.NOT_REACHED) else 0

    def table(self) -> str:
        """Return verdict, key, sentence and detail of every rule, and a summary."""
        findings = self.findings
        left = 14 + max((len(finding.rule) for finding in findings), default=0) + 2
        lines = []
        for finding in findings:
            head = f"{finding.verdict:<14}{finding.rule}"
            lines += _wrapped(finding.sentence, f"{head:<{left}}", " " * left)
            lines += _wrapped(finding.detail, " " * left + "→ ", " " * (left + 2))
        return "\n".join([*lines, "", self.summary()])

    def summary(self) -> str:
        counts = Counter(finding.verdict for finding in self.findings)
        summed = ", ".join(
            f"{counts[verdict]} {verdict}" for verdict in (Verdict.KEPT, Verdict.BROKEN, Verdict.NOT_REACHED)
        )
        lines = [f"{self.target}: {summed}."]
        for verdict in (Verdict.BROKEN, Verdict.NOT_REACHED):
            if counts[verdict]:
                lines += _wrapped(f"{verdict.capitalize()}: {', '.join(self.of(verdict))}.", "", "  ")
        return "\n".join(lines)

    def json(self) -> bytes:
        """Return the report for programs."""
        whole = {"target": self.target, "ok": self.exit_code == 0, "rules": self.findings}
        return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def _texts(rule: Rule) -> tuple[str, str]:
    return rule.key, rule.sentence


def _wrapped(text: str, first: str, following: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=following, break_on_hyphens=False, break_long_words=False
    )
