"""Draws what the documents show: `python docs/draw.py`, or with `--check` only says what is not up to date.

Pictures are written to `docs/pictures`, boards of text into the documents themselves. Both come from the examples in
the documents (see `parlour.games.example`), through the rules and the drawing code that players use; except for the
picture of ratings, which comes from games of a simulated population.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

# This file is run as a script, and the rest of it is found from the root.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from docs.drawing import population
from docs.drawing.example import ROOT, find, svg, text

from parlour.games.example import Untrue

PICTURES = ROOT / "docs" / "pictures"
SCREENS = "terminal-"  # pictures of the terminal client, which are taken by docs/shoot.py


def documents() -> list[Path]:
    """Everything that is written for people."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("server/parlour/games/*/*.md")])


def drawn() -> dict[Path, str]:
    """Every document and every picture, as they should be."""
    files = {PICTURES / "ratings.svg": population.picture()}
    for document in documents():
        before = document.read_text("utf-8")
        after, end = "", 0
        for example, (start, stop) in find(document.name, before):
            if example.kind == "picture":
                files[PICTURES / f"{example.name}.svg"] = svg(example)
            elif example.kind == "board":
                after += before[end:start] + text(example)
                end = stop
        files[document] = after + before[end:]
    return files


def stale(files: dict[Path, str]) -> list[Path]:
    """Those that are not as they should be, and pictures that nothing shows any more."""
    changed = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    drawn_here = [path for path in sorted(PICTURES.glob("*.svg")) if not path.name.startswith(SCREENS)]
    return changed + [path for path in drawn_here if path not in files]


def main() -> int:
    parser = argparse.ArgumentParser(prog="docs/draw.py", description="Draws what the documents show.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something is not up to date")
    check = parser.parse_args().check
    try:
        files = drawn()
    except Untrue as fault:
        sys.exit(f"Not true: {fault}")
    found = stale(files)
    for path in found:
        print(f"{'stale' if check else 'written' if path in files else 'removed'}: {path.relative_to(ROOT)}")
        if check:
            continue
        if path in files:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files[path], "utf-8")
        else:
            path.unlink()
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
