"""Idiomatic English: phrases that a native speaker would not write here do not return."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[1]
SUFFIXES = {
    ".c",
    ".css",
    ".h",
    ".html",
    ".in",
    ".lua",
    ".md",
    ".mjs",
    ".py",
    ".sh",
    ".toml",
    ".ts",
    ".tsx",
    ".yaml",
    ".yml",
}
NAMES = {"Caddyfile", "Dockerfile", "Makefile"}
FOLDERS = (".ci", ".github", "bench", "client", "deploy", "docs", "protocol", "server", "tests")
NOT_OURS = {"__pycache__", "node_modules", "page", "results", "dist", "build", "site", ".venv"}

BANNED = re.compile(
    r"""\b(
    somebody|nobody|everybody|anybody|whoever|he|him|his|himself|herself    # the player, the node, the caller
    |so\ many|anew|as\ yet|at\ hand|to\ be\ had|stops?\ to|begins?\ to
    |(?:take[sn]?|taking|took)\ note                                         # record
    |wish(?:es|ed)?\ for                                                     # ask for
    |call(?:s|ed|ing)?\ (?:(?:the|a|an|it|this|that)\ (?:\w+\ )?)?off       # abort a game, cancel a tournament
    |sen(?:ds?|t|ding)\ (?:it\ |them\ )?away                                # refuse, disconnect
    |(?:is|are|was|were)\ kept\ of                                          # store
    |store\ (?:is|was)\ away                                                # unavailable
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)

# Pairs of a file and a phrase that is right there.
ALLOWED: set[tuple[str, str]] = {
    ("server/parlour/server/players/names.py", word)
    for word in ("anybody", "everybody", "nobody", "somebody")  # reserved names
}


def documents() -> Iterator[Path]:
    """Yield every text file of the project, except this one."""
    yield from (path for path in TOP.iterdir() if path.suffix in SUFFIXES or path.name in NAMES)
    for folder in FOLDERS:
        for path in (TOP / folder).rglob("*"):
            if (path.suffix in SUFFIXES or path.name in NAMES) and not NOT_OURS & set(path.relative_to(TOP).parts):
                yield path


def findings() -> Iterator[str]:
    """Yield each banned phrase as `file:line: phrase`, like a compiler."""
    for path in sorted(set(documents()) - {Path(__file__).resolve()}):
        name = path.relative_to(TOP).as_posix()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for phrase in BANNED.findall(line):
                if (name, phrase.lower()) not in ALLOWED:
                    yield f"{name}:{number}: {phrase}"


def test_the_language_is_idiomatic() -> None:
    """No text of the project contains a banned phrase."""
    assert list(findings()) == []
