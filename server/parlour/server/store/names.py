"""Which names there can be, and when two of them are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from itertools import groupby

from parlour.protocol.errors import ErrorCode, Refusal

SHORTEST, LONGEST = 2, 24  # characters

RULE = (
    f"A name has {SHORTEST} to {LONGEST} characters: letters and digits of one alphabet, the first of them among these,"
    " and between them spaces, dots, dashes, underscores or apostrophes. At least one is a letter."
)
BETWEEN = frozenset(" .-_'’")
IN_A_ROW = 2  # accents upon one letter, or characters between two

# Scripts that are written together. Else one name has letters of one script, so that none can stand for another.
EAST_ASIAN = frozenset({"BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"})
# Letters and accents that nobody can see have one of these words in their Unicode names.
INVISIBLE = ("FILLER", "INHERENT", "JOINER", "VARIATION SELECTOR")

# Whoever is called so, or has one of these among the words of his name, seems to speak for the house.
TITLES = frozenset({
    "admin", "administrator", "anonymous", "computer", "guest", "mod", "moderator", "official", "operator", "parlor",
    "parlour", "root", "server", "staff", "support", "sysop", "system", "webmaster",
})  # fmt: skip
# Nobody is called just that: it would make strange sentences.
NOT_ALONE = frozenset({
    "all", "anybody", "anyone", "black", "bot", "bots", "deleted", "draw", "everybody", "everyone", "first", "house",
    "me", "nobody", "none", "null", "opponent", "player", "players", "second", "somebody", "someone", "undefined",
    "unknown", "unnamed", "watcher", "watchers", "white", "you",
})  # fmt: skip

# Letters of other alphabets that look like Latin ones, as small letters or as capitals.
LOOKALIKES = str.maketrans("авекмнорстухіјѕԁһӏԛԝαβεζηικμνορτυχı", "abekmhopctyxijsdhlqwabezhikmnoptyxi")
# Digits in place of letters, where a word is meant to be read.
DIGITS_AS_LETTERS = str.maketrans("013457", "oieast")


def fold(name: str) -> str:
    """What must differ for two names to be two: not capitals, what stands between, or letters that look the same."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(letter for letter in plain if letter not in BETWEEN).translate(LOOKALIKES)


def tidy_name(text: str, reserved: Iterable[str] = ()) -> str:
    """A name as it will be shown. Refuses what is none, or means somebody else, or is one of the reserved words."""
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not SHORTEST <= len(name) <= LONGEST or not _is_well_formed(name):
        raise Refusal(ErrorCode.NAME_REFUSED, RULE)
    whole = fold(name)
    words = "".join(" " if letter in BETWEEN else letter for letter in name).split()
    titles = TITLES & _readings([whole, *map(fold, words)])
    alone = NOT_ALONE.union(map(fold, reserved)) & _readings([whole])
    for word in sorted(titles or alone):
        raise Refusal(ErrorCode.NAME_REFUSED, f"Nobody can be called “{word}” here: choose another name.")
    return name


def _is_well_formed(name: str) -> bool:
    kinds = [_kind(letter) for letter in name]
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in name if _kind(letter) == "letter"}
    return (
        "other" not in kinds
        and kinds[0] in ("letter", "digit")
        and bool(scripts)
        and len(scripts - EAST_ASIAN) <= 1
        and all(kind in ("letter", "digit") or len(list(run)) <= IN_A_ROW for kind, run in groupby(kinds))
    )


def _kind(letter: str) -> str:
    if letter in BETWEEN:
        return "between"
    if any(word in unicodedata.name(letter, "") for word in INVISIBLE):
        return "other"
    category = unicodedata.category(letter)
    return {"L": "letter", "M": "accent"}.get(category[0], "digit" if category == "Nd" else "other")


def _readings(words: Collection[str]) -> frozenset[str]:
    """What some words can be read as: without the digits around them, and with digits as letters."""
    bare = [word.strip("0123456789") for word in words]
    return frozenset([*bare, *(word.translate(DIGITS_AS_LETTERS) for word in [*words, *bare])])
