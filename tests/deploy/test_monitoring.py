"""The dashboard and the alerts agree with the metrics and the documentation, and Prometheus accepts them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from parlour.server.metrics import Metrics, worker_metrics

ROOT = Path(__file__).parents[2]
PROMETHEUS = ROOT / "deploy" / "prometheus"
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana" / "parlour.json").read_text("utf-8"))
ALERTS: list[dict[str, Any]] = yaml.safe_load((PROMETHEUS / "alerts.yml").read_text("utf-8"))["groups"][0]["rules"]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")


def dashboard_queries() -> Iterator[str]:
    for panel in DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))


def exposed() -> dict[str, set[str]]:
    """Return the names that queries can use for each metric."""
    suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"], "gauge": [""]}
    families = [*Metrics().collect(), *worker_metrics(1, 0)]
    return {family.name: {family.name + suffix for suffix in suffixes[family.type]} for family in families}


def used(queries: Iterator[str]) -> set[str]:
    return {name for query in queries for name in re.findall(r"\bparlour_\w+", query)}


@pytest.mark.parametrize(
    "queries", [dashboard_queries(), (alert["expr"] for alert in ALERTS)], ids=["grafana", "alerts"]
)
def test_every_metric_in_a_query_exists(queries: Iterator[str]) -> None:
    """A renamed metric does not leave an empty panel or a silent alert."""
    names = used(queries)

    assert names
    assert names - set().union(*exposed().values()) == set()


def test_the_dashboard_shows_every_metric() -> None:
    """Each metric is in some panel."""
    shown = used(dashboard_queries())

    assert [name for name, names in exposed().items() if not names & shown] == []


def test_every_metric_and_every_alert_is_documented() -> None:
    """The tables have exactly the metrics and the alerts that exist."""
    metrics = re.findall(r"^\| `(parlour_\w+)`", OPERATIONS, re.MULTILINE)
    alerts = re.findall(r"^\| `(Parlour\w+)`", OPERATIONS, re.MULTILINE)

    assert sorted(metrics) == sorted(min(names, key=len) for names in documented().values())
    assert sorted(alerts) == sorted(alert["alert"] for alert in ALERTS)


def documented() -> dict[str, set[str]]:
    """Return the name of each metric in the documentation: histograms without a suffix."""
    return {name: names if len(names) == 1 else {name} for name, names in exposed().items()}


def test_every_alert_has_a_severity_and_a_summary() -> None:
    """An operator who is woken up knows how bad it is."""
    assert {alert["labels"]["severity"] for alert in ALERTS} <= {"critical", "warning", "info"}
    assert all(alert["annotations"]["summary"].endswith(".") for alert in ALERTS)


def test_panels_do_not_overlap() -> None:
    """Each panel has an id and a place of its own."""
    panels = DASHBOARD["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]

    assert len({panel["id"] for panel in panels}) == len(set(places)) == len(panels)


# -- the real tool, which `make tools` installs


def promtool(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["promtool", *arguments], input=text, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


def test_prometheus_accepts_the_configuration() -> None:
    """It finds the file with the alerts, and understands every expression in it."""
    checked = promtool("check", "config", str(PROMETHEUS / "prometheus.yml"))

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"{len(ALERTS)} rules found" in checked.stdout


def test_prometheus_accepts_the_queries_of_the_dashboard(tmp_path: Path) -> None:
    """Each of them is a valid expression."""
    queries = [query.replace("$__rate_interval", "1m") for query in dashboard_queries()]
    rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]
    (tmp_path / "queries.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    checked = promtool("check", "rules", str(tmp_path / "queries.yml"))

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_prometheus_approves_of_the_metrics() -> None:
    """Names, units and types follow its conventions."""
    checked = promtool("check", "metrics", text=Metrics().render().decode())

    complaints = [line for line in checked.stderr.splitlines() if line.startswith("parlour_")]
    assert complaints == []


def test_alerts_fire(tmp_path: Path) -> None:
    """A store that is down and a lost log are reported, and a healthy node is not."""
    series = {
        'parlour_store_up{instance="a"}': "1 1 0x5",
        'parlour_store_up{instance="b"}': "1x7",
        'parlour_logs_lost_total{instance="b"}': "0 0 0 1x4",
        'parlour_outages_total{instance="a",nodes="all"}': "0x7",
    }
    fired = {"ParlourStoreDown": ["a"], "ParlourLogLost": ["b"], "ParlourOutage": []}
    summaries = {alert["alert"]: alert["annotations"]["summary"] for alert in ALERTS}
    expected = [
        {
            "eval_time": "7m",
            "alertname": name,
            "exp_alerts": [
                {
                    "exp_labels": {"severity": "critical", "instance": instance},
                    "exp_annotations": {"summary": summaries[name].replace("{{ $labels.instance }}", instance)},
                }
                for instance in instances
            ],
        }
        for name, instances in fired.items()
    ]
    inputs = [{"series": name, "values": values} for name, values in series.items()]
    test = {
        "rule_files": [str(PROMETHEUS / "alerts.yml")],
        "tests": [{"interval": "1m", "input_series": inputs, "alert_rule_test": expected}],
    }
    (tmp_path / "test.yml").write_text(yaml.safe_dump(test))
    checked = promtool("test", "rules", str(tmp_path / "test.yml"))

    assert checked.returncode == 0, checked.stdout + checked.stderr
