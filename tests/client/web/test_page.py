"""The browser client as it is built: small, safe to serve, and made only when something has changed."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.server.connections.static_files import installed_page, load

ROOT = Path(__file__).parents[3]
WEB = ROOT / "client" / "web"

# Without what is loaded only by those who install the page.
LOADED = re.compile(r'<(?:link|script)(?! rel="(?:manifest|apple-touch-icon)")[^>]*? (?:src|href)="([^"]+)"')

pytestmark = pytest.mark.usefixtures("built")


def test_the_first_visit_is_small() -> None:
    """The page and the files that it names take at most 70 kB with gzip."""
    page = installed_page()
    assert page is not None
    files = load(page)
    named = LOADED.findall(files["/"].body.decode())
    assert sum(len(gzip.compress(files[path].body)) for path in ("/", *named)) <= 70_000


def test_nothing_is_inline() -> None:
    """The page refers to hashed script and style files and contains no inline script or style."""
    page = installed_page()
    assert page is not None
    text = (page / "index.html").read_text(encoding="utf-8")
    files = load(page)
    named = LOADED.findall(text)

    assert {Path(path).suffix for path in named} == {".css", ".js", ".svg", ".woff2"}
    assert all(path in files for path in named)
    assert re.search(r"<style|style=|<script(?! type=\"module\" src=)|\son\w+=", text) is None
    assert {files[path].cache_control for path in named} == {"public, max-age=31536000, immutable"}


def test_the_page_can_be_installed() -> None:
    """The manifest names icons that exist, and nothing in it depends on the path below which the page is served."""
    page = installed_page()
    assert page is not None
    manifest = json.loads((page / "manifest.webmanifest").read_text(encoding="utf-8"))

    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    assert all((page / icon["src"]).is_file() for icon in manifest["icons"])
    assert manifest["start_url"] == manifest["scope"] == "./"


def test_the_page_has_the_licences_of_what_it_contains() -> None:
    """The packages that are bundled, and the font, come with their licences."""
    page = installed_page()
    assert page is not None
    text = (page / "licences.txt").read_text(encoding="utf-8")

    assert [line.split()[0] for line in re.findall(r"^\S+ [\d.]+, \S+$", text, re.MULTILINE)] == [
        "preact",
        "marked",
        "@fontsource/source-serif-4",
    ]
    assert "SIL OPEN FONT LICENSE" in text


def test_the_lock_file_names_no_registry() -> None:
    """The lock file pins packages by version and checksum; npm's own settings name the registry."""
    packages = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    found = [name for name, package in packages.items() if name and "resolved" in package]

    assert len(packages) > 3
    assert found == []
    assert all("integrity" in package for name, package in packages.items() if name)


def test_an_unchanged_client_is_not_rebuilt() -> None:
    """A second build of the same sources leaves the files unchanged."""
    page = installed_page()
    assert page is not None
    before = {path: path.stat().st_mtime_ns for path in page.iterdir()}
    subprocess.run([sys.executable, ROOT / "hatch_build.py"], check=True, timeout=100)

    assert {path: path.stat().st_mtime_ns for path in page.iterdir()} == before
