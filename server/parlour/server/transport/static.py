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
WORTH_COMPRESSING = 512  # bytes
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
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
PACKED_ALREADY = {".png", ".jpg", ".webp", ".woff2", ".mp3", ".ogg"}

# A name with a hash of the content in it never means anything else: app-4XQZ7K2M.js, style.0f3a9c41.css
_HASHED = re.compile(r"[-.](?:[A-Z2-7]{8}|[0-9a-f]{8,64})\.[a-z0-9.]+$")
_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"


class File(NamedTuple):
    """One file, ready to be sent."""

    kind: str
    body: bytes
    packed: bytes | None  # with gzip, if that is shorter
    tag: str
    caching: str


def packaged() -> Path | None:
    """The browser client that is installed with Parlour; None if it was not built. It is found, not imported."""
    spec = find_spec("parlour.client")
    folders = spec.submodule_search_locations if spec is not None else None
    pages = (Path(folder, "page") for folder in folders or ())
    return next((page for page in pages if (page / INDEX).is_file()), None)


def load(folder: Path) -> dict[str, File]:
    """Every file in a folder by its path in the URL. Hidden files are left out. Raises OSError."""
    if not folder.is_dir():
        raise NotADirectoryError(f"There is no folder {folder}.")
    files = {}
    for path in sorted(folder.rglob("*")):
        name = PurePosixPath(*path.relative_to(folder).parts)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            files[f"/{name}"] = _file(name, path.read_bytes())
    for path_of_index in [path for path in files if path.endswith(f"/{INDEX}")]:
        files[path_of_index.removesuffix(INDEX)] = files[path_of_index]
    return files


def _file(name: PurePosixPath, body: bytes) -> File:
    suffix = name.suffix.lower()
    packed = None
    if suffix not in PACKED_ALREADY and len(body) >= WORTH_COMPRESSING:
        packed = gzip.compress(body, mtime=0)
        if len(packed) >= len(body):
            packed = None
    return File(
        kind=KINDS.get(suffix, "application/octet-stream"),
        body=body,
        packed=packed,
        tag=sha256(body).hexdigest()[:20],
        caching=_FOREVER if _HASHED.search(name.name) else _ASK_AGAIN,
    )


def accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header allows gzip."""
    for item in header.lower().split(","):
        name, _, weight = item.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "").rstrip("0.") != "q="
    return False


def is_known(header: str, tag: str) -> bool:
    """Whether an If-None-Match header names the file, packed or not."""
    known = (item.strip().removeprefix("W/").strip('"') for item in header.split(","))
    return any(item in ("*", tag, f"{tag}-gzip") for item in known)


def entity_tag(file: File, packed: bool) -> str:
    return f'"{file.tag}-gzip"' if packed else f'"{file.tag}"'


Files = Mapping[str, File]
