"""Players' names: which are allowed, and which are equal. For names that only look alike, see `lookalikes.py`."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from itertools import groupby

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.players.lookalikes import DIGITS_AS_LETTERS

MIN_LENGTH, MAX_LENGTH = 2, 24  # characters

RULE = (
    f"A name has {MIN_LENGTH} to {MAX_LENGTH} characters: letters of one alphabet and digits. It starts with one of"
    " them, has at least one letter, and may have spaces, dots, dashes, underscores and apostrophes between them."
)
SEPARATORS = frozenset(" .-_'’")
MAX_IN_A_ROW = 2  # accents on one letter, or consecutive separators

# Scripts that are written together. All other names use one script, so that no letter can pass for another.
EAST_ASIAN = frozenset({"BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"})
# Invisible letters and accents have one of these words in their Unicode names.
INVISIBLE = ("FILLER", "INHERENT", "JOINER", "VARIATION SELECTOR")

# A player with one of these words in the name would seem to speak for the server.
TITLES = frozenset({
    "admin", "administrator", "anonymous", "computer", "guest", "mod", "moderator", "official", "operator", "parlor",
    "parlour", "root", "server", "staff", "support", "sysop", "system", "webmaster",
})  # fmt: skip
# Not allowed as the whole name: messages such as "you won" would be misleading.
NOT_ALONE = frozenset({
    "all", "anybody", "anyone", "black", "bot", "bots", "deleted", "draw", "everybody", "everyone", "first", "house",
    "me", "nobody", "none", "null", "opponent", "player", "players", "second", "somebody", "someone", "undefined",
    "unknown", "unnamed", "spectator", "spectators", "white", "you",
})  # fmt: skip

# Letters of other alphabets that look like Latin ones, in lower or upper case.
LOOKALIKES = str.maketrans("авекмнорстухіјѕԁһӏԛԝαβεζηικμνορτυχı", "abekmhopctyxijsdhlqwabezhikmnoptyxi")


def fold_name(name: str) -> str:
    """Return the form in which names are compared: without case, separators, or differences between lookalikes."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(letter for letter in plain if letter not in SEPARATORS).translate(LOOKALIKES)


def tidy_name(text: str, reserved: Iterable[str] = ()) -> str:
    """Return a name as it is shown. Refuse it if it breaks the rules or is reserved."""
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH or not _is_well_formed(name):
        raise Refusal(ErrorCode.NAME_REFUSED, RULE)
    whole = fold_name(name)
    words = "".join(" " if letter in SEPARATORS else letter for letter in name).split()
    titles = TITLES & _readings([whole, *map(fold_name, words)])
    alone = NOT_ALONE.union(map(fold_name, reserved)) & _readings([whole])
    for word in sorted(titles or alone):
        raise Refusal(ErrorCode.NAME_REFUSED, f"The name “{word}” is reserved. Choose another name.")
    return name


def player_unknown(name: str) -> Refusal:
    """Return the refusal of a name that no player has."""
    return Refusal(ErrorCode.PLAYER_UNKNOWN, f"There is no player named {name}. Check the spelling.")


def name_taken(name: str) -> Refusal:
    """Return the refusal of a name that another player has, or that looks like another player's."""
    return Refusal(ErrorCode.NAME_TAKEN, f"The name {name} is taken, or looks like one that is. Choose another name.")


def _is_well_formed(name: str) -> bool:
    kinds = [_kind(letter) for letter in name]
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in name if _kind(letter) == "letter"}
    return (
        "other" not in kinds
        and kinds[0] in ("letter", "digit")
        and bool(scripts)
        and len(scripts - EAST_ASIAN) <= 1
        and all(kind in ("letter", "digit") or len(list(run)) <= MAX_IN_A_ROW for kind, run in groupby(kinds))
    )


def _kind(letter: str) -> str:
    if letter in SEPARATORS:
        return "separator"
    if any(word in unicodedata.name(letter, "") for word in INVISIBLE):
        return "other"
    category = unicodedata.category(letter)
    return {"L": "letter", "M": "accent"}.get(category[0], "digit" if category == "Nd" else "other")


def _readings(words: Collection[str]) -> frozenset[str]:
    """Return what words can be read as: without digits around them, and with digits as letters."""
    bare = [word.strip("0123456789") for word in words]
    return frozenset([*bare, *(word.translate(DIGITS_AS_LETTERS) for word in [*words, *bare])])
