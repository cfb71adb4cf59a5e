"""The documents say what is true: examples, links, commands, quoted code and output."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docs import draw
from docs.drawing.example import ROOT, find, text

from parlour import games
from parlour.cli import main
from parlour.games.example import Example, Untrue

DOCUMENTS = draw.documents()
# Written by hand; the reference of the protocol is made by a program that has its own tests.
WRITTEN = [document for document in DOCUMENTS if document.name != "protocol.md"]

# Commands that end by themselves and print the same everywhere.
ENDING = {"rules", "perft", "transcript"}

LINK = re.compile(r"(?<!`)\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
INDENTED = re.compile(r"(?<=\n\n)((?: {4}.+\n)+)")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(document: Path) -> str:
    return document.read_text("utf-8")


def anchors(document: Path) -> set[str]:
    """The names under which headings can be linked to, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", BLOCK.sub("", text_of(document)), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (name := f"{words}-{number}" if number else words) in found:
            number += 1
        found.add(name)
    return found


def links(document: Path) -> Iterator[str]:
    prose = COMMENT.sub("", BLOCK.sub("", text_of(document)))
    for one, other in LINK.findall(prose):
        yield one or other


def blocks(document: Path, language: str) -> Iterator[str]:
    for kind, block in BLOCK.findall(text_of(document)):
        if kind == language:
            yield block


def code(document: Path) -> Iterator[str]:
    """Every piece of code that could hold a command, line by line."""
    text = text_of(document)
    prose = COMMENT.sub("", BLOCK.sub("", text))
    for block in (*blocks(document, "sh"), *INDENTED.findall(prose), *SPAN.findall(prose)):
        yield from map(str.strip, block.splitlines())
    for block in blocks(document, "console"):
        yield from (line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ "))


def commands(document: Path) -> Iterator[list[str]]:
    """The words of each call of `parlour`, without the name itself."""
    for line in code(document):
        for part in line.split(" | "):
            words = shlex.split(part, comments=True) if "parlour " in part else []
            while words and "=" in words[0]:
                words.pop(0)  # a variable of the environment
            if words and words[0] in ("parlour", ".venv/bin/parlour"):
                yield words[1:]


# -- examples


def test_everything_drawn_is_up_to_date() -> None:
    """Text boards and pictures are what the rules and the drawing make of their examples now."""
    stale = [named(path) for path in draw.stale(draw.drawn())]

    assert stale == [], "run: python docs/draw.py"


def test_drawing_again_gives_the_same() -> None:
    """Nothing in a drawing changes from run to run: the script finds nothing to do in another process."""
    done = subprocess.run(
        [sys.executable, "docs/draw.py", "--check"],
        cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_example_is_seen() -> None:
    """Each picture is shown in the document that describes it, with words for those who cannot see it."""
    for document in WRITTEN:
        text = text_of(document)
        for example, _ in find(document.name, text):
            if example.kind == "picture":
                file = rf"pictures/{example.name}\.svg"
                shown = rf"!\[[^\]]+\]\(\S*{file}\)|{file}\" [^>]*alt=\"[^\"]+\""
                assert re.search(shown, text), f"{named(document)} does not show {example.name}"


@pytest.mark.parametrize("picture", sorted(draw.PICTURES.glob("*.svg")), ids=lambda path: path.stem)
def test_pictures_stand_by_themselves(picture: Path) -> None:
    """A picture is well-formed, has a title, uses only what it defines, and fetches nothing."""
    text = text_of(picture)
    names = [element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()]
    defined = set(re.findall(r' id="([^"]+)"', text))
    used = {one or other for one, other in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)}

    assert names[1] == "title"
    assert used <= defined
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "script" not in names


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        ("moves: replica | {} | - | legal e7-e5", "cannot be chosen"),
        ("moves: replica | {} | - | illegal e7-d6", "e7-d6 is legal"),
        ("moves: replica | {} | - | illegal e7d6", "is written like"),
        ("moves: replica | {} | - | ends white goal", "not over"),
        ("moves: mapello | {} | - | play e4 | scores 3 1", "the scores are"),
        ("moves: mapello | {} | - | play e4 | skips", "nobody was skipped"),
        ("moves: mitsudomoe | {} | - | picks supply, a1", "a1 cannot be chosen"),
        ("moves: isaac | {} | - | shows d4", "there is no “shows”"),
        ("board: isaac | {} | -", "no block of text"),
        ("moves: mapello | {} | ####J#####/##.*..*.##/#.....#..#/J*#.....*J/J...XX...#/#...XX..*#/#*.....#.J/J..#.....#"
         "/##.*...*##/###J###J## b 0,0", "is settled as"),
    ],
)  # fmt: skip
def test_an_example_that_is_not_true_is_found(comment: str, fault: str) -> None:
    """A wrong claim about a move, a score, an end or a position does not pass."""
    with pytest.raises(Untrue, match=re.escape(fault)):
        list(find("page", f"<!-- {comment} -->\n"))


def test_a_board_is_drawn_with_what_is_claimed() -> None:
    """A text board shows the picks of its example, and the seats if they are asked for."""
    bare = text(Example("board", ["replica", "{}", "-"], "", games.find))
    picked = text(Example("board", ["replica", "{}", "-", "picks g5", "beside"], "", games.find))

    assert "[ ]" not in bare
    assert picked.count("[ ]") == 3
    assert "> White  pieces 12, kings 1\n" in picked


@pytest.mark.parametrize("key", games.keys())
def test_every_game_has_its_page(key: str) -> None:
    """Rules for players, with pictures, a board as text, and each option and each of its values in words."""
    page = ROOT / "server" / "parlour" / "games" / key / "rules.md"
    text, kinds = text_of(page), [example.kind for example, _ in find(page.name, text_of(page))]

    assert kinds.count("picture") >= 6
    assert {"board", "game", "moves"} <= set(kinds)
    assert f"games/{key}/rules.md)" in text_of(ROOT / "docs" / "rules" / "README.md")
    for option in games.find(key).info.options:
        assert f"`{option.key}`" in text
        assert [value for value in option.choices if f"`{value}`" not in text] == []


# -- links


@pytest.mark.parametrize("document", WRITTEN, ids=named)
def test_links_lead_somewhere(document: Path) -> None:
    """Relative links lead to a file or folder of the repository, and their anchors to a heading there."""
    for link in links(document):
        target, _, anchor = link.partition("#")
        if target.startswith("https:"):
            continue
        path = (document.parent / target).resolve() if target else document

        assert path.exists(), f"{link} leads nowhere"
        assert path.is_relative_to(ROOT)
        assert not anchor or anchor in anchors(path), f"{link}: no such heading"


def test_every_page_can_be_reached() -> None:
    """From the README one comes to every document by links."""
    reached, left = set[Path](), [ROOT / "README.md"]
    while left:
        document = left.pop()
        reached.add(document)
        for link in links(document):
            path = (document.parent / link.partition("#")[0]).resolve()
            if path.suffix == ".md" and path.is_file() and path not in reached:
                left.append(path)

    assert [named(document) for document in DOCUMENTS if document not in reached] == []


# -- commands, code and output


def test_make_targets_exist() -> None:
    """Whatever `make` is told to do in a document is in the Makefile."""
    targets = set(re.findall(r"^(\w+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    told = {(named(document), target) for document in WRITTEN for line in code(document)
            for target in re.findall(r"^make (\w+)", line)}  # fmt: skip

    assert ("README.md", "run") in told
    assert sorted((page, target) for page, target in told if target not in targets) == []


def test_parlour_commands_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """Every call of `parlour` names a command that exists, and options that it has."""
    calls = {(named(document), tuple(words)) for document in WRITTEN for words in commands(document)}
    helps: dict[str, str] = {}

    assert len(calls) > 10
    for page, words in sorted(calls):
        rest = [word for word in words if word != "…"]
        before = []
        if rest[:1] == ["--games"]:
            before, rest = rest[:1], rest[2:]
        name = rest[0] if rest and not rest[0].startswith("-") else ""
        for asked in ("", name):
            if asked not in helps:
                with pytest.raises(SystemExit, match=r"^0$"):
                    main([*([asked] if asked else []), "--help"])
                helps[asked] = capsys.readouterr().out
        options = [word.partition("=")[0] for word in rest if word.startswith("--")]
        assert [option for option in before if option not in helps[""]] == []
        assert [option for option in options if option not in helps[name]] == [], f"{page}: parlour {shlex.join(words)}"


def parlour(*arguments: str, stdin: str = "") -> str:
    """What the command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", *arguments],
        cwd=ROOT, input=stdin, capture_output=True, encoding="utf-8", check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, f"parlour {shlex.join(arguments)}: {done.stderr}"
    return done.stdout


@pytest.mark.parametrize("document", [page for page in WRITTEN if "```console" in text_of(page)], ids=named)
def test_output_is_as_shown(document: Path) -> None:
    """A command in a console block prints what stands below it; … stands for anything."""
    for block in blocks(document, "console"):
        for call in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = call.partition("\n")
            source, _, command = line.rpartition(" | ")
            stdin = shlex.split(source)[1] + "\n" if source else ""
            words = shlex.split(command)
            if words[0] != "parlour" or not ENDING & set(words):
                continue
            output = parlour(*words[1:], stdin=stdin)

            assert re.fullmatch(re.escape(shown).replace("…", "(?s:.*)"), output), f"{line}\n{output}"


def test_quoted_code_is_real() -> None:
    """What a document quotes from a file stands there word for word."""
    quoted = 0
    for document in WRITTEN:
        for path, block in re.findall(r"<!-- from: (\S+) -->\n```python\n(.*?)^```$", text_of(document), re.M | re.S):
            assert block in text_of(ROOT / path), f"{named(document)} quotes what is not in {path}:\n{block}"
            quoted += 1

    assert quoted > 0


def test_code_to_run_runs() -> None:
    """A Python block that readers are told to run does."""
    runs = 0
    for document in WRITTEN:
        for block in re.findall(r"<!-- run -->\n```python\n(.*?)^```$", text_of(document), re.M | re.S):
            done = subprocess.run(
                [sys.executable, "-c", block], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
            )
            assert done.stderr == "", named(document)
            runs += 1

    assert runs > 0


def test_the_rules_command_of_the_readme_answers() -> None:
    """The line of JSON in the README is a question that the rules answer."""
    (question,) = re.findall(r"^echo '(.+?)' \| parlour rules", text_of(ROOT / "README.md"), re.MULTILINE)

    assert '"after":' in parlour("rules", stdin=f"{question}\n")


def test_contracts_are_told_as_they_are() -> None:
    """The architecture page names every contract about imports."""
    contracts = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    page = text_of(ROOT / "docs" / "architecture.md")

    assert [contract["name"] for contract in contracts if f"**{contract['name']}.**" not in page] == []


def test_the_readme_is_short() -> None:
    """The README has fewer than a hundred lines."""
    assert len(text_of(ROOT / "README.md").splitlines()) < 100
