"""The options of a game: untrusted values in, a complete and valid set of options out."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from parlour.games import layouts
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import OptionSpec, OptionValue

__all__ = ["OptionSpec", "OptionValue", "Options", "settle"]

# Settled options: every option of the game, each with a value that the game accepts.
Options = Mapping[str, OptionValue]


def settle(specs: tuple[OptionSpec, ...], given: Mapping[str, object]) -> Options:
    """Return the options with every default filled in; refuse unknown names and invalid values."""
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
        case "layout" if given in spec.choices:
            return str(given)
        case "layout" if spec.layout is not None:
            text = _layout_text(given)
            if text is not None:
                return layouts.checked(spec.layout, text)
    raise Refusal(ErrorCode.OPTION_INVALID, f"{spec.key} must be {_wanted(spec)}.")


def _layout_text(given: object) -> str | None:
    """Return a layout as text; a program may send its rows as a list."""
    if isinstance(given, list | tuple) and all(isinstance(row, str) for row in given):
        return "/".join(given)
    return given if isinstance(given, str) else None


def _means(given: str | int, choice: OptionValue) -> bool:
    """Compare as a form and a program would: a form sends "12" where a program sends 12."""
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
