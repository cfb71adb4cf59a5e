"""pin-images.sh: asks the registry for digests, and writes them behind the names of images."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("Dockerfile", "docker-compose.yml")
PINNED = re.compile(r"^(?:FROM| *image:) ([^ @\n]+)(?:@sha256:([0-9a-f]{64}))?", re.MULTILINE)


class Checkout:
    """A copy of the files that the script changes, and a `docker` that asks no registry."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "deploy").mkdir()
        for name in (*FILES, "deploy/pin-images.sh"):
            shutil.copy(ROOT / name, folder / name)
        self.publish("1")

    def publish(self, edition: str, lines: str = 'echo "sha256:$digest"') -> None:
        """Let each image have another digest, and docker do something else with it than to print it."""
        docker = self.folder / "docker"
        given = '[[ "$1 $2 $3" == "buildx imagetools inspect" && "$5 $6" == "--format {{.Manifest.Digest}}" ]]'
        digest = f'digest=$(printf "%s" "$4 {edition}" | sha256sum | cut -c1-64)'
        docker.write_text("\n".join(("#!/usr/bin/env bash", "set -e", given, digest, lines)) + "\n")
        docker.chmod(0o755)

    def pin(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.folder / "deploy" / "pin-images.sh"],
            env={"PATH": f"{self.folder}:{os.environ['PATH']}"},
            capture_output=True, encoding="utf-8", check=False, timeout=60,
        )  # fmt: skip

    @property
    def text(self) -> str:
        return "".join((self.folder / name).read_text("utf-8") for name in FILES)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_every_image_gets_its_digest(checkout: Checkout) -> None:
    """Those of others, that is; nothing else changes, and a second run renews the digests."""
    before = checkout.text
    for edition in ("1", "2"):
        checkout.publish(edition)
        done = checkout.pin()
        assert done.returncode == 0, done.stderr
        pinned = {name: digest for name, digest in PINNED.findall(checkout.text) if not name.startswith("parlour:")}
        assert len(pinned) >= 5
        assert pinned == {name: sha256(f"{name} {edition}".encode()).hexdigest() for name in pinned}
    assert re.sub("@sha256:[0-9a-f]{64}", "", checkout.text) == re.sub("@sha256:[0-9a-f]{64}", "", before)


@pytest.mark.parametrize("lines", ["exit 1", "echo no such image"])
def test_no_file_changes_unless_all_digests_are_known(checkout: Checkout, lines: str) -> None:
    """If a registry does not answer, or with something else, the script fails."""
    before = checkout.text
    checkout.publish("1", f'[[ "$4" == valkey* ]] && {{ {lines}; exit; }}; echo "sha256:$digest"')
    assert checkout.pin().returncode != 0
    assert checkout.text == before
