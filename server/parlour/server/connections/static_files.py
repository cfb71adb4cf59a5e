"""The files of the browser client, in memory: compressed and tagged once, when the server starts."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import NamedTuple

INDEX = "index.html"
ADMIN_PAGE = "admin_page"  # the folder of the page for operators
DOCS = "site"  # the folder of the documentation
MIN_GZIP_SIZE = 512  # bytes
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".py": "text/x-python; charset=utf-8",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
    ".wasm": "application/wasm",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
}
COMPRESSED = {".png", ".jpg", ".webp", ".woff2", ".mp3", ".ogg"}

# A name that contains a hash of the content always has the same content: app-4XQZ7K2M.js, style.0f3a9c41.css
_HASHED = re.compile(r"[-.](?:[A-Z2-7]{8}|[0-9a-f]{8,64})\.[a-z0-9.]+$")
_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


class File(NamedTuple):
    """A file, ready to be sent."""

    content_type: str
    body: bytes
    gzipped: bytes | None  # if that is shorter
    etag: str
    cache_control: str


def installed_page(name: str = "page") -> Path | None:
    """Return the folder of the installed browser client, without importing it; None if it was not built.

    `name` is that of the folder.
    """
    spec = find_spec("parlour.web")
    folders = spec.submodule_search_locations if spec is not None else None
    pages = (Path(folder, name) for folder in folders or ())
    return next((page for page in pages if (page / INDEX).is_file()), None)


def load(folder: Path, path_prefix: str = "") -> dict[str, File]:
    """Return every file in a folder by its URL path, except hidden files. Raise OSError.

    HTML refers to the other files by absolute paths, which get the prefix. Everything else finds its place from there.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"There is no folder {folder}.")
    files = {}
    for path in sorted(folder.rglob("*")):
        name = PurePosixPath(*path.relative_to(folder).parts)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            body = path.read_bytes()
            if name.suffix == ".html":
                body = with_prefix(body, path_prefix)
            files[f"/{name}"] = _file(name, body)
    for index in [path for path in files if path.endswith(f"/{INDEX}")]:
        files[index.removesuffix(INDEX)] = files[index]
    return files


def with_prefix(html: bytes, path_prefix: str) -> bytes:
    """Return HTML with the prefix in all absolute paths."""
    return html.replace(b'="/', f'="{path_prefix}/'.encode())


def _file(name: PurePosixPath, body: bytes) -> File:
    suffix = name.suffix.lower()
    gzipped = None
    if suffix not in COMPRESSED and len(body) >= MIN_GZIP_SIZE:
        gzipped = gzip.compress(body, mtime=0)
        if len(gzipped) >= len(body):
            gzipped = None
    return File(
        content_type=CONTENT_TYPES.get(suffix, "application/octet-stream"),
        body=body,
        gzipped=gzipped,
        etag=sha256(body).hexdigest()[:20],
        cache_control=_IMMUTABLE if _HASHED.search(name.name) else _REVALIDATE,
    )


def accepts_gzip(header: str) -> bool:
    """Return whether an Accept-Encoding header allows gzip."""
    for item in header.lower().split(","):
        name, _, weight = item.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "").rstrip("0.") != "q="
    return False


def matches_etag(header: str, etag: str) -> bool:
    """Return whether an If-None-Match header names the file, compressed or not."""
    known = (item.strip().removeprefix("W/").strip('"') for item in header.split(","))
    return any(item in ("*", etag, f"{etag}-gzip") for item in known)


def entity_tag(file: File, gzipped: bool) -> str:
    """Return the ETag header of a file; the compressed form has its own."""
    return f'"{file.etag}-gzip"' if gzipped else f'"{file.etag}"'


Files = Mapping[str, File]
