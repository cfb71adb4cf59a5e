"""Draw the boards in the documents: `python docs/draw.py`, or `--check` to only list what is out of date.

Pictures are written to `docs/pictures`, text boards into the documents themselves. Both come from the examples in the
documents (see `parlour.games.example`). The browser client's board draws the pictures, and the terminal client's
the text boards. `docs/population.py` supplies the data for the plots of ratings, and `bench/scale` that for the plot
of capacity.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

# For `python docs/draw.py`, which has only this folder on the path.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import hatch_build
from docs import population

from bench.scale import report, runs
from parlour import games
from parlour.games import example
from parlour.games.api import Game
from parlour.games.example import Example, Untrue
from parlour.protocol.types import Pick
from parlour.terminal.drawing import Style, draw, seat_lines

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SCREENSHOTS = "terminal-"  # taken by docs/shoot.py


def documents() -> list[Path]:
    """Return every page of documentation."""
    patterns = (
        "*.md",
        "docs/**/*.md",
        "server/parlour/games/*/*.md",
        "client/*.md",
        "client/web/*.md",
        "client/web/sdk/*.md",
    )
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def examples(name: str, text: str) -> list[example.Found]:
    """Return the examples in a document. Raise `Untrue` if one of them is wrong."""
    return list(example.find(name, text, _game))


@cache
def _game(key: str) -> Game[Any]:
    if "/" not in key:
        return games.find(key)
    # A game outside the package is loaded by path, so that the registry does not list it from then on.
    spec = spec_from_file_location(Path(key).name, ROOT / key / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Game[Any] = module.GAME
    return game


# -- drawing


def draw_all() -> dict[Path, str]:
    """Return the current content of every document and every picture."""
    pictures = {
        "ratings": ratings_picture(population.simulate(population.SEED)),
        "scale": {"title": "What games in progress need", "scale": report.plot(runs.read())},
    }
    files: dict[Path, str] = {}
    for document in documents():
        before = document.read_text("utf-8")
        after, end = "", 0
        for shown, (start, stop) in examples(document.name, before):
            if shown.kind == "picture":
                pictures[shown.name] = board_picture(shown)
            elif shown.kind == "board":
                after += before[end:start] + board_text(shown)
                end = stop
        files[document] = after + before[end:]
    return files | {PICTURES / f"{name}.svg": svg for name, svg in render(pictures).items()}


def board_picture(shown: Example) -> dict[str, Any]:
    """Return the description from which client/web/docs draws a position."""
    picks = [Pick(pick) if isinstance(pick, int) else pick for pick in shown.offered]
    position = {
        "board": shown.spec,
        "scene": shown.scene,
        "picks": [asdict(pick) for pick in picks],
        "chosen": shown.picks or [],
        "seats": shown.beside,
    }
    return {"title": f"{shown.game.info.name}: {shown.game.print(shown.match.state)}", "position": position}


def ratings_picture(found: population.Population) -> dict[str, Any]:
    """Return the description from which client/web/docs draws the plots of ratings."""
    ratings = {
        "players": [(strength, rating.rating) for strength, rating in zip(found.strengths, found.ratings, strict=True)],
        "rounds": [(each.error, each.predicted) for each in found.rounds],
    }
    return {"title": f"Ratings of {len(found.ratings)} simulated players of known strength", "ratings": ratings}


def render(pictures: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the SVG of each picture, rendered by the browser client's own components."""
    hatch_build.install(tools=True)
    done = subprocess.run(  # noqa: S603
        [hatch_build.NODE, hatch_build.WEB / "docs" / "render.mjs"],
        input=json.dumps(to_builtins(pictures)), stdout=subprocess.PIPE, encoding="utf-8", check=True,
    )  # fmt: skip
    svgs: dict[str, str] = json.loads(done.stdout)
    return svgs


def board_text(shown: Example) -> str:
    """Return a position as the terminal client shows it."""
    style, scene, spec = Style(), shown.scene, shown.spec
    lines = [str(line) for line in draw(spec, scene, style=style, picks=shown.offered)]
    for seat, info in enumerate(spec.seats if shown.beside else ()):
        mark = ">" if scene.to_move == seat else " "
        beside = seat_lines(spec, scene, seat, style=style, picks=shown.offered, width=60)
        lines += [f"{mark} {info.name:6} {beside[0]}", *(f"         {line}" for line in beside[1:])]
    return "".join(f"{line.rstrip()}\n" for line in lines)


# -- files


def stale(files: dict[Path, str]) -> list[Path]:
    """Return the files whose content differs, and the pictures that no document shows any more."""
    changed = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    pictures = [path for path in sorted(PICTURES.glob("*.svg")) if not path.name.startswith(SCREENSHOTS)]
    return changed + [path for path in pictures if path not in files]


def main() -> int:
    parser = argparse.ArgumentParser(prog="docs/draw.py", description="Draw the boards in the documents.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    check = parser.parse_args().check
    try:
        files = draw_all()
    except Untrue as fault:
        sys.exit(f"Wrong example: {fault}")
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
