"""Incidents are labels of a metric."""

from __future__ import annotations

import re

from parlour.server.connections.incidents import Incident, uncounted


def test_incidents_are_labels() -> None:
    """Each value is the name in lower case, as Prometheus users write labels."""
    for incident in Incident:
        assert incident.value == incident.name.lower()
        assert re.fullmatch("[a-z_]+", incident.value)


def test_a_server_without_metrics_counts_nothing() -> None:
    """Every incident is accepted and ignored."""
    for incident in Incident:
        uncounted(incident)
