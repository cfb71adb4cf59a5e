"""The project's own configuration: its files agree with each other."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

TOP = Path(__file__).parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))
WORKFLOW: dict[str, Any] = yaml.safe_load((TOP / ".github/workflows/test.yml").read_text("utf-8"))
MAKEFILE = (TOP / "Makefile").read_text("utf-8")


def test_ci_runs_what_a_contributor_runs() -> None:
    """The workflow calls .ci/run, which does nothing but call `make test`."""
    steps = WORKFLOW["jobs"]["test"]["steps"]
    lines = (TOP / ".ci/run").read_text("utf-8").splitlines()
    commands = [line for line in lines if not line.startswith("#")]

    assert [step["run"] for step in steps if "run" in step][-1] == ".ci/run"
    assert commands == ['cd "$(dirname "$0")/.." && exec make test']


def test_ci_has_no_more_rights_than_it_needs() -> None:
    """The workflow may only read the repository, and every action is pinned to a commit."""
    actions = [step["uses"] for step in WORKFLOW["jobs"]["test"]["steps"] if "uses" in step]

    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert actions
    assert [action for action in actions if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)] == []


def test_every_supported_python_is_tested() -> None:
    """The matrix of the workflow has the Python versions that the package claims to support, from the oldest on."""
    project = PYPROJECT["project"]
    claimed = re.findall(r"Programming Language :: Python :: (3\.\d+)", "\n".join(project["classifiers"]))

    assert WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"] == claimed
    assert project["requires-python"] == f">={claimed[0]}"


def test_the_changelog_has_a_section_for_this_version() -> None:
    """The newest version in the changelog is the one in pyproject.toml; what comes next is collected above it."""
    headings = re.findall(r"^## (\S+)", (TOP / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

    assert headings[:2] == ["Unreleased", PYPROJECT["project"]["version"]]


def test_coverage_is_measured_for_the_whole_pure_core() -> None:
    """Every measured module exists, and everything that an import contract calls pure is measured."""
    measured = PYPROJECT["tool"]["coverage"]["run"]["source_pkgs"]
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    pure = {module for contract in contracts if "pure" in contract["name"] for module in contract["source_modules"]}

    assert [module for module in measured if find_spec(module) is None] == []
    assert len(pure) > 1
    assert pure <= set(measured)


def test_the_tests_of_the_pure_core_exist() -> None:
    """`make coverage` runs folders and files that exist; pytest would silently ignore a missing one in `make test`."""
    (paths,) = re.findall(r"^CORE_TESTS := (.+)$", MAKEFILE, re.MULTILINE)

    assert [path for path in paths.split() if not (TOP / path).exists()] == []


def test_the_two_distributions_agree() -> None:
    """They support the same Python, under the same licence, and need the same versions of what both need."""
    client = tomllib.loads((TOP / "client" / "pyproject.toml").read_text("utf-8"))["project"]
    project = PYPROJECT["project"]

    assert (TOP / "client" / "LICENSE").read_bytes() == (TOP / "LICENSE").read_bytes()
    assert client["requires-python"] == project["requires-python"]
    assert set(client["dependencies"]) <= set(project["dependencies"])


def test_make_help_is_complete() -> None:
    """`make help` describes every target that is not a step of another one."""
    (targets,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    described = re.findall(r'^\t@echo "make (\w+) ', MAKEFILE, re.MULTILINE)

    assert set(targets.split()) - {"help", "page", "tools"} == set(described)
