"""Everything the documents state is true: examples, links, commands, quoted code and output."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from docs import draw
from docs.draw import ROOT, examples

from parlour import games
from parlour.cli import main
from parlour.games.example import Untrue

DOCUMENTS = draw.documents()
# Written by hand; the protocol reference is generated, and its generator has tests.
WRITTEN = [document for document in DOCUMENTS if document.name != "protocol.md"]

# Commands that exit on their own and print the same on every machine.
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
    """Return the anchors of the headings, as GitHub makes them."""
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
    for inline, attribute in LINK.findall(prose):
        yield inline or attribute


def blocks(document: Path, language: str) -> Iterator[str]:
    for kind, block in BLOCK.findall(text_of(document)):
        if kind == language:
            yield block


def code(document: Path) -> Iterator[str]:
    """Yield every line of code that could hold a command."""
    text = text_of(document)
    prose = COMMENT.sub("", BLOCK.sub("", text))
    for block in (*blocks(document, "sh"), *INDENTED.findall(prose), *SPAN.findall(prose)):
        yield from map(str.strip, block.splitlines())
    for block in blocks(document, "console"):
        yield from (line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ "))


def commands(document: Path) -> Iterator[list[str]]:
    """Yield the arguments of each call of `parlour`."""
    for line in code(document):
        for part in line.split(" | "):
            words = shlex.split(part, comments=True) if "parlour " in part else []
            while words and "=" in words[0]:
                words.pop(0)  # an environment variable
            if words and words[0] in ("parlour", ".venv/bin/parlour"):
                yield words[1:]


# -- examples


def test_every_picture_is_shown() -> None:
    """Each picture is shown in the document that describes it, with a text alternative."""
    for document in WRITTEN:
        text = text_of(document)
        for example, _ in examples(document.name, text):
            if example.kind == "picture":
                file = rf"pictures/{example.name}\.svg"
                shown = rf"!\[[^\]]+\]\(\S*{file}\)|{file}\" [^>]*alt=\"[^\"]+\""
                assert re.search(shown, text), f"{named(document)} does not show {example.name}"


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        ("moves: replica | {} | - | legal e7-e5", "cannot be chosen"),
        ("moves: replica | {} | - | illegal e7-d6", "e7-d6 is legal"),
        ("moves: replica | {} | - | illegal e7d6", "is written like"),
        ("moves: replica | {} | - | ends white goal", "not over"),
        ("moves: mapello | {} | - | play e4 | scores 3 1", "the scores are"),
        ("moves: mapello | {} | - | play e4 | skips", "no side was skipped"),
        ("moves: mitsudomoe | {} | - | picks supply, a1", "a1 cannot be chosen"),
        ("moves: isaac | {} | - | shows d4", "“shows” is not a step"),
        ("board: isaac | {} | -", "no code block"),
        ("moves: mapello | {} | ####J#####/##.*..*.##/#.....#..#/J*#.....*J/J...XX...#/#...XX..*#/#*.....#.J/J..#.....#"
         "/##.*...*##/###J###J## b 0,0", "is settled as"),
    ],
)  # fmt: skip
def test_a_wrong_example_is_reported(comment: str, fault: str) -> None:
    """A false statement about a move, a score, a result or a position does not pass."""
    with pytest.raises(Untrue, match=re.escape(fault)):
        examples("page", f"<!-- {comment} -->\n")


@pytest.mark.parametrize("key", games.keys())
def test_every_game_has_a_page(key: str) -> None:
    """The rules of a game have pictures, a text board, and describe each option and each of its values."""
    page = ROOT / "server" / "parlour" / "games" / key / "rules.md"
    text, kinds = text_of(page), [example.kind for example, _ in examples(page.name, text_of(page))]

    assert kinds.count("picture") >= 6
    assert {"board", "game", "moves"} <= set(kinds)
    assert f"games/{key}/rules.md)" in text_of(ROOT / "docs" / "rules" / "README.md")
    for option in games.find(key).info.options:
        assert f"`{option.key}`" in text
        assert [value for value in option.choices if f"`{value}`" not in text] == []


# -- links


@pytest.mark.parametrize("document", WRITTEN, ids=named)
def test_links_resolve(document: Path) -> None:
    """Relative links point to a file or folder of the repository, and their anchors to a heading in it."""
    for link in links(document):
        target, _, anchor = link.partition("#")
        if target.startswith("https:"):
            continue
        path = (document.parent / target).resolve() if target else document

        assert path.exists(), f"{link} points to nothing"
        assert path.is_relative_to(ROOT)
        assert not anchor or anchor in anchors(path), f"{link}: no such heading"


def test_every_page_is_reachable() -> None:
    """Links lead from the README to every document."""
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
    """Every `make` target in a document is in the Makefile."""
    targets = set(re.findall(r"^(\w+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    used = {(named(document), target) for document in WRITTEN for line in code(document)
            for target in re.findall(r"^make (\w+)", line)}  # fmt: skip

    assert ("README.md", "run") in used
    assert sorted((page, target) for page, target in used if target not in targets) == []


def test_parlour_commands_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """Every call of `parlour` uses an existing command and existing options."""
    calls = {(named(document), tuple(words)) for document in WRITTEN for words in commands(document)}
    helps: dict[str, str] = {}

    assert len(calls) > 10
    for page, words in sorted(calls):
        rest = [word for word in words if word != "…"]
        before = []
        if rest[:1] == ["--games"]:
            before, rest = rest[:1], rest[2:]
        name = rest[0] if rest and not rest[0].startswith("-") else ""
        for command in ("", name):
            if command not in helps:
                with pytest.raises(SystemExit, match=r"^0$"):
                    main([*([command] if command else []), "--help"])
                helps[command] = capsys.readouterr().out
        if len(rest) > 1 and f"\n    {rest[1]} " in helps[name]:  # a command with actions
            with pytest.raises(SystemExit, match=r"^0$"):
                main([name, rest[1], "--help"])
            helps[name] += capsys.readouterr().out
        options = [word.partition("=")[0] for word in rest if word.startswith("--")]
        assert [option for option in before if option not in helps[""]] == []
        assert [option for option in options if option not in helps[name]] == [], f"{page}: parlour {shlex.join(words)}"


def parlour(*arguments: str, stdin: str = "") -> str:
    """Run the command and return its output."""
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", *arguments],
        cwd=ROOT, input=stdin, capture_output=True, encoding="utf-8", check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, f"parlour {shlex.join(arguments)}: {done.stderr}"
    return done.stdout


@pytest.mark.parametrize("document", [page for page in WRITTEN if "```console" in text_of(page)], ids=named)
def test_output_is_as_shown(document: Path) -> None:
    """A command in a console block prints what the block shows; … matches anything."""
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


def test_quoted_code_is_current() -> None:
    """Code that a document quotes is in its file, word for word."""
    quoted = 0
    for document in WRITTEN:
        for path, block in re.findall(r"<!-- from: (\S+) -->\n```\w+\n(.*?)^```$", text_of(document), re.M | re.S):
            assert block in text_of(ROOT / path), f"{named(document)}: this is not in {path}:\n{block}"
            quoted += 1

    assert quoted > 0


def test_runnable_code_runs() -> None:
    """Every Python block marked as runnable runs."""
    runs = 0
    for document in WRITTEN:
        for block in re.findall(r"<!-- run -->\n```python\n(.*?)^```$", text_of(document), re.M | re.S):
            done = subprocess.run(
                [sys.executable, "-c", block], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
            )
            assert done.stderr == "", named(document)
            runs += 1

    assert runs > 0


def test_the_readme_calls_the_rules() -> None:
    """The request to the rules in the README is valid."""
    (request,) = re.findall(r"^echo '(.+?)' \| parlour rules", text_of(ROOT / "README.md"), re.MULTILINE)

    assert '"after":' in parlour("rules", stdin=f"{request}\n")


def test_import_contracts_are_documented() -> None:
    """The architecture page names every import contract."""
    contracts = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    page = text_of(ROOT / "docs" / "architecture.md")

    assert [contract["name"] for contract in contracts if f"**{contract['name']}.**" not in page] == []


def test_the_readme_is_short() -> None:
    """The README has fewer than a hundred lines."""
    assert len(text_of(ROOT / "README.md").splitlines()) < 100
