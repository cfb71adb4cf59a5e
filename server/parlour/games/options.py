"""What can be chosen when a table is set up, and how a choice from outside becomes one that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import OptionSpec, OptionValue

__all__ = ["OptionSpec", "OptionValue", "Options", "settle"]

# Settled options: every key the game has, each with a value the game accepts.
Options = Mapping[str, OptionValue]


def settle(specs: tuple[OptionSpec, ...], given: Mapping[str, object]) -> Options:
    """The options with every default filled in; a refusal when a name or a value is not known.

    A layout is only checked to be text: its rules belong to the game.
    """
    known = {spec.key: spec for spec in specs}
    for key in given:
        if key not in known:
            names = ", ".join(known) or "none"
            raise Refusal(ErrorCode.OPTION_UNKNOWN, f"There is no option “{key}”. Options here: {names}.")
    settled = {key: _value(spec, given[key]) if key in given else spec.default for key, spec in known.items()}
    return MappingProxyType(settled)


def _value(spec: OptionSpec, given: object) -> OptionValue:
    match spec.kind:
        case "choice" if isinstance(given, str | int) and not isinstance(given, bool):
            for choice in spec.choices:
                if _means(given, choice):
                    return choice
        case "switch":
            if isinstance(given, bool):
                return given
            if given in ("on", "off"):
                return given == "on"
        case "number":
            if isinstance(given, int) and not isinstance(given, bool) and spec.low <= given <= spec.high:
                return given
        case "layout" if isinstance(given, str):
            return given
    raise Refusal(ErrorCode.OPTION_INVALID, f"{spec.key} must be {_wanted(spec)}.")


def _means(given: str | int, choice: OptionValue) -> bool:
    """A form sends "12" where a program sends 12; both mean the same choice."""
    if isinstance(given, str):
        return given == str(choice)
    return given == choice or (isinstance(choice, str) and choice.isdecimal() and int(choice) == given)


def _wanted(spec: OptionSpec) -> str:
    match spec.kind:
        case "switch":
            return "true or false"
        case "number":
            return f"a whole number from {spec.low} to {spec.high}"
        case "layout":
            return f"{', '.join(map(str, spec.choices))}, or a layout as text"
        case _:
            return "one of " + ", ".join(map(str, spec.choices))
