"""The files of the browser client, as they are kept in memory."""

from __future__ import annotations

import gzip
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from parlour.server.connections import static_files
from parlour.server.connections.static_files import accepts_gzip, installed_page, load, matches_etag


def test_files_are_found_by_their_path_in_the_url(tmp_path: Path) -> None:
    """Folders are searched, an index stands for its folder, hidden files are left out."""
    (tmp_path / "rules").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("index.html", "app.js", "rules/index.html", "rules/a b.png", ".secret", ".git/config"):
        (tmp_path / name).write_text(name)
    files = load(tmp_path)
    assert set(files) == {"/", "/index.html", "/app.js", "/rules/", "/rules/index.html", "/rules/a b.png"}
    assert files["/"].body == b"index.html"


def test_the_page_that_is_installed_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the package of the browser clients, if it was built."""
    (tmp_path / "parlour" / "web").mkdir(parents=True)
    (tmp_path / "parlour" / "web" / "__init__.py").touch()
    here = PathFinder.find_spec("parlour.web", [str(tmp_path / "parlour")])
    monkeypatch.setattr(static_files, "find_spec", lambda _: here)
    assert installed_page() is None
    (tmp_path / "parlour" / "web" / "page").mkdir()
    (tmp_path / "parlour" / "web" / "page" / "index.html").touch()
    assert installed_page() == tmp_path / "parlour" / "web" / "page"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.html", "text/html; charset=utf-8"),
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.CSS", "text/css; charset=utf-8"),
        ("a.svg", "image/svg+xml"),
        ("a.woff2", "font/woff2"),
        ("a.exe", "application/octet-stream"),
        ("a", "application/octet-stream"),
    ],
)
def test_the_content_type_does_not_depend_on_the_machine(tmp_path: Path, name: str, kind: str) -> None:
    """It follows from the suffix alone."""
    (tmp_path / name).write_bytes(b"x")
    assert load(tmp_path)[f"/{name}"].content_type == kind


def test_files_are_gzipped_where_that_helps(tmp_path: Path) -> None:
    """Long text is; short text and pictures are not. Equal content is compressed to equal bytes."""
    for name, body in (("a.js", b"let x;" * 500), ("b.js", b"let x;"), ("c.png", b"let x;" * 500)):
        (tmp_path / name).write_bytes(body)
    files = load(tmp_path)
    gzipped = files["/a.js"].gzipped
    assert gzipped is not None
    assert len(gzipped) < 300
    assert gzip.decompress(gzipped) == b"let x;" * 500
    assert gzipped == load(tmp_path)["/a.js"].gzipped
    assert files["/b.js"].gzipped is None
    assert files["/c.png"].gzipped is None


@pytest.mark.parametrize(
    ("name", "forever"),
    [
        ("app-4XQZ7K2M.js", True),
        ("style.0f3a9c41.css", True),
        ("app-4XQZ7K2M.js.map", True),
        ("app.js", False),
        ("index.html", False),
        ("service-worker.js", False),
        ("two-words.js", False),
        ("app-4xqz7k2m.js", False),
    ],
)
def test_only_names_with_a_hash_are_cached_forever(tmp_path: Path, name: str, forever: bool) -> None:
    """Everything else is revalidated, which costs little thanks to the ETag."""
    (tmp_path / name).write_bytes(b"x")
    assert ("immutable" in load(tmp_path)[f"/{name}"].cache_control) == forever


def test_the_etag_follows_the_content(tmp_path: Path) -> None:
    """Equal files have equal ETags, others do not."""
    for name, body in (("a.js", b"1"), ("b.js", b"1"), ("c.js", b"2")):
        (tmp_path / name).write_bytes(body)
    files = load(tmp_path)
    assert files["/a.js"].etag == files["/b.js"].etag != files["/c.js"].etag


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True), ("gzip, deflate, br", True), ("br;q=1.0, GZIP;q=0.5", True), ("*", True),
        ("gzip;q=0.001", True), ("", False), ("br", False), ("gzip;q=0", False), ("gzip; q=0.000", False),
    ],
)  # fmt: skip
def test_gzip_is_sent_to_clients_that_accept_it(header: str, accepted: bool) -> None:
    """As their Accept-Encoding says."""
    assert accepts_gzip(header) == accepted


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ('"abc"', True), ('W/"abc"', True), ('"abc-gzip"', True), ('"x", "abc"', True), ("*", True),
        ("", False), ('"ab"', False), ('"x", "y"', False),
    ],
)  # fmt: skip
def test_an_etag_is_recognised(header: str, known: bool) -> None:
    """In every form in which a browser or a cache may send it back."""
    assert matches_etag(header, "abc") == known
