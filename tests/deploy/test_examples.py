"""The examples for Kubernetes, systemd, nginx and Caddy agree with the settings and with each other."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from parlour.cli import full_parser
from parlour.server.settings import SETTINGS, Settings, load

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OBJECTS: list[dict[str, Any]] = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "parlour.yaml").read_text("utf-8")))
DEPLOYMENTS = {each["metadata"]["name"]: each for each in OBJECTS if each["kind"] == "Deployment"}
(CONFIG,) = (each["data"] for each in OBJECTS if each["kind"] == "ConfigMap")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROXIES = [*sorted((DEPLOY / "nginx").iterdir()), DEPLOY / "caddy" / "Caddyfile"]


def of_kind(kind: str) -> dict[str, Any]:
    (found,) = (each for each in OBJECTS if each["kind"] == kind)
    return found


# -- Kubernetes


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_the_settings_of_a_container_are_valid(name: str, tmp_path: Path) -> None:
    """The command exists, and each variable is a setting with a valid value."""
    (container,) = DEPLOYMENTS[name]["spec"]["template"]["spec"]["containers"]
    secrets = {"PARLOUR_REDIS": "redis://redis", "PARLOUR_ARCHIVE": "postgresql://host/database"}
    settings = load(vars(full_parser().parse_args(container["args"])), {**CONFIG, **secrets}, tmp_path).settings
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]

    assert {each["name"] for each in container["env"]} == set(secrets)
    assert container["image"] == f"parlour:{version}"
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    assert settings.monitoring == ("0.0.0.0", ports["monitoring"])
    assert ports.get("http", settings.port) == settings.port


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_pod_is_checked_confined_and_given_time_to_stop(name: str, tmp_path: Path) -> None:
    """Probes ask the monitoring port; a node has left before it is killed."""
    pod = DEPLOYMENTS[name]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    settings = load({}, CONFIG, tmp_path).settings

    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "monitoring"}
    assert container["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "monitoring"}
    assert pod["terminationGracePeriodSeconds"] > settings.drain_delay + settings.stop_grace
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


def test_selectors_find_the_nodes() -> None:
    """The Service and the PodDisruptionBudget mean the pods of the nodes, and the Ingress means the Service."""
    labels = DEPLOYMENTS["parlour"]["spec"]["template"]["metadata"]["labels"]
    (rule,) = of_kind("Ingress")["spec"]["rules"]
    (path,) = rule["http"]["paths"]

    assert of_kind("Service")["spec"]["selector"] == labels
    assert of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert DEPLOYMENTS["parlour"]["spec"]["selector"]["matchLabels"] == labels
    assert path["backend"]["service"]["name"] == of_kind("Service")["metadata"]["name"]
    assert CONFIG["PARLOUR_PUBLIC_URL"] == f"https://{rule['host']}"
    assert CONFIG["PARLOUR_ALLOWED_HOSTS"] == rule["host"]


# -- systemd


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_a_known_command(unit: Path, tmp_path: Path) -> None:
    """Its options and variables are settings; it is killed only after the server has had its time."""
    directives = dict(line.partition("=")[::2] for line in unit.read_text("utf-8").splitlines() if "=" in line)
    program, *arguments = shlex.split(directives["ExecStart"])
    environ = dict(word.partition("=")[::2] for word in directives["Environment"].split())
    settings = load(vars(full_parser().parse_args(arguments)), environ, tmp_path).settings

    assert program == "/opt/parlour/bin/parlour"
    assert settings.data == Path("/var/lib") / directives["StateDirectory"]
    assert int(directives["TimeoutStopSec"].removesuffix("s")) > settings.stop_grace
    assert (directives["NoNewPrivileges"], directives["ProtectSystem"]) == ("yes", "strict")


# -- proxies


@pytest.mark.parametrize("file", PROXIES, ids=lambda file: file.name)
def test_a_proxy_names_a_command_that_works(file: Path, tmp_path: Path) -> None:
    """The settings in its comments are valid, and it forwards to the default port."""
    text = file.read_text("utf-8")
    commands = re.findall(r"^#\s+parlour (serve .+)$", text, re.MULTILINE)

    assert commands
    for command in commands:
        settings = load(vars(full_parser().parse_args(shlex.split(command))), {}, tmp_path).settings
        assert settings.public_url is not None
        (host,) = settings.allowed_hosts
        assert settings.public_url.startswith(f"https://{host}")
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", text)) == {str(Settings().port)}


def test_every_setting_named_in_the_examples_exists() -> None:
    """No example has a variable that the server would refuse."""
    known = {setting.variable for setting in SETTINGS.values()}
    for file in [*UNITS, DEPLOY / "kubernetes" / "parlour.yaml", DEPLOY / "compose.tls.yml"]:
        assert set(re.findall(r"\bPARLOUR_[A-Z_]+", file.read_text("utf-8"))) <= known, file
