"""The result of a check: one verdict per rule, as a table, as JSON, as an exit code and as a certificate."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

import msgspec
from msgspec import Struct

from parlour.conform.frames import Frame
from parlour.conform.profiles import Profile
from parlour.conform.rules import KIT_VERSION, Rule
from parlour.protocol import codec

WIDTH = 116
PROTOCOL_VERSION = codec.MSGPACK.subprotocol.partition("+")[0]


class Verdict(StrEnum):
    KEPT = "kept"
    NOT_APPLICABLE = "not applicable"
    NOT_REACHED = "not reached"
    BROKEN = "broken"


_WORSE = (Verdict.NOT_APPLICABLE, Verdict.KEPT, Verdict.NOT_REACHED, Verdict.BROKEN)
_COUNTED = (Verdict.KEPT, Verdict.BROKEN, Verdict.NOT_REACHED, Verdict.NOT_APPLICABLE)


class Finding(Struct, frozen=True):
    """The verdict on one rule; if the rule is not kept, in which scenario, with its last frames."""

    rule: str
    sentence: str
    verdict: Verdict
    detail: str
    scenario: str = ""
    frames: tuple[Frame, ...] = ()


class Subject(Struct, frozen=True):
    """The subject of a check, and its profile."""

    kind: str  # client or server
    name: str
    game: str
    profile: Profile | None = None  # None: all


class Report:
    """The verdicts on all rules. Of several verdicts on one rule the worst counts, with its first detail."""

    def __init__(self, subject: Subject, rules: Sequence[Rule], *, is_complete: bool = True) -> None:
        """`is_complete`: these are all rules of the profile, so the report can be a certificate."""
        self.subject = subject
        self.is_complete = is_complete
        self._rules = {rule.key: rule for rule in rules}
        self._findings: dict[str, Finding] = {}

    def add(
        self, rule: str, verdict: Verdict, detail: str = "", scenario: str = "", frames: tuple[Frame, ...] = ()
    ) -> None:
        if rule not in self._rules:  # the user asked for other rules
            return
        before = self._findings.get(rule)
        if before is None or _WORSE.index(verdict) > _WORSE.index(before.verdict):
            shown = (scenario, frames) if verdict in (Verdict.BROKEN, Verdict.NOT_REACHED) else ("", ())
            self._findings[rule] = Finding(rule, self._rules[rule].sentence, verdict, detail, *shown)

    @property
    def findings(self) -> list[Finding]:
        return [
            self._findings.get(key) or Finding(key, rule.sentence, Verdict.NOT_REACHED, "no observation")
            for key, rule in self._rules.items()
        ]

    def of(self, verdict: Verdict) -> list[str]:
        """Return the keys of the rules with this verdict."""
        return [finding.rule for finding in self.findings if finding.verdict is verdict]

    @property
    def exit_code(self) -> int:
        """0 if every rule that applies is kept, otherwise 1."""
        return 1 if self.of(Verdict.BROKEN) or self.of(Verdict.NOT_REACHED) or not self.of(Verdict.KEPT) else 0

    @property
    def profile(self) -> str:
        return self.subject.profile or "all profiles"

    @property
    def certificate(self) -> str:
        """Return one line that says what was certified, or nothing if there is nothing to certify."""
        if self.exit_code or not self.is_complete:
            return ""
        kept, left_out = len(self.of(Verdict.KEPT)), self.of(Verdict.NOT_APPLICABLE)
        without = f", not applicable: {', '.join(left_out)}" if left_out else ""
        return (
            f"Certified: {self.subject.kind} “{self.subject.name}”, {self.profile}, {PROTOCOL_VERSION}, "
            f"conformance kit {KIT_VERSION}, {self.subject.game}: {kept} rules kept{without}."
        )

    def table(self) -> str:
        """Return verdict, key, sentence and detail of every rule, the frames of what failed, and a summary."""
        findings = self.findings
        left = 16 + max((len(finding.rule) for finding in findings), default=0) + 2
        lines = []
        for finding in findings:
            head = f"{finding.verdict:<16}{finding.rule}"
            lines += _wrapped(finding.sentence, f"{head:<{left}}", " " * left)
            lines += _wrapped(finding.detail, " " * left + "→ ", " " * (left + 2))
        for finding in findings:
            if finding.frames:
                lines += ["", *_wrapped(f"{finding.rule}, in the scenario “{finding.scenario}”:", "", "  ")]
                lines += [f"  {frame.line()}" for frame in finding.frames]
        return "\n".join([*lines, "", self.summary()])

    def summary(self) -> str:
        counts = Counter(finding.verdict for finding in self.findings)
        shown = [verdict for verdict in _COUNTED if counts[verdict] or verdict is not Verdict.NOT_APPLICABLE]
        lines = [f"{self.subject.name}: {', '.join(f'{counts[verdict]} {verdict}' for verdict in shown)}."]
        for verdict in (Verdict.BROKEN, Verdict.NOT_REACHED):
            if counts[verdict]:
                lines += _wrapped(f"{verdict.capitalize()}: {', '.join(self.of(verdict))}.", "", "  ")
        lines += [
            f"Conformance kit {KIT_VERSION}, protocol {PROTOCOL_VERSION}, {self.profile}, game {self.subject.game}."
        ]
        return "\n".join([*lines, *([self.certificate] if self.certificate else [])])

    def json(self) -> bytes:
        """Return the report for programs."""
        whole = {
            "kit": KIT_VERSION,
            "protocol": PROTOCOL_VERSION,
            "kind": self.subject.kind,
            "target": self.subject.name,
            "profile": self.subject.profile,
            "game": self.subject.game,
            "ok": self.exit_code == 0,
            "certificate": self.certificate,
            "rules": self.findings,
        }
        return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def _wrapped(text: str, first: str, following: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=following, break_on_hyphens=False, break_long_words=False
    )
