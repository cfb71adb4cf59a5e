"""Game options: the values a player can choose from, and reading a value that the player typed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import GameCard, OptionSpec, OptionValue


class Choice(Struct, frozen=True):
    """A value and its title."""

    value: OptionValue
    title: str


def choices(spec: OptionSpec) -> tuple[Choice, ...]:
    """Return the values that can be listed; none for a number."""
    if spec.kind == "switch":
        return Choice(True, "on"), Choice(False, "off")
    return tuple(Choice(value, str(value)) for value in spec.choices)


def parse_option(spec: OptionSpec, text: str) -> OptionValue:
    """Return the value that a player typed. This checks only its form; the server has the last word."""
    words = text.strip()
    for choice in choices(spec):
        if words.lower() == choice.title.lower():
            return choice.value
    if spec.kind == "number":
        if words.lstrip("-").isdecimal() and spec.low <= int(words) <= spec.high:
            return int(words)
        raise Refusal(ErrorCode.OPTION_INVALID, f"{spec.title} must be a whole number from {spec.low} to {spec.high}.")
    if spec.kind == "layout":
        return words
    listed = ", ".join(choice.title for choice in choices(spec))
    raise Refusal(ErrorCode.OPTION_INVALID, f"{spec.title} must be one of: {listed}.")


def parse_options(card: GameCard, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options that a player typed as `key=value`."""
    specs = {spec.key: spec for spec in card.options}
    values = {}
    for key, text in given.items():
        if key not in specs:
            known = f"It has {', '.join(specs)}." if specs else "It has none."
            raise Refusal(ErrorCode.OPTION_UNKNOWN, f"{card.name} has no option “{key}”. {known}")
        values[key] = parse_option(specs[key], text)
    return values
