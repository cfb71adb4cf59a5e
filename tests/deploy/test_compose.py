"""Dockerfile, docker-compose.yml and the balancer: every name in them exists, and what they start really starts."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from parlour.cli import _parser
from parlour.server.config import SETTINGS, Settings, load
from parlour.server.store.connection import client
from tests.e2e.processes import ServerProcess
from tests.e2e.web import ask
from tests.server.store.private_valkey import PrivateValkey

ROOT = Path(__file__).parents[2]
IMAGE = re.compile(r"[a-z0-9./-]+:[0-9]+\.[0-9]+\.[0-9]+[a-z0-9.-]*")

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
BALANCER = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")


def filled(part: Any) -> Any:
    """What compose makes of ${NAME:-default} when nothing is set."""
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
    """The arguments of an instruction of the Dockerfile, each time it is there."""
    return re.findall(rf"^{name}\s+(.+)$", DOCKERFILE, re.MULTILINE)


def baked() -> dict[str, str]:
    """The environment that the image brings."""
    return dict(re.findall(r'(\w+)="([^"]*)"', " ".join(instructions("ENV"))))


def environment(service: dict[str, Any]) -> dict[str, str]:
    """What a process of ours finds there."""
    return {**baked(), **service["environment"]}


# -- our own commands


@pytest.mark.parametrize("name", OURS)
def test_every_command_and_variable_is_known(name: str, tmp_path: Path) -> None:
    """The command line takes the command, and the settings take every variable and its value."""
    service = OURS[name]
    arguments = _parser().parse_args(service["command"])
    settings = load(vars(arguments), environment(service), tmp_path).settings

    assert settings.redis == "redis://store:6379/0"
    assert {key for key in environment(service) if key.startswith("PARLOUR_")} <= {
        setting.variable for setting in SETTINGS.values()
    }


def test_there_are_nodes_and_bots() -> None:
    """Two nodes that leave the thinking to workers, and a worker."""
    assert sorted(NODES) == ["node1", "node2"]
    assert [service["command"][0] for service in OURS.values() if service not in NODES.values()] == ["bots"]
    assert all(service["environment"]["PARLOUR_BOT_WORKERS"] == "0" for service in NODES.values())


@pytest.mark.parametrize("name", NODES)
def test_a_node_believes_the_balancer_only(name: str) -> None:
    """The proxies that it trusts are those of the network that compose makes."""
    (subnet,) = (one["subnet"] for one in COMPOSE["networks"]["default"]["ipam"]["config"])

    assert NODES[name]["environment"]["PARLOUR_TRUSTED_PROXIES"] == subnet


@pytest.mark.parametrize("name", OURS)
def test_it_may_finish_before_it_is_killed(name: str) -> None:
    """A container has more time to stop than a node takes."""
    assert int(OURS[name]["stop_grace_period"].removesuffix("s")) > Settings().stop_grace


# -- the image


def test_the_image_is_the_one_of_this_version() -> None:
    """What compose builds is called by the version in pyproject.toml."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]

    assert {service["image"] for service in OURS.values()} == {f"parlour:{version}"}


def test_everything_copied_exists() -> None:
    """Each file that the image is made of is in the repository, and not kept out by .dockerignore."""
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [word for line in instructions("COPY") if "--from" not in line for word in line.split()[:-1]]

    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert set(copied) == let_in


def test_the_image_is_for_an_ordinary_user() -> None:
    """It runs under a number that is not root's, which owns the folder for data."""
    (user,) = instructions("USER")

    assert int(user) > 0
    assert f"--uid {user}" in DOCKERFILE
    assert f"--owner=parlour --mode=0700 {baked()['PARLOUR_DATA']}" in DOCKERFILE
    assert json.loads(instructions("VOLUME")[0]) == [baked()["PARLOUR_DATA"]]


def test_the_image_is_a_node_by_itself(tmp_path: Path) -> None:
    """Without any argument it serves, on the port that it exposes, for everybody who reaches the container."""
    (entry,), (command,) = instructions("ENTRYPOINT"), instructions("CMD")
    assert json.loads(entry) == ["parlour"]
    settings = load(vars(_parser().parse_args(json.loads(command))), baked(), tmp_path).settings

    assert settings.host == "0.0.0.0"
    assert [settings.port] == [int(port) for port in instructions("EXPOSE")]


def test_versions_are_pinned() -> None:
    """No image is whatever is newest."""
    images = [service["image"] for service in SERVICES.values()]
    images += [line.split()[0] for line in instructions("FROM")]

    assert [image for image in images if not IMAGE.fullmatch(image)] == []


def test_the_constraints_are_complete() -> None:
    """Each library that Parlour needs, directly or not, has one version, which is allowed."""
    lines = (ROOT / "deploy" / "constraints.txt").read_text("utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [(text, "") for text in project["dependencies"]]
    seen = set()
    while needed:
        text, asked = needed.pop()
        need = Requirement(text)
        name = canonicalize_name(need.name)
        if need.marker is not None and not need.marker.evaluate({"extra": asked}):
            continue
        assert need.specifier.contains(pinned[name]), f"{need} does not allow {pinned[name]}"
        for extra in ("", *need.extras):
            if (name, extra) not in seen:
                needed += [(each, extra) for each in requires(name) or []]
            seen.add((name, extra))

    assert {name for name, _ in seen} == set(pinned)


# -- the balancer


def test_the_balancer_knows_the_nodes() -> None:
    """It passes on to all nodes, at the port where they listen."""
    (line,) = re.findall(r"^\treverse_proxy (.+) \{$", BALANCER, re.MULTILINE)

    assert line.split() == [f"{name}:{Settings().port}" for name in sorted(NODES)]


def test_files_and_volumes_exist() -> None:
    """What is mounted is in the repository, or is a volume of compose."""
    mounts = [mount.split(":") for service in SERVICES.values() for mount in service.get("volumes", ())]

    assert mounts
    for source, *_ in mounts:
        assert (ROOT / source).is_file() if source.startswith(".") else source in COMPOSE["volumes"]


def test_whoever_is_waited_for_can_be_waited_for() -> None:
    """A service that others wait for has a health check, its own or that of the image."""
    for service in SERVICES.values():
        for other in service.get("depends_on", {}):
            assert other in NODES or SERVICES[other]["healthcheck"]["test"]
    assert instructions("HEALTHCHECK")


# -- really


@pytest.fixture
def store() -> Iterator[PrivateValkey]:
    """A Valkey with the options that compose gives it."""
    program, *options = SERVICES["store"]["command"]
    assert program == "valkey-server"
    valkey = PrivateValkey(*options)
    valkey.start()
    yield valkey
    valkey.close()


async def test_the_store_keeps_everything(store: PrivateValkey) -> None:
    """A Valkey takes these options, and then writes every change down and drops nothing."""
    redis = client(store.url)
    settings = await redis.config_get("append*", "maxmemory-policy")
    await redis.aclose()

    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] in ("everysec", "always")
    assert settings["maxmemory-policy"] == "noeviction"


async def test_a_node_starts_and_answers_the_checks(
    store: PrivateValkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the settings of compose a node starts; it answers the health checks of the image and of the balancer."""
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
