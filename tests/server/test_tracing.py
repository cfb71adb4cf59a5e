"""Whether a process records traces."""

from __future__ import annotations

import pytest

from parlour.server import tracing
from parlour.server.configuration.setting_sources import SettingError


@pytest.mark.parametrize(
    ("variables", "exporter"),
    [
        ({}, None),
        ({"OTEL_TRACES_EXPORTER": "none"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, None),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "Console"}, "console"),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, None),
    ],
)
def test_the_environment_decides(
    variables: dict[str, str], exporter: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are no traces unless an exporter is named."""
    for name in ("OTEL_TRACES_EXPORTER", "OTEL_SDK_DISABLED", "OTEL_EXPORTER_OTLP_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert tracing.exporter() == exporter


def test_an_unknown_exporter_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what is possible."""
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "jaeger")
    with pytest.raises(SettingError, match=r"is jaeger. Set it to otlp, console or none."):
        tracing.exporter()
