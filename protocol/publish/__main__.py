"""Writes the published files, or lists the stale ones: `python -m publish [--check]`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from parlour.server.api import openapi
from publish import asyncapi, field_meanings, index, markdown, typescript, vectors

ROOT = Path(__file__).parent.parent.parent
VECTORS = ROOT / "protocol" / "vectors"
API = ROOT / "server" / "parlour" / "server" / "api"


def published() -> dict[Path, str]:
    """Return every published file with the text that it should have."""
    meanings = field_meanings.text()
    return {
        ROOT / "docs" / "protocol.md": markdown.text(),
        ROOT / "docs" / "messages.md": index.text(),
        ROOT / "docs" / "protocol.asyncapi.json": asyncapi.text(),
        API / "field_meanings.json": meanings,
        ROOT / "docs" / "http-api.openapi.json": openapi.text(json.loads(meanings)),
        ROOT / "client" / "web" / "sdk" / "protocol.ts": typescript.text(),
        **{VECTORS / name: text for name, text in vectors.files().items()},
    }


def stale(files: dict[Path, str], vectors: Path = VECTORS) -> list[Path]:
    """Return the files whose text differs, and vectors that are no longer generated."""
    changed = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    return changed + sorted(path for path in vectors.rglob("*.json") if path not in files)


def main() -> int:
    parser = argparse.ArgumentParser(prog="publish", description="Write the published files of the protocol.")
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if a file is stale")
    check = parser.parse_args().check
    files = published()
    found = stale(files)
    for path in found:
        print(f"{'stale' if check else 'written' if path in files else 'removed'}: {path.relative_to(ROOT)}")
        if check:
            continue
        if path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], "utf-8")
        else:
            path.unlink()
    if check and found:
        print("Run `python -m publish` and commit the result.", file=sys.stderr)
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
