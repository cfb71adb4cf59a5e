"""The programs that the load benchmark needs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bench.load import toolchain
from bench.load.toolchain import MissingTool, Programs


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    """Without a compiler the error says what to install."""
    with pytest.raises(MissingTool, match="install gcc"):
        toolchain.build(None, tmp_path)


def test_a_failing_compiler_is_reported(tmp_path: Path) -> None:
    """A compiler that fails is named together with the program, and leaves none behind."""
    with pytest.raises(MissingTool, match="false cannot compile the generator"):
        toolchain.build("false", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_programs_are_compiled_once(programs: Programs) -> None:
    """Programs that are newer than their sources are not compiled again, here by a compiler that would fail."""
    assert toolchain.build("false") == programs


def test_the_generator_explains_its_options(programs: Programs) -> None:
    """`--help` lists the options, and an unknown option is an error."""
    usage = subprocess.run([programs.generator, "--help"], capture_output=True, encoding="utf-8", check=True)
    unknown = subprocess.run([programs.generator, "--colour", "1"], capture_output=True, encoding="utf-8", check=False)

    assert "--spectators N" in usage.stdout
    assert (unknown.returncode, unknown.stderr) == (2, "generator: unknown option: --colour\n")


def test_missing_packages_are_found(tmp_path: Path) -> None:
    """A dependency without a folder in node_modules is missing; scoped names are folders too."""
    (tmp_path / "package.json").write_text('{"dependencies": {"ws": "8", "ioredis": "6", "@colyseus/core": "0"}}')
    (tmp_path / "node_modules" / "@colyseus" / "core").mkdir(parents=True)
    (tmp_path / "node_modules" / "ws").mkdir()

    assert toolchain.missing_packages(tmp_path) == ["ioredis"]
