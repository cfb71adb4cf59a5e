"""Dockerfile, docker-compose.yml and Caddyfile: every name in them exists, and the services start."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from parlour.cli import full_parser
from parlour.server.configuration.setting_sources import load
from parlour.server.configuration.settings import SETTINGS, Settings
from tests.e2e.processes import ServerProcess
from tests.e2e.web import ask
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey

ROOT = Path(__file__).parents[2]
IMAGE = re.compile(r"[a-z0-9./-]+:v?[0-9]+\.[0-9]+\.[0-9]+[a-z0-9.-]*@sha256:[0-9a-f]{64}")

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
BALANCER = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")


def filled(part: Any) -> Any:
    """Replace ${NAME:-default} by its default, as compose does when the variable is not set."""
    match part:
        case str():
            return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", part)
        case list():
            return [filled(item) for item in part]
        case dict():
            return {key: filled(value) for key, value in part.items()}
    return part


COMPOSE: dict[str, Any] = filled(yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8")))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"].startswith("parlour:")}
NODES = {name: service for name, service in OURS.items() if service["command"][0] == "serve"}


def instructions(name: str) -> list[str]:
    """Return the arguments of every occurrence of a Dockerfile instruction."""
    return re.findall(rf"^{name}\s+(.+)$", DOCKERFILE, re.MULTILINE)


def image_environment() -> dict[str, str]:
    """Return the environment that the image defines."""
    return dict(re.findall(r'(\w+)="([^"]*)"', " ".join(instructions("ENV"))))


def environment(service: dict[str, Any]) -> dict[str, str]:
    """Return the environment of a process in this service."""
    return {**image_environment(), **service["environment"]}


def pins(name: str) -> dict[str, str]:
    """Return the version of each package in a file of requirements."""
    text = (ROOT / "deploy" / name).read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE))


# -- commands and settings


@pytest.mark.parametrize("name", OURS)
def test_every_command_and_variable_is_known(name: str, tmp_path: Path) -> None:
    """The command line accepts the command, and every variable is a setting with a valid value."""
    service = OURS[name]
    arguments = full_parser().parse_args(service["command"])
    settings = load(vars(arguments), environment(service), tmp_path).settings

    assert settings.redis == "redis://:change-me@store:6379/0"
    assert {key for key in environment(service) if key.startswith("PARLOUR_")} <= {
        setting.variable for setting in SETTINGS.values()
    }


def test_there_are_two_nodes_and_a_worker() -> None:
    """Two nodes run no bots themselves; a worker does."""
    assert sorted(NODES) == ["node1", "node2"]
    assert [service["command"][0] for service in OURS.values() if service not in NODES.values()] == ["worker"]
    assert all(service["environment"]["PARLOUR_BOT_WORKERS"] == "0" for service in NODES.values())


@pytest.mark.parametrize("name", NODES)
def test_a_node_trusts_only_the_balancer(name: str) -> None:
    """The trusted proxies are the subnet that compose creates."""
    (subnet,) = (one["subnet"] for one in COMPOSE["networks"]["front"]["ipam"]["config"])

    assert NODES[name]["environment"]["PARLOUR_TRUSTED_PROXIES"] == subnet
    assert {each for each in SERVICES if "front" in SERVICES[each]["networks"]} == {"balancer", *NODES}


@pytest.mark.parametrize("name", OURS)
def test_a_node_can_finish_before_it_is_killed(name: str) -> None:
    """A container has more time to stop than a node needs."""
    assert int(OURS[name]["stop_grace_period"].removesuffix("s")) > Settings().stop_grace


# -- the image


def test_the_image_has_the_current_version() -> None:
    """The tag of the image that compose builds is the version in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert {service["image"] for service in OURS.values()} == {f"parlour:{project['version']}"}


def test_everything_copied_exists() -> None:
    """Each file copied into the image is in the repository, and .dockerignore admits exactly these."""
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [word for line in instructions("COPY") if "--from" not in line for word in line.split()[:-1]]

    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert set(copied) == admitted


def test_the_image_runs_unprivileged() -> None:
    """The container user is not root, and owns the data folder."""
    (user,) = instructions("USER")

    assert int(user) > 0
    assert f"--uid {user}" in DOCKERFILE
    assert f"--owner=parlour --mode=0700 {image_environment()['PARLOUR_DATA']}" in DOCKERFILE
    assert json.loads(instructions("VOLUME")[0]) == [image_environment()["PARLOUR_DATA"]]


def test_the_image_is_a_node_by_default(tmp_path: Path) -> None:
    """Without arguments it serves on all interfaces, on the port that it exposes."""
    (entry,), (command,) = instructions("ENTRYPOINT"), instructions("CMD")
    assert json.loads(entry) == ["parlour"]
    settings = load(vars(full_parser().parse_args(json.loads(command))), image_environment(), tmp_path).settings

    assert settings.host == "0.0.0.0"
    assert [settings.port] == [int(port) for port in instructions("EXPOSE")]


def test_versions_are_pinned() -> None:
    """Every image but that of Parlour, which is built here, has an exact version and a digest."""
    images = [service["image"] for name, service in SERVICES.items() if name not in OURS]
    images += [line.split()[0] for line in instructions("FROM")]

    assert [image for image in images if not IMAGE.fullmatch(image)] == []


def test_the_requirements_are_complete() -> None:
    """Every direct and indirect dependency is pinned to a version that its dependants accept, except parlour-client."""
    pinned = pins("requirements.txt")
    ours = {"parlour-client": version("parlour-client")}  # built from the same source as parlour
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [(text, "") for text in (*project["dependencies"], *project["optional-dependencies"]["postgresql"])]
    seen = set()
    while needed:
        text, asked = needed.pop()
        need = Requirement(text)
        name = canonicalize_name(need.name)
        if need.marker is not None and not need.marker.evaluate({"extra": asked}):
            continue
        found = (pinned | ours)[name]
        assert need.specifier.contains(found), f"{need} does not allow {found}"
        for extra in ("", *need.extras):
            if (name, extra) not in seen:
                needed += [(each, extra) for each in requires(name) or []]
            seen.add((name, extra))

    assert {name for name, _ in seen} == {*pinned, *ours}


@pytest.mark.parametrize("name", ["requirements.txt", "build-requirements.txt"])
def test_every_package_has_hashes_and_no_source(name: str) -> None:
    """pip refuses a file whose hash is not listed, wherever the file comes from."""
    lines = (ROOT / "deploy" / name).read_text("utf-8").splitlines()
    rest = [line for line in lines if not line.startswith("#")]
    first_lines = [number for number, line in enumerate(rest) if "==" in line]

    assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", rest[number + 1]) for number in first_lines)
    assert [line for line in rest if not re.match(r"[a-z0-9-]+==|    --hash=", line)] == []
    assert f"--require-hashes --requirement deploy/{name}" in DOCKERFILE


def test_what_builds_parlour_is_pinned() -> None:
    """The build requirements of the project are among the pinned ones."""
    pinned = pins("build-requirements.txt")
    for text in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]:
        need = Requirement(text)
        assert need.specifier.contains(pinned[canonicalize_name(need.name)])


# -- isolation


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_as_few_rights_as_possible(name: str) -> None:
    """A read-only file system, no capabilities but those listed, and no way to gain any."""
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "balancer" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_only_the_balancer_is_public() -> None:
    """It publishes plain HTTP, and HTTPS only with the additional file; Grafana is for the machine itself."""
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    tls = yaml.safe_load((ROOT / "deploy" / "compose.tls.yml").read_text("utf-8"))["services"]

    assert published == {"balancer": ["8080:80"], "grafana": ["127.0.0.1:3000:3000"]}
    assert set(tls) == {"balancer", *NODES}
    assert tls["balancer"]["ports"] == ["443:443", "443:443/udp"]
    assert {name for name, network in COMPOSE["networks"].items() if network and network.get("internal")} == {
        "back", "monitoring",
    }  # fmt: skip
    assert SERVICES["store"]["networks"] == ["back"]


def test_prometheus_scrapes_every_process_of_ours() -> None:
    """At the monitoring address, which is not the public one."""
    config = yaml.safe_load((ROOT / "deploy" / "prometheus" / "prometheus.yml").read_text("utf-8"))
    ((static,),) = (job["static_configs"] for job in config["scrape_configs"])
    port = {service["environment"]["PARLOUR_MONITORING"].rpartition(":")[2] for service in OURS.values()}

    assert sorted(static["targets"]) == sorted(f"{name}:{number}" for name in OURS for number in port)


# -- the balancer


def test_the_balancer_knows_the_nodes() -> None:
    """It forwards to every node, at the port where the node listens."""
    (line,) = re.findall(r"^\treverse_proxy (.+) \{$", BALANCER, re.MULTILINE)

    assert line.split() == [f"{name}:{Settings().port}" for name in sorted(NODES)]


def test_files_and_volumes_exist() -> None:
    """Every mount is a file in the repository or a declared volume."""
    mounts = [mount.split(":") for service in SERVICES.values() for mount in service.get("volumes", ())]

    assert mounts
    for source, *_ in mounts:
        assert (ROOT / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]


def test_dependencies_have_health_checks() -> None:
    """A service that other services wait for has a health check, its own or the one in the image."""
    for service in SERVICES.values():
        for other in service.get("depends_on", {}):
            assert other in NODES or SERVICES[other]["healthcheck"]["test"]
    assert instructions("HEALTHCHECK")


# -- running processes


@pytest.fixture
def store() -> Iterator[PrivateValkey]:
    """A Valkey with the options in docker-compose.yml, except for the password."""
    program, *options, option, _ = SERVICES["store"]["command"]
    assert (program, option) == ("valkey-server", "--requirepass")
    valkey = PrivateValkey(*options)
    valkey.start()
    yield valkey
    valkey.close()


async def test_the_store_is_durable(store: PrivateValkey) -> None:
    """Valkey accepts these options, persists every change and evicts nothing."""
    redis = client(store.url)
    settings = await redis.config_get("append*", "maxmemory*")
    await redis.aclose()

    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] in ("everysec", "always")
    assert settings["maxmemory-policy"] == "noeviction"
    assert settings["maxmemory"] != "0"


async def test_a_node_starts_and_answers_the_checks(
    store: PrivateValkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the settings of compose a node starts, and passes the health checks of the image and of the balancer."""
    here = {"PARLOUR_REDIS": store.url, "PARLOUR_HOST": "127.0.0.1", "PARLOUR_DATA": str(tmp_path)}
    for name, value in {**environment(NODES["node1"]), **here}.items():
        if name.startswith("PARLOUR_"):
            monkeypatch.setenv(name, value)
    node = ServerProcess(tmp_path)
    await node.start()
    try:
        (alive,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", instructions("HEALTHCHECK")[0])
        (ready,) = re.findall(r"^\t\thealth_uri (\S+)$", BALANCER, re.MULTILINE)
        assert int(alive[0]) == Settings().port
        assert (await ask(node, alive[1])).status == 200
        assert (await ask(node, ready)).status == 200
    finally:
        assert await node.stop() == 0
