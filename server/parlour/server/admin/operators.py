"""Who may act as an operator: names and tokens, from a file."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

SHORTEST_TOKEN = 20  # characters
FORM = "one operator per line: a name, a space, and a token of at least 20 characters"


class OperatorFileError(Exception):
    """The file cannot be used; `str()` is a sentence for the user."""


class Operators:
    """The operators of a deployment. Their tokens are kept as digests and compared in constant time."""

    def __init__(self, tokens: Mapping[str, str]) -> None:
        self._digests = {name: _digest(token) for name, token in tokens.items()}

    def find(self, token: str) -> str | None:
        """Return the name of the operator with this token. It takes equally long whether there is one or not."""
        given = _digest(token)
        found = None
        for name, digest in self._digests.items():
            if hmac.compare_digest(digest, given):
                found = name
        return found


def read_operators(file: Path) -> Operators:
    """Return the operators in a file. Raise OperatorFileError if it cannot be used."""
    try:
        lines = file.read_text("utf-8").splitlines()
        mode = file.stat().st_mode
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise OperatorFileError(f"The operators' tokens in {file} cannot be read: {reason}.") from None
    if mode & 0o077:
        raise OperatorFileError(f"Other users may read the operators' tokens. Run: chmod 600 {file}")
    tokens: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or len(words[1]) < SHORTEST_TOKEN:
            raise OperatorFileError(f"Line {number} of {file} should have {FORM}.")
        tokens[words[0]] = words[1]
    if not tokens:
        raise OperatorFileError(f"{file} names no operator. It has {FORM}.")
    return Operators(tokens)


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="surrogatepass")).digest()
