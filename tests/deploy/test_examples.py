"""The examples for Kubernetes, systemd, nginx and Caddy agree with the settings and with each other."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from bench.load.processes import free_port
from parlour.cli import full_parser
from parlour.server.configuration.setting_sources import load
from parlour.server.configuration.settings import SETTINGS, Settings

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


def test_kubernetes_accepts_the_objects() -> None:
    """Each has the fields that its schema requires, and no others."""
    for each in OBJECTS:
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)


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


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="this machine has no systemd")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_accepts_a_unit(unit: Path, tmp_path: Path) -> None:
    """It knows every setting, and the command exists."""
    text = unit.read_text("utf-8").replace("/opt/parlour/bin/parlour", f"{Path(sys.executable).parent}/parlour")
    (tmp_path / unit.name).write_text(text, "utf-8")
    run("systemd-analyze", "verify", str(tmp_path / unit.name))


# -- proxies


def run(*command: str, **variables: str) -> None:
    """Run a command that must succeed."""
    done = subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", sorted((DEPLOY / "nginx").iterdir()), ids=lambda file: file.name)
def test_nginx_accepts_the_example(file: Path, tmp_path: Path) -> None:
    """With a certificate of the test, and at ports that any user may open."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=x",
        "-keyout", str(key), "-out", str(certificate))  # fmt: skip
    text = file.read_text("utf-8")
    if "server {" not in text:  # it is a part of one
        text = f"server {{\nlisten 80;\n{text}\n}}"
    text = re.sub(r" listen \[::\]:.*;", "", text)
    text = re.sub(r"(ssl_certificate) .*;", rf"\1 {certificate};", text)
    text = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {key};", text)
    text = re.sub(r"listen \d+", lambda _: f"listen 127.0.0.1:{free_port()}", text)
    folders = "".join(
        f"{name}_temp_path {tmp_path}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = tmp_path / "nginx.conf"
    config.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{folders}{text}\n}}\n", "utf-8")
    run("nginx", "-t", "-p", str(tmp_path), "-e", "stderr", "-c", str(config))


@pytest.mark.parametrize("file", [DEPLOY / "Caddyfile", DEPLOY / "caddy" / "Caddyfile"], ids=["compose", "example"])
def test_caddy_accepts_the_file(file: Path, tmp_path: Path) -> None:
    """With a domain name, as on the Internet."""
    folders = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    command = ("caddy", "validate", "--config", str(file), "--adapter", "caddyfile")
    run(*command, SITE_ADDRESS="play.example.org", **folders)


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
