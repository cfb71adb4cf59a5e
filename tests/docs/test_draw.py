"""Pictures and text boards are what the code draws from the examples in the documents."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docs import draw
from docs.population import simulate

from bench.scale import report
from parlour import games
from parlour.games.example import Example
from tests.bench.scale import synthetic

SVG = "{http://www.w3.org/2000/svg}"


def replica(*steps: str) -> Example:
    return Example("board", ["replica", "{}", "-", *steps], "", games.find)


@pytest.mark.usefixtures("tools")
def test_everything_is_up_to_date() -> None:
    """The committed text boards and pictures are what the rules and the clients draw now."""
    stale = [path.relative_to(draw.ROOT).as_posix() for path in draw.stale(draw.draw_all())]

    assert stale == [], "run: python docs/draw.py"


@pytest.mark.usefixtures("tools")
def test_drawing_is_reproducible() -> None:
    """The script finds nothing to do in a process with another hash seed."""
    done = subprocess.run(
        [sys.executable, "docs/draw.py", "--check"],
        cwd=draw.ROOT, env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_stale_files_are_found(tmp_path: Path) -> None:
    """A file with other content, a missing file and a picture that no document shows are all out of date."""
    shown = {path: path.read_text("utf-8") for path in draw.PICTURES.glob("*.svg")}
    other, unused = draw.PICTURES / "isaac.svg", draw.PICTURES / "replica.svg"
    files = {**shown, other: "other", tmp_path / "missing": ""}
    del files[unused]

    assert draw.stale(files) == [other, tmp_path / "missing", unused]


@pytest.mark.parametrize("picture", sorted(draw.PICTURES.glob("*.svg")), ids=lambda path: path.stem)
def test_pictures_are_self_contained(picture: Path) -> None:
    """A picture is well-formed, has a title, uses only what it defines, and fetches nothing."""
    text = picture.read_text("utf-8")
    names = [element.tag.removeprefix(SVG) for element in ElementTree.fromstring(text).iter()]
    defined = set(re.findall(r' id="([^"]+)"|(--[\w-]+):', text))
    used = set(re.findall(r'(?:href="#|url\(#)([\w-]+)|var\((--[\w-]+)\)', text))

    assert names[1] == "title"
    assert used <= defined
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "script" not in names


@pytest.mark.usefixtures("tools")
def test_a_picture_shows_its_example() -> None:
    """The picture has the position's pieces, a mark for each pick, and the seats if the example asks for them."""
    plain, picked = draw.board_picture(replica()), draw.board_picture(replica("picks g5", "beside"))
    drawn = {name: ElementTree.fromstring(svg) for name, svg in draw.render({"plain": plain, "picked": picked}).items()}
    picks = {name: svg.findall(f".//{SVG}g[@class='picks']/*") for name, svg in drawn.items()}
    texts = {name: [text.text for text in svg.iter(f"{SVG}text")] for name, svg in drawn.items()}

    assert drawn["plain"].findtext(f"{SVG}title") == plain["title"]
    assert len(drawn["plain"].findall(".//*[@data-piece]")) == 24
    assert len(picks["plain"]) == 0
    assert len(picks["picked"]) == 4  # the piece that is picked, and three places where it can go
    assert "White" not in texts["plain"]
    assert "White" in texts["picked"]


@pytest.mark.parametrize("name", ["isaac", "mapello", "mitsudomoe", "replica", "ratings", "scale"])
def test_pictures_suit_light_and_dark_pages(name: str) -> None:
    """A picture has a second value for each of its colours, for readers who prefer dark pages."""
    text = (draw.PICTURES / f"{name}.svg").read_text("utf-8")
    light, dark = re.findall(r":root{(.*?)}", text)
    colours = [set(re.findall(r"(--[\w-]+): ?#", block)) for block in (light, dark)]

    assert len(colours[0]) > 5
    assert colours[0] == colours[1]


@pytest.mark.usefixtures("tools")
def test_the_plot_shows_every_player() -> None:
    """The plot of ratings has a dot for each player."""
    found = draw.render({"ratings": draw.ratings_picture(simulate(3, 20, 10))})

    assert len(ElementTree.fromstring(found["ratings"]).findall(f".//{SVG}circle")) == 20


@pytest.mark.usefixtures("tools")
def test_the_plot_of_capacity_names_every_line() -> None:
    """The lines differ in their dashes as well as in their colours."""
    described = report.plot(synthetic.runs())
    found = ElementTree.fromstring(draw.render({"scale": {"title": "Scale", "scale": described}})["scale"])
    texts = [text.text for text in found.iter(f"{SVG}text")]
    dashes = {path.get("stroke-dasharray") for path in found.iter(f"{SVG}path") if path.get("stroke-width")}

    assert all(line["name"] in texts for line in described["lines"])
    assert len(dashes) == len(described["lines"])


def test_a_text_board_shows_its_example() -> None:
    """A text board shows the picks of its example, and the seats if the example asks for them."""
    plain, picked = draw.board_text(replica()), draw.board_text(replica("picks g5", "beside"))

    assert "[ ]" not in plain
    assert picked.count("[ ]") == 3
    assert "> White  pieces 12, kings 1\n" in picked
