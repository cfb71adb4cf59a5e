"""The form for a new table, made from what the server says about a game; and what was written into it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import GameCard, OptionSpec, OptionValue


class Choice(Struct, frozen=True):
    """A value to choose, and how it is called."""

    value: OptionValue
    title: str


def choices(spec: OptionSpec) -> tuple[Choice, ...]:
    """The values that can be listed; none for a number."""
    if spec.kind == "switch":
        return Choice(True, "on"), Choice(False, "off")
    return tuple(Choice(value, str(value)) for value in spec.choices)


def read_option(spec: OptionSpec, text: str) -> OptionValue:
    """The value that somebody has written. Only its form is checked here: the server has the last word."""
    words = text.strip()
    for choice in choices(spec):
        if words.lower() == choice.title.lower():
            return choice.value
    if spec.kind == "number":
        if words.lstrip("-").isdecimal() and spec.low <= int(words) <= spec.high:
            return int(words)
        raise Refusal(ErrorCode.OPTION_INVALID, f"{spec.title} is a whole number from {spec.low} to {spec.high}.")
    if spec.kind == "layout":
        return words
    listed = ", ".join(choice.title for choice in choices(spec))
    raise Refusal(ErrorCode.OPTION_INVALID, f"{spec.title} can be {listed}.")


def read_options(card: GameCard, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """The options that somebody has written as `key=value`."""
    specs = {spec.key: spec for spec in card.options}
    values = {}
    for key, text in given.items():
        if key not in specs:
            known = f"It has {', '.join(specs)}." if specs else "It has none."
            raise Refusal(ErrorCode.OPTION_UNKNOWN, f"{card.name} has no option “{key}”. {known}")
        values[key] = read_option(specs[key], text)
    return values
