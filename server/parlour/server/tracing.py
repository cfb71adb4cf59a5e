"""Whether a process records traces, according to OpenTelemetry's own environment variables. By default it does not."""

from __future__ import annotations

import os
from importlib.util import find_spec

from parlour.server.configuration.setting_sources import SettingError

EXPORTER = "OTEL_TRACES_EXPORTER"
EXPORTERS = ("otlp", "console")


def exporter() -> str | None:
    """Return where the environment wants traces to go; None if there should be none. Raise SettingError."""
    wanted = os.environ.get(EXPORTER, "").strip().lower()
    if wanted in ("", "none") or os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    if wanted not in EXPORTERS:
        raise SettingError(f"{EXPORTER} is {wanted}. Set it to otlp, console or none.")
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.sdk") is None:
        raise SettingError(
            f"{EXPORTER} is {wanted}, but OpenTelemetry is not installed. "
            "Run `pip install 'parlour[otel]'`, or set the variable to none."
        )
    return wanted
