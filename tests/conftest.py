"""No test fails because the machine was busy: examples by chance may take as long as they need."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("parlour", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("parlour")
